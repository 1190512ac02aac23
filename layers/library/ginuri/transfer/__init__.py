"""Whole registries, moved and compared: from a folder to AWS and back. Read `move` first."""
