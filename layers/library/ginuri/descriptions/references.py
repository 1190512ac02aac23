"""Reads the identifiers that a record mentions in one call, to show them by their titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ginuri.identifiers import KNOWN_ROOTS, Identifier, parse, parse_host, read_identifier
from ginuri.identifiers.roots import registered_scheme
from ginuri.registry.lists.registers import authority_opened
from ginuri.registry.model import (
    Alias,
    Host,
    NameAuthority,
    Namespace,
    Registered,
    Resource,
    ResourceType,
    Scheme,
)
from ginuri.registry.ports import Found, RecordReader

MOST_MENTIONED = 100
"""The number of records that one call can read; further ones are shown as identifiers."""


def add_mentioned(found: Found, reader: RecordReader, canonical_host: str) -> Found:
    """Add the mentioned records, in at most one call. Raises RegistryUnavailable."""
    names = [name for name in dict.fromkeys(_names(found, canonical_host)) if name not in found.records]
    if not names:
        return found
    return Found(found.identifier, {**found.records, **reader.fetch(names[:MOST_MENTIONED])})


def read_mention(text: str, root: str = "") -> Identifier | None:
    """Read a text that is an identifier; return None for any other text.

    A name bound to a host counts in its normal form, or as a URI under `root`; other URIs are links already.
    """
    if "/" not in text and not (text.startswith(KNOWN_ROOTS) or registered_scheme(text)):
        return None  # a plain word, possibly that of a scheme
    if (identifier := read_identifier(text)) is None:
        return None
    is_ours = text.startswith("//") or identifier.root == root
    return identifier if is_ours or not identifier.is_bound else None


def _names(found: Found, canonical_host: str) -> Iterator[str]:
    if not found.identifier.scheme:
        yield parse_host(canonical_host).normal_form
        yield from KNOWN_ROOTS
    if found.record is None:
        return
    for text in _mentions(found.record):
        identifier = read_mention(text, found.identifier.root)
        if identifier is not None:
            yield identifier.normal_form
            # Its authority determines the host in its URI; its scheme may not be known here.
            yield from identifier.ancestors[not identifier.is_of_registered_scheme : 2]


def _mentions(record: Registered) -> Iterator[str]:
    yield from filter(None, (record.successor, record.requested_by))
    match record:
        case Alias(stands_for=names) | Host(featured=names):
            yield from names
        case (
            Scheme(authority=authority, specification=specification)
            | Namespace(authority=authority, specification=specification)
        ):
            yield from filter(None, (authority, specification))
        case NameAuthority(featured=names):
            yield from names
        case ResourceType(broader=str(broader)):
            yield broader
        case Resource(part_of=part_of, representations=representations, links=links):
            yield from (part_of,) if part_of else ()
            yield from (form.identifier for form in representations if form.identifier)
            yield from (link["href"] for targets in links.values() for link in targets)
        case _:
            pass
    if isinstance(record, Resource) and (opened := authority_opened(parse(record.identifier))):
        yield opened
    if record.delegation is not None:
        yield from filter(None, record.delegation.to.values())
    for value in record.properties.values():
        yield from values_of(value)


def values_of(value: str | Iterable[str]) -> tuple[str, ...]:
    """Return the values of a property, which may be a single text."""
    return (value,) if isinstance(value, str) else tuple(value)
