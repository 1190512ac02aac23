"""What only ARKs have: suffixes that are passed on, and inflections. Read `passthrough` first."""
