"""A description as a page."""
