"""Members of registers and collections, and the pages of their lists."""
