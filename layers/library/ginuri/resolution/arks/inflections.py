"""Inflections: what is appended to an ARK to ask for its metadata.

draft-kunze-ark-42, "Three Requirements of ARKs" and "Overview of The HTTP URL Mapping Protocol (THUMP)".
"""

from __future__ import annotations

INFLECTIONS = frozenset({"info", "info=", "?", "?="})
"""The queries that ask for metadata: `?info`, and the older `??`, also as a gateway writes them anew.

The oldest, a lone `?`, reaches no function: gateways drop an empty query.
"""
