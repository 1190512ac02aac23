"""Commands for moving in from another resolver."""
