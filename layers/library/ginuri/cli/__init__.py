"""The `ginuri` command. Nothing imports it, and no function includes its dependencies."""
