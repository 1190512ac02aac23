"""Comparing names: whether two texts name the same, and similar spellings. Read `equivalence` first."""
