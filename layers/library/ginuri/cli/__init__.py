"""The `ginuri` command. No other package imports it, and no function includes its dependencies."""
