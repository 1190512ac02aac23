"""Tables: CSV and spreadsheets. Read `delimited` first."""
