"""Regular expressions of other resolvers as patterns of rules. Read `translation.py` first."""
