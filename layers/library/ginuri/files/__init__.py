"""Registry files in, reports and exports out; the only package with pydantic. Read `formats` first."""
