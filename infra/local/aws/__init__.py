"""The AWS endpoint: moto, and middleware for its gaps; read `moto_server` first."""
