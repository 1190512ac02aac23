"""Uploads processed once more, in their order, into a table that has lost them. Read `replay` first."""
