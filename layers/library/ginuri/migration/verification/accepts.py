"""The headers that a comparison sends: `Accept`, by a short name or in full."""

from __future__ import annotations

from collections.abc import Mapping

NAMED: Mapping[str, str | None] = {
    "none": None,
    "browser": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "turtle": "text/turtle",
    "rdfxml": "application/rdf+xml",
    "jsonld": "application/ld+json",
}
"""Headers by name; None sends none. All of them are the default."""


def name_of(accept: str | None) -> str:
    """Return the short name of a header; without one, the header.

    >>> name_of("text/turtle"), name_of("text/csv")
    ('turtle', 'text/csv')
    """
    named = (name for name, header in NAMED.items() if header == accept)
    return next(named, accept or "none")
