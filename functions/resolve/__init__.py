"""The function that resolves identifiers."""
