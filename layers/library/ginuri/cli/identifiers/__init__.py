"""Commands that read identifiers."""
