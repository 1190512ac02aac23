"""Random attacks on the whole service, each repeatable by its seed. Read `kinds` for the list of attacks."""
