"""Pages for people: their frame, and every page that is not a description."""
