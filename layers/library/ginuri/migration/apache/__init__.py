"""Converts redirects of Apache httpd to registrations. Read `importer.py` first."""
