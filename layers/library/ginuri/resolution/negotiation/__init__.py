"""Choosing a representation by what a client prefers (RFC 9110 §12)."""
