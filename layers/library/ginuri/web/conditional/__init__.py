"""Conditional requests, ranges and validators (RFC 9110 §8.8, §13, §14)."""
