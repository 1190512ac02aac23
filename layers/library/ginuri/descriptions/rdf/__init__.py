"""A description as RDF: one graph, five formats. Read `description` first."""
