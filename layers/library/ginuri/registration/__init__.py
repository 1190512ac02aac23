"""What may be registered, and how it is: from rows to verdicts. Read `registrar` first."""
