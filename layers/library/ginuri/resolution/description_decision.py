"""The decision about a description: every outcome, and `decide_description`, without side effects.

`/about/<identifier>` is negotiated, `/about.<extension>/<identifier>` is one format; without an identifier it
is the host's own description. As for a redirect, `find_match` finds the record of a form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from http import HTTPStatus
from typing import assert_never

from ginuri.identifiers import Identifier, parse_host
from ginuri.identifiers.service_paths import USUAL_ORDER, description_path, members_path, qr_code_path
from ginuri.registry.lists.listing import Listing
from ginuri.registry.lists.registers import name_meant, register_name, unregistered_register
from ginuri.registry.model import Host, Prefix, Registered, Resource, Rule
from ginuri.registry.namespaces import is_given_out, normal_form_in
from ginuri.registry.ports import Found, StampReader
from ginuri.registry.record.stamps import Stamp
from ginuri.resolution.decision import reconsider
from ginuri.resolution.description_paths import (
    CSV,
    EXTENSIONS,
    FORMATS,
    HTML,
    LIST_FORMATS,
    DescriptionRequest,
    address,
)
from ginuri.resolution.match import find_match
from ginuri.resolution.negotiation.languages import read_languages
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES, Languages, Preferences, choose
from ginuri.resolution.outcomes import (
    Choices,
    Malformed,
    MethodNotAllowed,
    NoSuchHost,
    NoSuchScheme,
    NotRegistered,
    Options,
    PassedThrough,
    Reserved,
    Retired,
    SeeMetadata,
    Unavailable,
    Withheld,
    WrittenOtherwise,
)
from ginuri.resolution.rules import find_rule

_WITH_UPLOADS = {HTML, "jsonld", "ttl", "rdf", "nt"}


@dataclass(frozen=True, slots=True)
class Describe:
    """The response is a description."""

    identifier: Identifier
    record: Registered
    found: Found
    canonical_host: str
    extension: str
    negotiated: bool
    host: str = ""
    """The requested host; empty if it is unknown."""
    listing: Listing = field(default_factory=Listing)
    """The members that it shows first."""
    uploads: Sequence[Stamp] = ()
    """The uploads that the record comes from, the first registration first, if they were read."""
    languages: Languages = ()
    """The preferred languages of a page's reader; empty for data."""

    @property
    def uri(self) -> str:
        """The cited URI of the described identifier."""
        return Found(self.identifier, self.found.records).cited(self.canonical_host)

    @property
    def above(self) -> str:
        """The path of the description one step up: of the nearest registered ancestor, else of the host."""
        above = Found(self.identifier, self.found.records).nearest_ancestor
        return "/" if above is None else description_path(above.identifier)


class ListOrder(StrEnum):
    """The order of a list that fits a page; a longer one is in the order of identifiers."""

    IDENTIFIER = USUAL_ORDER
    TITLE = "title"
    MODIFIED = "modified"
    """The last changed first."""


