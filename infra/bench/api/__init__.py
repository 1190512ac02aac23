"""`make bench-api`: the HTTP API by its client, on one machine and the local stack. Read `__main__` first."""
