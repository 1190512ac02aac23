"""A page of a list: the one value that all its formats are written from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from ginuri.descriptions.description import Member, Register, Text
from ginuri.descriptions.labels import Labeller
from ginuri.i18n.translation import page_language
from ginuri.identifiers.service_paths import description_path, members_path
from ginuri.identifiers.stewards import steward
from ginuri.registry.lists.listing import Listing
from ginuri.registry.lists.registers import NAME_AUTHORITIES
from ginuri.registry.model import NameAuthority, Namespace, Registered, ResourceType, Scheme
from ginuri.registry.ports import Found
from ginuri.resolution.descriptions.decision import Describe, ListMembers, ListOrder
from ginuri.resolution.descriptions.formats import CANONICAL_MEDIA_TYPE


def compose_register(outcome: Describe, title: Text) -> Register:
    """Compose the page of a list."""
    listing, name = outcome.listing, outcome.identifier.normal_form
    namer = labeller_of(outcome)
    order = outcome.order if isinstance(outcome, ListMembers) else ListOrder.IDENTIFIER
    after = listing.next_cursor
    return Register(
        identifier=name,
        uri=outcome.uri,
        title=title,
        members=tuple(_sort(_members(outcome, namer), order)),
        name=listing.register,
        address=namer.here + members_path(name),
        page=namer.here + members_path(name, after=listing.after, sort=order),
        first=members_path(name),
        next=None if after is None else members_path(name, after=after),
        is_first=not listing.after,
        total=listing.total,
        order=order,
        canonical_media_type=CANONICAL_MEDIA_TYPE if listing.register else listing.canonical_media_type,
        language=page_language(outcome.languages),
    )


def _sort(members: Iterable[Member], order: ListOrder) -> Iterable[Member]:
    match order:
        case ListOrder.IDENTIFIER:
            return members
        case ListOrder.TITLE:
            return sorted(members, key=lambda member: member.named.title.text.casefold())
        case ListOrder.MODIFIED:
            return sorted(members, key=lambda member: member.record.modified, reverse=True)
        case _:
            assert_never(order)


def labeller_of(outcome: Describe) -> Labeller:
    """Return a labeller for all records of an outcome, members included."""
    records = {**outcome.found.records, **outcome.listing.records}
    return Labeller(Found(outcome.identifier, records), outcome.canonical_host, outcome.languages)


def _members(outcome: Describe, namer: Labeller) -> Iterator[Member]:
    for name in outcome.listing.names:
        record = outcome.listing.records[name]
        broader = record.broader if isinstance(record, ResourceType) else None
        is_top = broader is None or steward(broader) != steward(name)
        yield Member(
            namer.refer(name),
            record,
            f"http://{outcome.canonical_host}{description_path(name)}",
            namer.refer(broader) if broader else None,
            is_top,
            record.status,
            record.modified,
            record.registrant if isinstance(record, Namespace) else None,
            tuple(namer.link("service", service) for service in _services(record, outcome.listing)),
            record.authoritative_host if isinstance(record, Scheme) else None,
        )


def _services(record: Registered, listing: Listing) -> Sequence[Mapping[str, str]]:
    if listing.register == NAME_AUTHORITIES and isinstance(record, NameAuthority):
        return record.services
    return ()
