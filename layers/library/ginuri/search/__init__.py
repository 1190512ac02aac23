"""Searching titles in files that a daily job writes: the index, and the searcher. Read `searcher` first."""
