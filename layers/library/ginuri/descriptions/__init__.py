"""Descriptions: a record as a page for people, and as RDF, JSON, CSV, citations and linksets for machines.

Read `composer` first: it composes the one value that every format is written from.
"""
