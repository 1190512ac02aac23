"""Requests for descriptions: their paths, and the decision. Read `decision` first."""
