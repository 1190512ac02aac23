"""Requests to `/resolve` and `/explain`: an identifier in any form, a list of them, or a request to try."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from ginuri.frozen import Frozen, replace
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier, UnknownScheme
from ginuri.identifiers.messages import Words, message
from ginuri.identifiers.wrappers import unwrap
from ginuri.registry.ports import Found
from ginuri.resolution.decision import Question
from ginuri.resolution.explanations.alternatives import TRIED
from ginuri.resolution.outcomes import Decision
from ginuri.web.query import LANGUAGE, drop_parameters
from ginuri.web.request import Request, ask_about

_NOT_ASKED = {*TRIED, LANGUAGE}
MOST_LISTED = 100
"""The number of identifiers that one request may list."""
LIST_TYPE = "application/json"
"""The media type of a list."""
MOST_BODY = 512_000
"""The bytes that a list may have: enough for a hundred identifiers of the maximum length."""


class Reading(Frozen):
    """The parsed text: an identifier or the error, and the fragment."""

    identifier: Identifier | MalformedIdentifier
    fragment: str | None = None


class Forward(Frozen):
    """A redirect to the path of an identifier, with the fragment from the request."""

    identifier: Identifier
    fragment: str | None
    is_this_host: bool = False
    """Whether the identifier is the requested host, which redirects to its root path."""


class NoQuestion(Frozen):
    """The request has no identifier."""


class UnreadableList(Frozen):
    """The body is not a valid list of identifiers; `status` and `rule` are the reason."""

    status: HTTPStatus
    rule: Words


class Item(Frozen):
    """One identifier of a list in its original spelling, with its decision."""

    text: str
    decision: Decision
    found: Found | None = None
    fragment: str | None = None


class ResolvedList(Frozen):
    """The decisions for the identifiers of a list."""

    items: tuple[Item, ...]


def read_trial(
    identifier: Identifier | MalformedIdentifier, request: Request, canonical_host: str
) -> Question:
    """Read the request to explain: with the headers of this one, or those in its query.

    Parameters named after these headers, and the one for the page's language, are not part of the query of
    the identifier.
    """
    sent = replace(request.preferences, accept_language=request.headers.get("accept-language"))
    tried = {field: request.parameters.get(name) for name, field in TRIED.items()}
    preferences = replace(sent, **{field: value for field, value in tried.items() if value is not None})
    asked = replace(request, preferences=preferences, query=drop_parameters(request.query, _NOT_ASKED))
    return ask_about(identifier, asked, canonical_host)


def read_uri(parameters: Mapping[str, str]) -> Reading | NoQuestion:
    """Read the identifier in the parameter `uri`."""
    text = unwrap(parameters.get("uri", ""))
    return read_text(text) if text else NoQuestion()


def read_text(text: str) -> Reading:
    """Read an identifier in any form, and its fragment (RFC 3986 §3.5).

    A name of a well-known scheme may lack its scheme: `10.1000/182` is a DOI. Wrappers such
    as quotation marks are removed (`ginuri.identifiers.wrappers`).
    """
    written, mark, fragment = unwrap(text).partition("#")
    try:
        identifier = parse(written)
    except UnknownScheme as error:
        from ginuri.schemes.recognition import recognize

        known = recognize(written)
        if known is None:
            return Reading(error)
        identifier = parse(known.identifier)
    except MalformedIdentifier as error:
        return Reading(error)
    # Other spellings redirect to the normal form anyway: this saves one redirect.
    normal = parse(str(identifier)) if identifier.scheme else identifier
    return Reading(normal, fragment if mark else None)


def read_list(body: bytes, content_type: str = "") -> Sequence[str] | UnreadableList:
    """Read a JSON list of identifiers, or an object that has one as `uris`.

    A body without a `Content-Type` is read as JSON (RFC 9110 §8.3).
    """
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type not in {"", LIST_TYPE}:
        return UnreadableList(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            message(
                "The body has the media type {media_type}. Send JSON, with Content-Type: {accepted}.",
                media_type=repr(media_type[:100]),
                accepted=LIST_TYPE,
            ),
        )
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
