"""What an identifier gets: `decide` chooses one of the outcomes, and touches nothing.

docs/dereferencing.md states the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

from ginuri.core.errors import MalformedIdentifier
from ginuri.core.identifiers import Identifier, Kind, parse_host
from ginuri.core.identifiers.folding import fold_writing
from ginuri.core.locations import append_query, is_location
from ginuri.core.model import (
    Alias,
    Dereference,
    Prefix,
    Registered,
    Representation,
    Resource,
    Status,
)
from ginuri.core.negotiation import NO_PREFERENCES, Preferences, Roles, choose
from ginuri.core.outcomes import (
    AnsweredElsewhere,
    Choices,
    Decision,
    Give,
    NotAcceptable,
    NotNormal,
    NotRegistered,
    Reserved,
    Retired,
    RuledOut,
    SeeDescription,
    SeeRepresentation,
    StandsFor,
    WrittenOtherwise,
)
from ginuri.core.registry import Found
from ginuri.core.rules import find_rule
from ginuri.core.service_paths import LINKSET_TYPES

DESCRIPTION_FORMATS = tuple(
    Representation(media_type=media_type, quality=quality)
    for media_type, quality in (
        ("text/html", 1.0),
        ("application/ld+json", 0.9),
        ("application/json", 0.8),
        # A linkset is for whoever asks for one, and for nobody else.
        *((each, 0.1) for each in LINKSET_TYPES.values()),
    )
)
"""The formats that `/about/<identifier>` can be had in."""


def decide(  # noqa: PLR0911  one line a row of the table
    found: Found, preferences: Preferences = NO_PREFERENCES, *, host: str = "", query: str = ""
) -> Decision:
    """Decide what to answer, by the rows of docs/dereferencing.md: the first that applies."""
    identifier = found.identifier
    if not identifier.is_normal:
        return NotNormal(identifier)
    elsewhere = _answered_by(found)
    if elsewhere is not None and not _same_host(elsewhere, host):
        return AnsweredElsewhere(identifier, elsewhere)
    holding = _hold(identifier, found) or _hold_by_rule(found)
    if holding is None:
        is_prefix = isinstance(found.record, Prefix) and found.record.is_in_use
        return SeeDescription(found, found.record) if found.record and is_prefix else NotRegistered(found)
    record = holding.record
    if holding.is_ruled_out and isinstance(record, Resource):
        return RuledOut(found, record)
    if record.status is Status.RETIRED or holding.is_retired:
        return Retired(found, record)
    if record.status is Status.RESERVED:
        return Reserved(found, record)
    if isinstance(record, Alias):
        return _follow(found, record)
    if not isinstance(record, Resource) or not holding.offered:
        return SeeDescription(found, record)
    decision = _dereference(holding, record, found, preferences)
    if holding.passes_query and query and isinstance(decision, SeeRepresentation):
        return replace(decision, address=append_query(decision.address, query))
    return decision


def reconsider(decision: NotRegistered, near: Sequence[str]) -> Decision:
    """Decide again about what nobody registered, knowing what it may have been meant for."""
    name = decision.found.identifier.normal_form
    others = tuple(each for each in near if each != name)
    same = tuple(each for each in others if fold_writing(each) == fold_writing(name))
    if len(same) == 1:
        return WrittenOtherwise(decision.found, same[0])
    return (
        Choices(decision.found, same, is_registered=False) if same else NotRegistered(decision.found, others)
    )


def _follow(found: Found, alias: Alias) -> Decision:
    if len(alias.stands_for) == 1:
        return StandsFor(found, alias.stands_for[0], alias.status_code)
    return Choices(found, tuple(alias.stands_for))


@dataclass(frozen=True, slots=True)
class _Holding:
    """The record that answers for an identifier, and those of its representations that are in question."""

    identifier: Identifier
    record: Registered
    kind: Kind
    offered: tuple[Representation, ...] = ()
    is_retired: bool = False
    """Whether a part was retired while its record lives on, or a rule says that all under it is gone."""
    is_ruled_out: bool = False
    """Whether a rule says that there is nothing."""
    passes_query: bool = False


def _answered_by(found: Found) -> str | None:
    # The nearest wins, so that what stands under a prefix of another host may be handed back.
    for name in (found.identifier.normal_form, *reversed(found.identifier.ancestors)):
        record = found.records.get(name)
        if record is not None and record.answering_host:
            return record.answering_host
    return None


def _same_host(one: str, other: str) -> bool:
    try:
        return parse_host(one) == parse_host(other)
    except MalformedIdentifier:
        return False


def _hold(identifier: Identifier, found: Found) -> _Holding | None:
    record = found.record
    if isinstance(record, Resource):
        kind = record.kind or identifier.kind
        offered = _reachable(record.representations)
        if kind is Kind.THING:  # a thing cannot be sent: a stored form of it needs an address of its own
            offered = tuple(each for each in offered if each.part or not each.file)
        return _Holding(identifier, record, kind, offered)
    if record is not None and not isinstance(record, Prefix):
        return _Holding(identifier, record, Kind.THING)
    if identifier.is_terminated:
        return None
    name = identifier.normal_form
    for stem in (*identifier.stems, identifier.ancestors[-1] if identifier.ancestors else ""):
        holder = found.resource(stem)
        if holder is not None and (part := _part(identifier, holder, name[len(stem) :])):
            return part
    return None


def _hold_by_rule(found: Found) -> _Holding | None:
    ruled = find_rule(found)
    if ruled is None:
        return None
    rule, record = ruled
    return _Holding(
        found.identifier,
        record,
        record.kind or found.identifier.kind,
        _reachable(record.representations),
        is_retired=rule.status_code == HTTPStatus.GONE,
        is_ruled_out=rule.status_code == HTTPStatus.NOT_FOUND,
        passes_query=rule.pass_query,
    )


def _part(identifier: Identifier, holder: Resource, rest: str) -> _Holding | None:
    exact = tuple(each for each in holder.representations if each.part == rest)
    if exact and identifier.kind is Kind.REPRESENTATION:
        return _Holding(identifier, holder, Kind.REPRESENTATION, _reachable(exact))
    # A part makes the abstract document before its first dot: `image.pdf` and `image.tif` make `image`.
    forms = tuple(each for each in holder.representations if rest and each.stem == rest)
    if forms:
        return _Holding(identifier, holder, Kind.DOCUMENT, _reachable(forms))
    if rest in holder.retired_parts:
        return _Holding(identifier, holder, identifier.kind, is_retired=True)
    return None


def _reachable(representations: Sequence[Representation]) -> tuple[Representation, ...]:
    # A location is checked at upload and once more here: nothing else may become a redirect.
    return tuple(
        each
        for each in representations
        if (is_location(each.location) if each.location else each.file or each.identifier)
    )


def _dereference(holding: _Holding, record: Resource, found: Found, preferences: Preferences) -> Decision:
    identifier, offered = holding.identifier, holding.offered
    single = holding.kind is Kind.REPRESENTATION and len(offered) == 1
    chosen = offered[0] if single else choose(preferences, offered, _roles(found))
    if chosen is None:
        described = holding.kind is Kind.THING and choose(preferences, DESCRIPTION_FORMATS) is not None
        if described:
            return SeeDescription(found, record, negotiated=True)
        return NotAcceptable(found, record, offered)
    told = () if single else offered
    own = _own_address(record, chosen)
    is_here = own is None or own == f"/{identifier}"
    if chosen.file and (is_here or (holding.kind is Kind.DOCUMENT and _gives_content(record, found))):
        return Give(found, record, chosen, own or f"/{identifier}", told)
    status_code = 303 if holding.kind is Kind.THING else 302
    if own is not None and not is_here:
        return SeeRepresentation(found, record, chosen, own, status_code, told)
    if holding.kind is not Kind.THING:
        status_code = chosen.status_code or status_code
    return SeeRepresentation(found, record, chosen, leads_to(chosen), status_code, told)


def _own_address(record: Resource, representation: Representation) -> str | None:
    return f"/{record.identifier}{representation.part}" if representation.part else None


def leads_to(representation: Representation) -> str:
    """Give where a representation that is not stored is to be had: its location, else its own identifier."""
    return representation.location or f"/{representation.identifier}"


def _gives_content(record: Resource, found: Found) -> bool:
    policies = (record.dereference, *(each.dereference for each in found.resource_types))
    return next((each for each in policies if each), Dereference.REDIRECT) is Dereference.CONTENT


def _roles(found: Found) -> Roles:
    types = found.resource_types
    return Roles(
        next((each.default_media_type for each in types if each.default_media_type), None),
        next((each.canonical_media_type for each in types if each.canonical_media_type), None),
    )
