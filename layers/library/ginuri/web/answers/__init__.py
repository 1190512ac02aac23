"""Outcomes as HTTP responses: the only status codes. Read `identifiers` first."""
