"""Texts in the registry: plain text, titles, reasons, literals of N-Triples. Read `plain_text` first."""
