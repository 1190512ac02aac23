"""Choosing a representation by the client's preferences (RFC 9110 §12)."""
