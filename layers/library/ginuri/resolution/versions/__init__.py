"""Dated versions (RFC 7089): their selection, their timeline and the links between them."""
