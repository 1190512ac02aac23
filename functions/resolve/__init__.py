"""The function that resolves identifiers. Read `flow` first."""
