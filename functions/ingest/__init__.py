"""The function that ingests uploads."""
