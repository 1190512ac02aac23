"""Dated versions (RFC 7089): which is meant, their timeline and the links between them."""
