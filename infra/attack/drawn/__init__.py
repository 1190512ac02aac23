"""Draws requests and files, from usual to hostile."""
