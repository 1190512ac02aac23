"""Guesses about a file, for a person to confirm; ingest never guesses. Read `tables` first."""