@dataclass(frozen=True, slots=True)
class ListMembers(Describe):
    """The response is a page of the list of members."""

    order: ListOrder = ListOrder.IDENTIFIER


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The response is the front page of the service, which belongs to no identifier."""

    identifier: Identifier
    """The host whose title and description the page has."""
    record: Registered
    canonical_host: str
    is_registered: bool
    """Whether the requested host is registered, so that the record is its own."""
    languages: Languages = ()
    """The preferred languages of its reader."""


@dataclass(frozen=True, slots=True)
class DescribeNormalForm:
    """The identifier is not in its normal form, whose description is at `address`."""

    address: str


@dataclass(frozen=True, slots=True)
class DescribeHolder:
    """The identifier is a form of something that is described at `address`."""

    address: str


@dataclass(frozen=True, slots=True)
class DescribeOtherSpelling:
    """The identifier is registered in exactly one other spelling, which is described at `address`."""

    address: str


@dataclass(frozen=True, slots=True)
class DrawQrCode:
    """The response is a QR code of `uri`."""

    uri: str


@dataclass(frozen=True, slots=True)
class NoSuchForm:
    """No format of the description is acceptable to the client."""

    identifier: Identifier


Outcome = (
    Describe
    | ListMembers
    | DescribeNormalForm
    | DescribeHolder
    | DescribeOtherSpelling
    | DrawQrCode
    | NoSuchForm
    | NotRegistered
    | NoSuchHost
    | NoSuchScheme
    | Malformed
    | MethodNotAllowed
    | Options
    | Unavailable
)


def prefers_front_page(preferences: Preferences) -> bool:
    """Return whether `/` is the front page for a client; for any other it is the description of the host."""
    return choose(Preferences(accept=preferences.accept), tuple(FORMATS.values())) is FORMATS[HTML]


def decide_front_page(
    identifier: Identifier, found: Found, preferences: Preferences, canonical_host: str
) -> FrontPage:
    """Decide whose title the front page has: the host's, else the canonical one's."""
    is_registered = found.record is not None
    shown = identifier if is_registered else parse_host(canonical_host)
    record = found.records.get(shown.normal_form) or _host(shown)
    languages = read_languages(preferences.accept_language)
    return FrontPage(shown, record, canonical_host, is_registered, languages)


def decide_description(
    request: DescriptionRequest,
    identifier: Identifier,
    found: Found,
    preferences: Preferences,
    canonical_host: str,
) -> Outcome:
    """Decide how to describe an identifier in normal form: the first that applies."""
    if not identifier.scheme and found.record is None:
        identifier = parse_host(canonical_host)
    if identifier.scheme and not found.has_registered_host:
        return NoSuchHost(identifier)
    if (meant := normal_form_in(found)) is not None:
        return DescribeNormalForm(address(meant, request.extension))
    record = found.records.get(identifier.normal_form) or _unregistered(identifier)
    if (other := _described_as(record, identifier, found)) is not None:
        return DescribeHolder(description_path(other, extension=request.extension or ""))
    if record is None or _is_free(record):
        ruled = find_rule(found)
        record = _by_rule(ruled) if ruled else unregistered_register(found) or is_given_out(found)
        if record is None:
            return NotRegistered(found)
    if request.extension is not None:
        return Describe(identifier, record, found, canonical_host, request.extension, negotiated=False)
    return _negotiate(identifier, record, found, preferences, canonical_host)


def reconsider_description(
    request: DescriptionRequest, decision: NotRegistered, near: Sequence[str]
) -> DescribeOtherSpelling | DescribeHolder | NotRegistered:
    """Decide again about an unregistered identifier, with its similar spellings, as `reconsider` does."""
    extension = request.extension or ""
    match reconsider(decision, near):
        case WrittenOtherwise(target=target):
            return DescribeOtherSpelling(description_path(target, extension=extension))
        case Choices(found, targets):
            return NotRegistered(found, targets)
        case NotRegistered() as unknown:
            return unknown
        case Retired() | Withheld() | Reserved() | PassedThrough() | SeeMetadata() as below:
            return DescribeHolder(description_path(below.record.identifier, extension=extension))
        case other:
            assert_never(other)


def _described_as(record: Registered | None, identifier: Identifier, found: Found) -> str | None:
    """Return the identifier whose description also covers this one, if any."""
    if isinstance(record, Resource) and record.identifier != identifier.normal_form:
        # The document about a thing without forms is the description of the thing.
        return record.identifier
    if not _is_free(record):
        return None
    holder = _holder(identifier, found)
    if holder is not None:
        return holder.identifier
    return None if find_rule(found) else name_meant(found)


def _is_free(record: Registered | None) -> bool:
    return record is None or (isinstance(record, Prefix) and not record.is_in_use)


def _negotiate(
    identifier: Identifier, record: Registered, found: Found, preferences: Preferences, canonical_host: str
) -> Outcome:
    # A register is also available as a table; other descriptions are not.
    table = (LIST_FORMATS[CSV],) if register_name(found) else ()
    chosen = choose(Preferences(accept=preferences.accept), (*FORMATS.values(), *table))
    if chosen is None:
        return NoSuchForm(identifier)
    if chosen in table:
        return DescribeHolder(members_path(identifier.normal_form, extension=CSV))
    extension = EXTENSIONS[chosen.media_type or ""]
    return Describe(identifier, record, found, canonical_host, extension, negotiated=True)


def decide_list(
    request: DescriptionRequest,
    identifier: Identifier,
    found: Found,
    preferences: Preferences,
    canonical_host: str,
) -> ListMembers | DescribeNormalForm | NotRegistered | NoSuchHost:
    """Decide the members to list and their format; the list itself is read later."""
    if not found.has_registered_host:
        return NoSuchHost(identifier)
    if (meant := normal_form_in(found)) is not None:
        return DescribeNormalForm(members_path(meant.normal_form, extension=request.extension or ""))
    record = found.record or unregistered_register(found)
    if record is None or _is_free(record):
        return NotRegistered(found)
    if request.extension is not None:
        return ListMembers(identifier, record, found, canonical_host, request.extension, negotiated=False)
    # A client that accepts none of the formats gets the simplest one.
    chosen = choose(Preferences(accept=preferences.accept), tuple(LIST_FORMATS.values()))
    extension = next((name for name, form in LIST_FORMATS.items() if form is chosen), "json")
    return ListMembers(identifier, record, found, canonical_host, extension, negotiated=True)


def decide_qr_code(identifier: Identifier, found: Found, canonical_host: str) -> Outcome:
    """Decide whether to draw the QR code of an identifier in normal form: if a description covers it.

    The code has the identifier's own URI, even of a form or a version that its document describes.
    """
    described = decide_description(
        DescriptionRequest(HTML, ""), identifier, found, NO_PREFERENCES, canonical_host
    )
    match described:
        case Describe():
            return DrawQrCode(described.uri)
        case DescribeHolder():
            return DrawQrCode(found.cited(canonical_host))
        case DescribeNormalForm():
            meant = normal_form_in(found) or identifier
            return DescribeNormalForm(qr_code_path(meant.normal_form))
        case _:
            return described


def negotiate_language(outcome: Describe, preferences: Preferences) -> Describe:
    """Add the preferred languages of the reader to a page; data have none."""
    languages = read_languages(preferences.accept_language) if outcome.extension == HTML else ()
    return replace(outcome, languages=languages)


def add_uploads(outcome: Describe, reader: StampReader) -> Describe:
    """Add the uploads of the record, for formats that show them. Raises RegistryUnavailable."""
    name = outcome.identifier.normal_form
    if outcome.extension not in _WITH_UPLOADS or name not in outcome.found.records:
        return outcome
    first_of: dict[tuple[str, str, str], Stamp] = {}
    for stamp in reader.stamps(name):
        first_of.setdefault((stamp.put, stamp.upload, stamp.version), stamp)
    return replace(outcome, uploads=tuple(first_of.values()))


def _unregistered(identifier: Identifier) -> Registered | None:
    # An unregistered host has a description as well.
    return None if identifier.scheme else _host(identifier)


def _host(identifier: Identifier) -> Host:
    return Host(identifier=identifier.normal_form, modified="")


def _by_rule(ruled: tuple[Rule, Resource]) -> Resource | None:
    rule, record = ruled
    return None if rule.status_code == HTTPStatus.NOT_FOUND else record


def _holder(identifier: Identifier, found: Found) -> Registered | None:
    """Return the resource that an identifier is a form or a version of."""
    resources = {name: record for name, record in found.records.items() if isinstance(record, Resource)}
    matched = find_match(Found(identifier, resources))
    # Otherwise the representation comes from a rule that a resource has as well.
    is_form = matched is not None and matched.record.identifier != identifier.normal_form
    return matched.record if matched is not None and is_form and not matched.is_ruled_out else None
