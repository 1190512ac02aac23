"""The answers of the registry that a rewrite rule can give: a status, and the target of a redirect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from ginuri.identifiers.messages import Words, message
from ginuri.memory import MemoryContentStore
from ginuri.migration.verification.accepts import NAMED
from ginuri.registry.locations import append_query
from ginuri.resolution.descriptions.formats import FORMATS
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import (
    Choices,
    Decision,
    Give,
    NotAcceptable,
    SeeDescription,
    SeeMetadata,
    SeeRepresentation,
    SeeVersion,
    Versioned,
)
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.request import Request

_VERSIONS = message("Its versions are valid from different days.")
_STORED = message("Its file is stored in this registry.")
_OF_DESCRIPTIONS = tuple(each.media_type for each in FORMATS.values())
_BROWSER = NAMED["browser"] or ""
_HTML, _UNKNOWN, _QUERY = "text/html", "application/x-unknown", "query=1"


@dataclass(frozen=True, slots=True)
class Reply:
    """A status, and the target of a redirect."""

    status: int
    location: str | None = None


@dataclass(frozen=True, slots=True)
class Inexpressible:
    """The reason why no rewrite rule gives an answer."""

    reason: Words


@dataclass(frozen=True, slots=True)
class Replies:
    """The replies to all requests for a name."""

    default: Reply
    """To a request without `Accept`, and to any that none of the others is for."""
    by_media_type: Mapping[str, Reply]
    """Where they differ from the default, to be tried in this order."""
    to_others: Reply | None = None
    """To a request that accepts none of `known`; None if it is the default."""
    known: Sequence[str] = ()
    """All media types that get another reply."""
    passes_query: bool = False


Decide = Callable[[Preferences, str], Decision | Versioned]
"""Decides about requests for one name, with preferences and a query."""


def collect_replies(
    decide: Decide, media_types: Sequence[str], canonical_host: str
) -> Replies | Inexpressible:
    """Return the replies to the requests for a name that is offered in these media types."""

    def ask(accept: str | None, query: str = "") -> Reply | Inexpressible:
        request = Request("GET", "/", query=query, preferences=Preferences(accept))
        return _reply(decide(request.preferences, query), request, canonical_host)

    default, queried = ask(None), ask(None, _QUERY)
    if isinstance(default, Inexpressible):
        return default
    passes_query = _passes_query(default, queried)
    if not media_types:
        return Replies(default, {}, passes_query=passes_query)
    headers = {each: _BROWSER if each == _HTML else each for each in (*media_types, _HTML)}
    replies = {each: ask(headers[each]) for each in sorted(headers, key=_order)}
    others = ask(_UNKNOWN)
    known = [each for each in (*media_types, *_OF_DESCRIPTIONS) if ask(each) != others]
    differing = {each for each, reply in replies.items() if isinstance(reply, Reply) and reply != default}
    if any(_order(each) > _order(_HTML) for each in differing):
        differing.add(_HTML)  # a browser must not come to the types after it
    return Replies(
        default,
        {each: reply for each, reply in replies.items() if isinstance(reply, Reply) and each in differing},
        others if isinstance(others, Reply) and others != default else None,
        known,
        passes_query,
    )


def _order(media_type: str) -> int:
    """Order media types: a browser names HTML, and some other types with less weight."""
    return 1 if media_type == _HTML else 2 if media_type in _BROWSER else 0


def _passes_query(default: Reply, queried: Reply | Inexpressible) -> bool:
    if default.location is None or not isinstance(queried, Reply):
        return False
    return queried.location == append_query(default.location, _QUERY)


def _reply(decision: Decision | Versioned, request: Request, canonical_host: str) -> Reply | Inexpressible:
    if isinstance(decision, Versioned) or (reason := _inexpressible(decision)):
        return Inexpressible(_VERSIONS if isinstance(decision, Versioned) else reason)
    if isinstance(decision, NotAcceptable):
        return Reply(HTTPStatus.NOT_ACCEPTABLE)
    response = IdentifierResponses(MemoryContentStore(), canonical_host).write(decision, request)
    return Reply(response.status, dict(response.headers).get("Location"))


def _inexpressible(decision: Decision) -> Words:
    """Return the reason why no rewrite rule gives the answer; empty if one does."""
    match decision:
        case SeeDescription() | SeeMetadata():
            return message("It leads to its description, which only this registry has.")
        case Give():
            return _STORED
        case SeeRepresentation(_, _, form) if form.file:
            return _STORED
        case SeeVersion():
            return _VERSIONS
        case Choices():
            return message("It stands for several identifiers.")
        case _:
            return ""
