"""Outcomes as HTTP responses, with all status codes. Read `identifiers` first."""
