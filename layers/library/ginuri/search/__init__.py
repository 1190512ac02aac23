"""Searches titles in an index that a daily job publishes. Read `searcher` first."""
