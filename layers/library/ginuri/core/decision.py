"""What an identifier gets: every expected outcome, and `decide`, which touches nothing.

docs/dereferencing.md states the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ginuri.core.errors import MalformedIdentifier, UnknownScheme
from ginuri.core.identifiers import Identifier, Kind, parse_host
from ginuri.core.locations import is_location
from ginuri.core.model import (
    Dereference,
    Registered,
    Representation,
    Resource,
    Status,
    Stewarded,
)
from ginuri.core.negotiation import NO_PREFERENCES, Preferences, Roles, choose
from ginuri.core.registry import Found

DESCRIPTION_FORMATS = tuple(
    Representation(media_type=media_type, quality=quality)
    for media_type, quality in (("text/html", 1.0), ("application/ld+json", 0.9), ("application/json", 0.8))
)
"""The formats that `/about/<identifier>` can be had in."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """It cannot be an identifier."""

    error: MalformedIdentifier


@dataclass(frozen=True, slots=True)
class NotNormal:
    """It is an identifier in another writing than its normal form."""

    identifier: Identifier


@dataclass(frozen=True, slots=True)
class AnsweredElsewhere:
    """Another host answers for it."""

    identifier: Identifier
    host: str


@dataclass(frozen=True, slots=True)
class Retired:
    """It was in use, and is no more."""

    found: Found
    record: Registered


@dataclass(frozen=True, slots=True)
class Reserved:
    """It is set aside; it names nothing yet."""

    found: Found
    record: Registered


@dataclass(frozen=True, slots=True)
class SeeDescription:
    """It has no form of its own to give; its description tells."""

    found: Found
    record: Registered
    negotiated: bool = False


@dataclass(frozen=True, slots=True)
class SeeRepresentation:
    """One of its forms stands at another address."""

    found: Found
    record: Resource
    representation: Representation
    address: str
    """An absolute URI, or a path from the root for one of our own."""
    status_code: int
    offered: tuple[Representation, ...] = ()


@dataclass(frozen=True, slots=True)
class Give:
    """A stored file is given as the answer."""

    found: Found
    record: Resource
    representation: Representation
    address: str
    """The path of the representation itself, from the root."""
    offered: tuple[Representation, ...] = ()


@dataclass(frozen=True, slots=True)
class NotAcceptable:
    """None of its forms is one the client can take."""

    found: Found
    record: Resource
    offered: tuple[Representation, ...]


@dataclass(frozen=True, slots=True)
class ContentLost:
    """The stored file is not where the record says: an operator hears of it."""

    key: str


@dataclass(frozen=True, slots=True)
class NotRegistered:
    """Nobody registered it; what is known around it is the advice."""

    found: Found


@dataclass(frozen=True, slots=True)
class NoSuchScheme:
    """It begins with no scheme that is known here."""

    error: UnknownScheme


@dataclass(frozen=True, slots=True)
class MethodNotAllowed:
    """Identifiers are read, never written, over HTTP."""

    method: str


@dataclass(frozen=True, slots=True)
class Options:
    """The client asks what may be asked."""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """The registry is throttled or away."""

    retry_after: int
    """In seconds."""


Decision = (
    Malformed
    | NotNormal
    | AnsweredElsewhere
    | Retired
    | Reserved
    | SeeDescription
    | SeeRepresentation
    | Give
    | NotAcceptable
    | ContentLost
    | NotRegistered
    | NoSuchScheme
    | MethodNotAllowed
    | Options
    | Unavailable
)


def decide(  # noqa: PLR0911  one line a row of the table
    found: Found, preferences: Preferences = NO_PREFERENCES, *, host: str = ""
) -> Decision:
    """Decide what to answer, by the rows of docs/dereferencing.md: the first that applies."""
    identifier = found.identifier
    if not identifier.is_normal:
        return NotNormal(identifier)
    elsewhere = _answered_by(found)
    if elsewhere is not None and not _same_host(elsewhere, host):
        return AnsweredElsewhere(identifier, elsewhere)
    holding = _hold(identifier, found)
    if holding is None:
        return NotRegistered(found)
    record = holding.record
    if record.status is Status.RETIRED or holding.is_retired:
        return Retired(found, record)
    if record.status is Status.RESERVED:
        return Reserved(found, record)
    if not isinstance(record, Resource) or not holding.offered:
        return SeeDescription(found, record)
    return _dereference(holding, record, found, preferences)


@dataclass(frozen=True, slots=True)
class _Holding:
    """The record that answers for an identifier, and those of its representations that are in question."""

    identifier: Identifier
    record: Registered
    kind: Kind
    offered: tuple[Representation, ...] = ()
    is_retired: bool = False
    """Whether the identifier is a part that was retired while its record lives on."""


def _answered_by(found: Found) -> str | None:
    names = (found.identifier.normal_form, *reversed(found.identifier.ancestors))
    stewards = (found.records.get(name) for name in names)
    return next(
        (each.answered_by for each in stewards if isinstance(each, Stewarded) and each.answered_by), None
    )


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
    if record is not None:
        return _Holding(identifier, record, Kind.THING)
    if identifier.is_terminated:
        return None
    name = identifier.normal_form
    for stem in (*identifier.stems, identifier.ancestors[-1] if identifier.ancestors else ""):
        holder = found.resource(stem)
        if holder is not None and (part := _part(identifier, holder, name[len(stem) :])):
            return part
    return None


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
