"""Access tokens: what one is, how it is used and revoked. Read `tokens` first."""
