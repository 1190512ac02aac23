"""A module for each grammar: `uri-gin` and other `uri-*`, names bound to a host, `info:`, `urn:`, `ark:`."""
