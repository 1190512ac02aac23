"""Rules: the identifiers that a pattern matches, and the targets of templates."""
