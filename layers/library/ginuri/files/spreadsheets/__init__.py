"""Spreadsheets: reads .xlsx and .ods files, and repairs cells of .xlsx files. Read `workbooks` first."""
