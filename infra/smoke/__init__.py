"""A smoke test: raw requests to a stack, each with what must come back; read requests.toml, then runner."""
