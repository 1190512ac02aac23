"""The decision about a description: every outcome, and `decide_description`, without side effects.

`/about/<identifier>` is negotiated, `/about.<extension>/<identifier>` is one format; without an identifier it
is the host's own description. As for a redirect, `find_match` finds the record of a form.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from http import HTTPStatus
from typing import assert_never

from ginuri.frozen import Frozen, replace
from ginuri.identifiers import Identifier, parse, parse_host
from ginuri.identifiers.loopback import is_loopback
from ginuri.identifiers.service_paths import USUAL_ORDER, description_path, members_path, qr_code_path
from ginuri.registry.lists.listing import NO_LISTING, Listing
from ginuri.registry.lists.registers import name_meant, register_name, unregistered_register
from ginuri.registry.model import Host, Prefix, Registered, Resource, Rule
from ginuri.registry.ports import Found, StampReader
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.rules.namespaces import is_given_out, normal_form_in
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.arks import answering_base
from ginuri.resolution.decision import reconsider, unknown_root
from ginuri.resolution.descriptions.formats import (
    COMMON_FORMATS,
    CSV,
    FORMATS,
    HTML,
    JSON,
    LIST_FORMATS,
    Format,
    choose_format,
    formats_of,
)
from ginuri.resolution.descriptions.paths import DescriptionRequest, address
from ginuri.resolution.match import find_match
from ginuri.resolution.negotiation.languages import read_languages
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES, Preferences
from ginuri.resolution.negotiation.preferences import Languages
from ginuri.resolution.outcomes import (
    Choices,
    FallenBack,
    Malformed,
    MethodNotAllowed,
    NoSuchHost,
    NoSuchScheme,
    NotRegistered,
    Options,
    Unavailable,
    WrittenOtherwise,
)
from ginuri.resolution.reserved_paths import is_reserved, reserve
from ginuri.resolution.rules import find_rule

_WITH_UPLOADS = {"page", "rdf"}
"""The writers that show the uploads of a record."""


class Describe(Frozen):
    """The response is a description."""

    identifier: Identifier
    record: Registered
    found: Found
    canonical_host: str
    extension: str
    negotiated: bool
    host: str = ""
    """The requested host; empty if unknown."""
    listing: Listing = NO_LISTING
    """The first members, which it shows."""
    next_rules: str | None = None
    """The beginning that the rules of the next page follow; None if there are no more."""
    uploads: Sequence[Stamp] = ()
    """The uploads behind the record, the first registration first, if they were read."""
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


class ListMembers(Describe):
    """The response is a page of the list of members."""

    order: ListOrder = ListOrder.IDENTIFIER


class FrontPage(Frozen):
    """The response is the front page of the service, which describes no identifier."""

    identifier: Identifier
    """The host whose title and description the page has."""
    record: Registered
    canonical_host: str
    is_registered: bool
    """Whether the requested host is registered, so that the record is its own, or is this machine."""
    languages: Languages = ()
    """The preferred languages of its reader."""
    featured: tuple[Found, ...] = ()
    """The registered identifiers that the record features, with their surroundings."""


class DescribeNormalForm(Frozen):
    """The identifier is not in its normal form, whose description is at `address`."""

    address: str


class DescribeHolder(Frozen):
    """The identifier is a form of something that is described at `address`."""

    address: str


class DescribeOtherSpelling(Frozen):
    """The identifier is registered in exactly one other spelling, which is described at `address`."""

    address: str


class DrawQrCode(Frozen):
    """The response is a QR code of `uri`."""

    uri: str


class NoSuchForm(Frozen):
    """The description is not available in the format of the path, or in one that the client accepts."""

    identifier: Identifier
    record: Registered


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
    """Return whether a client gets the front page for `/`, rather than the description of the host."""
    return choose_format(preferences.accept, COMMON_FORMATS) is COMMON_FORMATS[HTML]


def decide_front_page(
    identifier: Identifier, found: Found, preferences: Preferences, canonical_host: str
) -> FrontPage:
    """Decide whose title the front page has: the host's, else the canonical one's."""
    is_registered = found.record is not None
    shown = identifier if is_registered else parse_host(canonical_host)
    record = found.records.get(shown.normal_form) or _host(shown)
    languages = read_languages(preferences.accept_language)
    is_known = is_registered or is_loopback(identifier.normal_form.strip("/"))
    return FrontPage(shown, record, canonical_host, is_known, languages)


def feature(outcome: FrontPage, found: Found) -> FrontPage:
    """Add the records that the host features, in its order; those that lead nowhere are left out."""
    names = outcome.record.featured if isinstance(outcome.record, Host) else ()
    featured = (Found(parse(name), found.records) for name in names)
    return replace(
        outcome,
        featured=tuple(
            each for each in featured if each.record is not None and STATUSES[each.record.status].leads_on
        ),
    )


def decide_description(  # noqa: PLR0911  one return an outcome
    request: DescriptionRequest, found: Found, preferences: Preferences, canonical_host: str
) -> Outcome:
    """Decide how to describe an identifier: the first that applies."""
    identifier = found.identifier
    if not identifier.scheme and found.record is None:
        identifier = parse_host(canonical_host)
    if identifier.scheme and not found.has_registered_root:
        return unknown_root(identifier)
    if is_reserved(found, canonical_host):
        return reserve(identifier)
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
    chosen = _choose_format(request, record, found, preferences)
    if chosen is None:
        return NoSuchForm(identifier, record)
    if chosen.extension == CSV:
        return DescribeHolder(members_path(identifier.normal_form, extension=CSV))
    is_negotiated = request.extension is None
    return Describe(identifier, record, found, canonical_host, chosen.extension, negotiated=is_negotiated)


def reconsider_description(
    request: DescriptionRequest, decision: NotRegistered, near: Sequence[str], fallen: FallenBack | None
) -> DescribeOtherSpelling | NotRegistered:
    """Decide again about an unregistered identifier, with its similar spellings, as `reconsider` does.

    One that falls back has no description here.
    """
    if fallen is not None:
        return NotRegistered(decision.found, tuple(near), fallen.host)
    extension = request.extension or ""
    match reconsider(decision, near):
        case WrittenOtherwise(target=target):
            return DescribeOtherSpelling(description_path(target, extension=extension))
        case Choices(found, targets):
            return NotRegistered(found, targets)
        case NotRegistered() as unknown:
            return unknown
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
    base = answering_base(found)
    if base is not None:
        return base.identifier
    return None if find_rule(found) else name_meant(found)


def _is_free(record: Registered | None) -> bool:
    return record is None or (isinstance(record, Prefix) and not record.is_in_use)


def _choose_format(
    request: DescriptionRequest, record: Registered, found: Found, preferences: Preferences
) -> Format | None:
    formats = formats_of(record)
    if request.extension is not None:
        return formats.get(request.extension)
    # Only a register is available as a table.
    table = {CSV: LIST_FORMATS[CSV]} if register_name(found) else {}
    return choose_format(preferences.accept, {**formats, **table})


def decide_list(
    request: DescriptionRequest, found: Found, preferences: Preferences, canonical_host: str
) -> ListMembers | DescribeNormalForm | NotRegistered | NoSuchHost | NoSuchScheme:
    """Decide the members to list and their format; the list itself is read later."""
    identifier = found.identifier
    if not found.has_registered_root:
        return unknown_root(identifier)
    if is_reserved(found, canonical_host):
        return reserve(identifier)
    if (meant := normal_form_in(found)) is not None:
        return DescribeNormalForm(members_path(meant.normal_form, extension=request.extension or ""))
    record = found.record or unregistered_register(found)
    if record is None or _is_free(record):
        return NotRegistered(found)
    if request.extension is not None:
        return ListMembers(identifier, record, found, canonical_host, request.extension, negotiated=False)
    # JSON, which is read most easily, for a client that accepts no format
    chosen = choose_format(preferences.accept, LIST_FORMATS) or LIST_FORMATS[JSON]
    return ListMembers(identifier, record, found, canonical_host, chosen.extension, negotiated=True)


def decide_qr_code(found: Found, canonical_host: str) -> Outcome:
    """Decide whether to draw the QR code of an identifier: if a description covers it.

    The code has the URI of the identifier itself, even if it is a form or a version of a document.
    """
    described = decide_description(DescriptionRequest(HTML, ""), found, NO_PREFERENCES, canonical_host)
    match described:
        case Describe():
            return DrawQrCode(described.uri)
        case DescribeHolder():
            return DrawQrCode(found.cited(canonical_host))
        case DescribeNormalForm():
            meant = normal_form_in(found) or found.identifier
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
    if FORMATS[outcome.extension].writer not in _WITH_UPLOADS or name not in outcome.found.records:
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
    # Otherwise the representation comes from a rule on the resource itself.
    is_form = matched is not None and matched.record.identifier != identifier.normal_form
    return matched.record if matched is not None and is_form and not matched.is_ruled_out else None
