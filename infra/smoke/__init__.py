"""A smoke test: raw requests to a stack, each with its expected answer; read requests.toml, then runner."""
