"""A record as a document about it: a page for people, JSON-LD and JSON for machines.

jinja2 is imported here and nowhere else; no redirect pays for it.
"""
