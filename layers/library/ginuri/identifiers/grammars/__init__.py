"""A module for each grammar: `uri-*`, names bound to a host, `info:`, `urn:`, `ark:`, registered schemes."""
