"""The function that describes what identifiers name."""
