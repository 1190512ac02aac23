"""ginuri: parse, compare and print persistent identifiers, and resolve them."""

from __future__ import annotations

from ginuri.core.errors import GinuriError, MalformedIdentifier, UnknownScheme
from ginuri.core.identifiers import Identifier, Kind, parse

__all__ = ["GinuriError", "Identifier", "Kind", "MalformedIdentifier", "UnknownScheme", "parse"]
