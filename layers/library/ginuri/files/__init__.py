"""Registry files in, reports and exports out; the only room with pydantic. Read `formats` first."""
