"""What a request gets: from a request and the registry to one decision. Read `decision` first."""
