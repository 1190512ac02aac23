"""RDF files: from triples to registrations. Read `graph_lines` first."""
