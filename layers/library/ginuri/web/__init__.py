"""HTTP: gateway events → requests, outcomes → responses. No AWS client. Read `request` first."""
