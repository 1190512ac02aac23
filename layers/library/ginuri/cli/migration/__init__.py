"""Commands for migrating from another resolver."""
