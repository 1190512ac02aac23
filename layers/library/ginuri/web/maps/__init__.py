"""Maps on pages: of one place, and of all places in the registry."""
