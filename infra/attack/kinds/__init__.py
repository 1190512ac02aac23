"""The kinds of attack: one module each, listed in `table`."""
