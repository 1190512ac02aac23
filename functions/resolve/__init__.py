"""The function that answers identifiers."""
