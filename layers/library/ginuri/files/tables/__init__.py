"""Tables: CSV and spreadsheets."""
