"""Registrations as rewrite rules of Apache httpd, which give the same answers: start at export.py."""
