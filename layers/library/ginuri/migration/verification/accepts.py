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


def read_accept(text: str) -> str | None:
    """Return the header of a name, or the header itself.

    >>> read_accept("turtle"), read_accept("text/csv, */*;q=0.1"), read_accept("none")
    ('text/turtle', 'text/csv, */*;q=0.1', None)
    """
    return NAMED.get(text, text)


def name_of(accept: str | None) -> str:
    """Return the short name of a header; without one, the header.

    >>> name_of("text/turtle"), name_of("text/csv")
    ('turtle', 'text/csv')
    """
    named = (name for name, header in NAMED.items() if header == accept)
    return next(named, accept or "none")
