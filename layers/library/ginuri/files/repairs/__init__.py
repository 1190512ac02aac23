"""Finds the fault of a value and the likely correction. Read `locations` first."""
