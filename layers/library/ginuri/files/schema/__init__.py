"""The fields of a registration: their types, their values, and its statements. Read `fields` first."""
