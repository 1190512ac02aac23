"""`make bench`: the resolve function beside a bare handler, in one run (docs/explanation/performance.md).

Read `figures` first.
"""
