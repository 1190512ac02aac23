"""Pages for people: their frame, their words, and those that are no description."""
