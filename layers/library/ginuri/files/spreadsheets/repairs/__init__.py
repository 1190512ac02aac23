"""Writes repaired cells into a spreadsheet, and keeps all else. Read `packages` first."""
