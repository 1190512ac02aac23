"""Searching over HTTP: `/search`, its page and its JSON. Read `results` first."""
