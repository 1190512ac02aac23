"""Inflections: suffixes of an ARK that ask for its metadata.

draft-kunze-ark-42, "Three Requirements of ARKs" and "Overview of The HTTP URL Mapping Protocol (THUMP)".
"""

from __future__ import annotations

INFLECTIONS = frozenset({"info", "info=", "?", "?="})
"""The queries that ask for metadata: `?info`, and the older `??`, also in the spelling of a gateway.

The oldest, a lone `?`, reaches no function: gateways drop an empty query.
"""
