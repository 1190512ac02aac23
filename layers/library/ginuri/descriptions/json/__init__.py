"""A description as JSON."""
