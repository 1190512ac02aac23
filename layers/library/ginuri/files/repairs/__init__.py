"""Repairs of what people write: what is wrong with a value, and what it should be. Read `locations` first."""
