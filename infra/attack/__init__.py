"""Random attacks on the whole service, each repeatable by its seed; read `kinds` for what is attacked."""
