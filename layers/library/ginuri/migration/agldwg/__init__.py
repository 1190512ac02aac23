"""Converts the persistent identifiers of Australia's governments. Read `conversion.py` first."""
