"""The Bioregistry's prefixes as rules for compact identifiers. Read `conversion.py` first."""
