"""A page of a list: the one value that all its formats are written from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from ginuri.descriptions.concept_tree import grow_tree
from ginuri.descriptions.description import Group, Member, Register, Text
from ginuri.descriptions.labels import Labeller
from ginuri.i18n.translation import page_language
from ginuri.identifiers.roots import ancestors_of
from ginuri.identifiers.service_paths import description_path, members_path
from ginuri.identifiers.stewards import steward
from ginuri.registry.lists.listing import Listing
from ginuri.registry.lists.registers import NAME_AUTHORITIES
from ginuri.registry.model import NameAuthority, Namespace, Registered, Resource, ResourceType, Scheme
from ginuri.registry.ports import Found
from ginuri.resolution.descriptions.decision import Describe, ListMembers, ListOrder
from ginuri.resolution.descriptions.formats import CANONICAL_MEDIA_TYPE


def compose_register(outcome: Describe, title: Text) -> Register:
    """Compose the page of a list."""
    listing, name = outcome.listing, outcome.identifier.normal_form
    namer = labeller_of(outcome)
    order = outcome.order if isinstance(outcome, ListMembers) else ListOrder.IDENTIFIER
    after = listing.next_cursor
    members = tuple(_sort(_members(outcome, namer), order))
    return Register(
        identifier=name,
        uri=outcome.uri,
        title=title,
        members=members,
        name=listing.register,
        address=namer.here + members_path(name),
        page=namer.here + members_path(name, after=listing.after, sort=order),
        first=members_path(name),
        next=None if after is None else members_path(name, after=after),
        is_first=not listing.after,
        total=listing.total,
        order=order,
        tree=grow_tree(members) if isinstance(outcome.record, Resource) and not listing.register else (),
        groups=group_by_type(outcome, members, namer) if _is_of_authority(outcome) else (),
        canonical_media_type=CANONICAL_MEDIA_TYPE if listing.register else listing.canonical_media_type,
        language=page_language(outcome.languages),
    )


def _is_of_authority(outcome: Describe) -> bool:
    return isinstance(outcome.record, NameAuthority) and outcome.listing.register is None


def group_by_type(outcome: Describe, members: Sequence[Member], namer: Labeller) -> tuple[Group, ...]:
    """Group the members of an authority: under its types in their order, the types, and the others."""
    records = {**outcome.found.records, **outcome.listing.records}
    types: dict[str, list[Member]] = {}
    stated: list[Member] = []
    others: list[Member] = []
    for member in members:
        if isinstance(member.record, ResourceType):
            stated.append(member)
        elif (above := _type_above(member.record.identifier, records)) is not None:
            types.setdefault(above, []).append(member)
        else:
            others.append(member)
    groups = [Group(tuple(typed), namer.refer(name)) for name, typed in sorted(types.items())]
    if others:
        groups.append(Group(tuple(others)))
    if stated:
        groups.append(Group(tuple(stated), is_of_types=True))
    return tuple(groups)


def _type_above(name: str, records: Mapping[str, Registered]) -> str | None:
    above = (other for other in reversed(ancestors_of(name)) if isinstance(records.get(other), ResourceType))
    return next(above, None)


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
