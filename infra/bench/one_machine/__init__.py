"""`make bench-machine`: `ginuri serve` beside other servers, over HTTP. Read `__main__` first."""
