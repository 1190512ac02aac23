"""The decision: from a request and the registry to one outcome. Read `decision` first."""
