"""Writes the index of the search from the records of a run. Read `index_writer` first."""
