"""HTTP: gateway events → requests, outcomes → responses, without AWS clients. Read `request` first."""
