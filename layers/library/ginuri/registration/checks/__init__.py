"""The rules that a registration is held to, one module a subject. Read `authorization` first."""
