"""Files of RDF: from triples to registrations. Read `graph_lines` first."""
