"""DOIs as people write them: bare, with a prefix, or as a web address."""

from __future__ import annotations

import re
from urllib.parse import quote

# ISO 26324: the prefix begins with the directory indicator 10, and a slash ends it.
NAME = r"10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+"
RESOLVER = r"https?://(?:(?:dx|www)\.)?doi\.org/"
SCHEME = r"(?:info:)?doi\b[:/]?\s*"
_BARE = re.compile(rf"(?:{SCHEME})?({NAME})", re.IGNORECASE)
_WRITTEN = re.compile(rf"(?:{RESOLVER}|{SCHEME})?{NAME}", re.IGNORECASE)
# DOI Handbook §2.5.2.4: characters that the address of a DOI must or should have encoded
_SAFE = "!$&'()*+,/:;=@~"


def is_doi(text: str) -> bool:
    """Return whether a text is a DOI, with or without a prefix."""
    return _WRITTEN.fullmatch(text) is not None


def location_of_doi(text: str) -> str | None:
    """Return the web address of a DOI that is no web address; None for any other text.

    No host has a name such as `10.5066`, so that nothing else can be meant.

    >>> location_of_doi("DOI: 10.5066/P9ABC"), location_of_doi("10.1/x")
    ('https://doi.org/10.5066/P9ABC', None)
    """
    found = _BARE.fullmatch(text)
    return f"https://doi.org/{quote(found[1], safe=_SAFE)}" if found else None
