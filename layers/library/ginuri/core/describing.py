"""What a request for a description gets: every outcome, and `decide_description`, which touches nothing.

`/about/<identifier>` is negotiated, `/about.<extension>/<identifier>` is one format; without an identifier it
is the host's own description. What can be dereferenced is told by `decide`, so that the two never differ.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ginuri.core.decision import (
    DESCRIPTION_FORMATS,
    Give,
    Malformed,
    MethodNotAllowed,
    NoSuchScheme,
    NotAcceptable,
    NotRegistered,
    Options,
    Reserved,
    Retired,
    SeeDescription,
    SeeRepresentation,
    Unavailable,
    decide,
)
from ginuri.core.errors import MalformedIdentifier
from ginuri.core.identifiers import Identifier, parse_host, parse_path
from ginuri.core.model import Host, Registered, Resource, Stewarded
from ginuri.core.negotiation import Preferences, choose
from ginuri.core.registry import Found
from ginuri.core.service_paths import ABOUT, description_path

_EXTENSIONS = {"text/html": "html", "application/ld+json": "jsonld", "application/json": "json"}
FORMATS = {_EXTENSIONS[each.media_type or ""]: each for each in DESCRIPTION_FORMATS}
"""The formats of a description by the extension that fixes them."""

_PATH = re.compile(rf"/(?:{ABOUT}(?:\.(?P<extension>{'|'.join(FORMATS)}))?(?:/(?P<rest>.*))?)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a path asks for: a description of `rest`, in the format of `extension` or in any (None)."""

    extension: str | None
    rest: str
    """The identifier byte for byte; empty for the host itself."""


@dataclass(frozen=True, slots=True)
class Describe:
    """The description is given."""

    identifier: Identifier
    record: Registered
    found: Found
    canonical_host: str
    extension: str
    negotiated: bool

    @property
    def uri(self) -> str:
        """The URI of what is described, on its canonical host."""
        return canonical_uri(self.identifier, self.found, self.canonical_host)


@dataclass(frozen=True, slots=True)
class DescribeNormalForm:
    """It was asked for in another writing; its normal form is described at `address`."""

    address: str


@dataclass(frozen=True, slots=True)
class DescribeHolder:
    """It is a form of something, which is described at `address`."""

    address: str


@dataclass(frozen=True, slots=True)
class NoSuchForm:
    """Descriptions cannot be had in a form that the client takes."""

    identifier: Identifier


Outcome = (
    Describe
    | DescribeNormalForm
    | DescribeHolder
    | NoSuchForm
    | NotRegistered
    | NoSuchScheme
    | Malformed
    | MethodNotAllowed
    | Options
    | Unavailable
)


def read_description_path(path: str) -> Asked:
    """Read the path of a request; any other path than a description's is taken for an identifier.

    >>> read_description_path("/about.json/uri-gin/azgs/")
    Asked(extension='json', rest='uri-gin/azgs/')
    """
    found = _PATH.fullmatch(path)
    return Asked(found["extension"], found["rest"] or "") if found else Asked(None, path[1:])


def name_asked(asked: Asked, host: str, canonical_host: str) -> Identifier:
    """Name what is to be described; the host of the request where no identifier is given.

    Raises MalformedIdentifier and UnknownScheme for an identifier; a host that is none is the canonical one.
    """
    if asked.rest:
        return parse_path(f"/{asked.rest}")
    try:
        return parse_host(host)
    except MalformedIdentifier:
        return parse_host(canonical_host)


def address(identifier: Identifier, extension: str | None = None) -> str:
    """Give the path of a description, negotiated or of one format; a host's own has no identifier in it."""
    if identifier.scheme:
        return description_path(identifier.normal_form, extension=extension or "")
    return f"/{ABOUT}.{extension}" if extension else f"/{ABOUT}"


def decide_description(
    asked: Asked, identifier: Identifier, found: Found, preferences: Preferences, canonical_host: str
) -> Outcome:
    """Decide how to describe an identifier in normal form: the first that applies."""
    if not identifier.scheme and found.record is None:
        identifier = parse_host(canonical_host)
    record = found.records.get(identifier.normal_form) or _unregistered(identifier)
    if record is None:
        holder = _holder(identifier, found)
        if holder is None:
            return NotRegistered(identifier, found.nearest_ancestor, found.authority)
        return DescribeHolder(description_path(holder.identifier, extension=asked.extension or ""))
    if asked.extension is not None:
        return Describe(identifier, record, found, canonical_host, asked.extension, negotiated=False)
    chosen = choose(Preferences(accept=preferences.accept), DESCRIPTION_FORMATS)
    if chosen is None:
        return NoSuchForm(identifier)
    extension = _EXTENSIONS[chosen.media_type or ""]
    return Describe(identifier, record, found, canonical_host, extension, negotiated=True)


def canonical_uri(identifier: Identifier, found: Found, canonical_host: str) -> str:
    """Write an identifier as the URI it is cited by.

    That is on the first host that its authority trusts, else its scheme, else on the configured one.
    """
    if not identifier.scheme:
        return identifier.uri(identifier.normal_form.strip("/"))
    authority = Found(identifier, found.records).authority
    for steward in (authority, found.records.get(f"{identifier.scheme}/")):
        if isinstance(steward, Stewarded) and steward.trusted_hosts:
            return identifier.uri(steward.trusted_hosts[0])
    return identifier.uri(canonical_host)


def _unregistered(identifier: Identifier) -> Registered | None:
    # Whoever asks a host who it is gets an answer, also before anybody registered it.
    return None if identifier.scheme else Host(identifier=identifier.normal_form, modified="")


def _holder(identifier: Identifier, found: Found) -> Registered | None:
    resources = {name: record for name, record in found.records.items() if isinstance(record, Resource)}
    match decide(identifier, Found(identifier, resources)):
        case (
            SeeRepresentation(record=record)
            | Give(record=record)
            | SeeDescription(record=record)
            | NotAcceptable(record=record)
            | Retired(record=record)
            | Reserved(record=record)
        ):
            return record
        case _:
            return None
