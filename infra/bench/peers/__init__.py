"""`make bench-peers`: resolvers that people would choose instead, beside ours. Read `__main__` first."""
