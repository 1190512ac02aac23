"""The report on an upload, from the verdicts of its parts. Read `reporting` first."""
