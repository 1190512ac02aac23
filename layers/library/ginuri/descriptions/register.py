"""A page of a list: the one value that all its formats are written from."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.descriptions.description import Member, Register, Text
from ginuri.descriptions.labels import Labeller
from ginuri.i18n.translation import page_language
from ginuri.identifiers.service_paths import description_path, members_path
from ginuri.identifiers.stewards import steward
from ginuri.registry.model import ResourceType
from ginuri.registry.ports import Found
from ginuri.resolution.description_decision import Describe


def compose_register(outcome: Describe, title: Text) -> Register:
    """Compose the page of a list."""
    listing, name = outcome.listing, outcome.identifier.normal_form
    namer = labeller_of(outcome)
    here = f"http://{outcome.canonical_host}"
    after = listing.next_cursor
    return Register(
        identifier=name,
        uri=outcome.uri,
        title=title,
        members=tuple(_members(outcome, namer)),
        name=listing.register,
        address=here + members_path(name),
        page=here + members_path(name, after=listing.after),
        first=members_path(name),
        next=None if after is None else members_path(name, after=after),
        is_first=not listing.after,
        language=page_language(outcome.languages),
    )


def labeller_of(outcome: Describe) -> Labeller:
    """Return a labeller for all records of an outcome, members included."""
    records = {**outcome.found.records, **outcome.listing.records}
    return Labeller(Found(outcome.identifier, records), outcome.canonical_host, outcome.languages)


def _members(outcome: Describe, namer: Labeller) -> Iterator[Member]:
    for name in outcome.listing.names:
        record = outcome.listing.records[name]
        broader = record.broader if isinstance(record, ResourceType) else None
        about = f"http://{outcome.canonical_host}{description_path(name)}"
        named = namer.refer(name)
        is_top = broader is None or steward(broader) != steward(name)
        yield Member(named, record, about, namer.refer(broader) if broader else None, is_top)
