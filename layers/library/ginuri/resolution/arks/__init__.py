"""Features of ARKs only: suffixes that are passed on, and inflections. Read `passthrough` first."""
