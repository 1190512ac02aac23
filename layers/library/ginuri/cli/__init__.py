"""The `ginuri` command. Nothing imports it, and no function carries what it needs."""
