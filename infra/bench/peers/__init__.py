"""`make bench-peers`: resolvers that people would pick instead, beside ours; read `__main__` first."""
