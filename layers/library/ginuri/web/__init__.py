"""HTTP shapes: the gateway's events in, its answers out. No AWS."""
