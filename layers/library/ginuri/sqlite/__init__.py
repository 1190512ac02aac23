"""A registry in one folder: records, uploads, reports and a queue in SQLite, contents in files.

Read `database` first.
"""
