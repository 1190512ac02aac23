"""Registration, from the rows of a file to a verdict on each identifier. Read `registrar` first."""
