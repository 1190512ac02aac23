"""Graphs as JSON-LD, Turtle, RDF/XML and N-Triples. Read `formats` first."""
