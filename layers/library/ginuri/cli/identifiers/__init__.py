"""Commands that parse identifiers; they need no stack."""
