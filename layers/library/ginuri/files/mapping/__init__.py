"""Which column is which field, and how columns make one. Read `columns` first."""
