"""Tables: CSV, and the rows of spreadsheets. Read `delimited` first."""
