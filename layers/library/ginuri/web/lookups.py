"""What `/resolve` is asked: one identifier in any form in the query, or a list of them in the body."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Words, message
from ginuri.identifiers.wrappers import unwrap
from ginuri.registry.ports import Found
from ginuri.resolution.outcomes import Decision

MOST_LISTED = 100
"""How many identifiers one request may list."""
MOST_BODY = 512_000
"""How many bytes a list may have: a hundred identifiers of the greatest length, written out, and more."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What somebody wrote, read: an identifier, or why it is none; and its fragment."""

    identifier: Identifier | MalformedIdentifier
    fragment: str | None = None


@dataclass(frozen=True, slots=True)
class Forward:
    """It is an identifier, which is answered under its own path; the fragment is the client's."""

    identifier: Identifier
    fragment: str | None
    is_this_host: bool = False
    """Whether it is the host that was asked, to which its root leads on whatever it is called."""


@dataclass(frozen=True, slots=True)
class NoQuestion:
    """Nothing was asked for."""


@dataclass(frozen=True, slots=True)
class UnreadableList:
    """The body is no list of identifiers; `status` and `rule` say by what limit."""

    status: HTTPStatus
    rule: Words


@dataclass(frozen=True, slots=True)
class Item:
    """One identifier of a list, as it was written, with what a request for it gets."""

    text: str
    decision: Decision
    found: Found | None = None
    fragment: str | None = None


@dataclass(frozen=True, slots=True)
class ResolvedList:
    """What each identifier of a list gets."""

    items: tuple[Item, ...]


def read_uri(parameters: Mapping[str, str]) -> Reading | NoQuestion:
    """Read the identifier in the parameter `uri`."""
    text = unwrap(parameters.get("uri", ""))
    return read_text(text) if text else NoQuestion()


def read_text(text: str) -> Reading:
    """Read an identifier in any form; a fragment (RFC 3986 §3.5) is for the client that resolves it.

    What is wrapped around it is taken off (`ginuri.identifiers.wrappers`).
    """
    written, mark, fragment = unwrap(text).partition("#")
    try:
        identifier = parse(written)
    except MalformedIdentifier as error:
        return Reading(error)
    # Its other writings lead to the normal form in any case: one redirect is saved.
    normal = parse(str(identifier)) if identifier.scheme else identifier
    return Reading(normal, fragment if mark else None)


def read_list(body: bytes) -> Sequence[str] | UnreadableList:
    """Read a JSON list of identifiers, or an object that has one as `uris`."""
    if len(body) > MOST_BODY:
        return UnreadableList(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            message("The body has more than {most} bytes.", most=str(MOST_BODY)),
        )
    try:
        given: Any = json.loads(body)
    except (ValueError, RecursionError):
        return UnreadableList(HTTPStatus.BAD_REQUEST, message("The body is not valid JSON in UTF-8."))
    listed = given.get("uris") if isinstance(given, dict) else given
    if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
        return UnreadableList(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            message("The body must be a list of strings, or an object with such a list in uris."),
        )
    if len(listed) > MOST_LISTED:
        reason = message(
            "The list has {number} identifiers; the limit is {most}.",
            number=str(len(listed)),
            most=str(MOST_LISTED),
        )
        return UnreadableList(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
    return listed
