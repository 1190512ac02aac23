"""Redirects within this registry, and successors: chains, and circles. Read `circles` first."""
