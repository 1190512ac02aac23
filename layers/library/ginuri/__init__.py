"""ginuri: parse, compare and print persistent identifiers, and resolve them."""

from __future__ import annotations

from ginuri.identifiers import Identifier, Kind, parse
from ginuri.identifiers.errors import GinuriError, MalformedIdentifier, UnknownScheme

__all__ = ["GinuriError", "Identifier", "Kind", "MalformedIdentifier", "UnknownScheme", "parse"]
