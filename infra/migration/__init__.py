"""Measures importers on the registries they are made for. Read `__main__` first."""
