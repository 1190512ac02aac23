"""The fields that a registration may state, and geometries among them. Read `fields` first."""
