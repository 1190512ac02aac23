"""The resolution services of RFC 2169: decision, responses, flow. Read `flow` first."""
