"""The checks on a registration, one module a subject. Read `authorization` first."""
