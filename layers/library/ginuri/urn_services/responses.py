"""Outcome → HTTP response for the resolution services of RFC 2169, with their status codes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from http import HTTPStatus
from typing import assert_never
from urllib.parse import quote

from ginuri.frozen import replace
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.service_paths import URI_RES
from ginuri.registry.model import Representation
from ginuri.resolution.negotiation.negotiation import Preferences, choose
from ginuri.urn_services.decision import (
    MULTIPART,
    URI_LIST,
    WORDS,
    Resolved,
    SeeIdentifier,
    SeeLocation,
    Service,
    UriList,
    Variants,
)
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.answers.problems import Advice, Problem, write_problem
from ginuri.web.answers.services import NoContent
from ginuri.web.headers import ABSENT_SECONDS, CORS, FRESH_SECONDS, cache
from ginuri.web.pages.environment import write_page
from ginuri.web.pages.frame import page_headers
from ginuri.web.request import Request
from ginuri.web.response import Headers, Response

_VARY = ("Vary", "Accept, Accept-Language, Accept-Profile")
_EXAMPLE = "urn:isbn:0451450523"
_FORMATS = (Representation(media_type=URI_LIST), Representation(media_type="text/html"))
# RFC 3986 §2 a URI has only these characters; others in registered texts are escaped
_MARKS = ":/?#[]@!$&'()*+,;=%~"


@dataclass(frozen=True, slots=True)
class NoSuchService:
    """RFC 2169 has no such service, or this resolver does not support it."""

    name: str


@dataclass(frozen=True, slots=True)
class NoName:
    """The request has no identifier."""

    service: Service


ResolutionOutcome = Resolved | NoSuchService | NoName


class UrnServiceResponses:
    """Writes responses; without a result, the response for the identifier itself."""

    def __init__(self, canonical_host: str) -> None:
        self._answers = IdentifierResponses(NoContent(), canonical_host)

    def write(self, outcome: ResolutionOutcome, request: Request) -> Response:
        """Write the response to an outcome."""
        request = replace(request, query="")  # the query is the identifier, not a query to pass on
        match outcome:
            case SeeLocation(address):
                return _redirect(address)
            case SeeIdentifier(decision):
                response = self._answers.write(decision, request)
                where = dict(response.headers).get("Location")
                return _redirect(where) if where else response
            case UriList():
                return _write_list(outcome, request.preferences)
            case Variants():
                return _write_variants(outcome)
            case NoSuchService() | NoName():
                return _advise(outcome, request.preferences)
            case _:
                return self._answers.write(outcome, request)


def _redirect(where: str) -> Response:
    # RFC 2169 §3.1: clients of HTTP/1.1 are sent a 303.
    return Response(HTTPStatus.SEE_OTHER, (("Location", where), *cache(FRESH_SECONDS), _VARY, *CORS))


def _write_list(outcome: UriList, preferences: Preferences) -> Response:
    headers: Headers = (_VARY, *cache(FRESH_SECONDS), *CORS)
    chosen = choose(Preferences(accept=preferences.accept), _FORMATS)
    uris = [_plain(uri) for uri in outcome.uris]
    if chosen is _FORMATS[1]:
        page = write_page("uris", name=str(outcome.identifier), uris=uris)
        return Response(HTTPStatus.OK, (*page_headers(), *headers), page)
    # RFC 2483 §5: one URI per line, after a comment with the requested identifier
    body = "".join(f"{line}\r\n" for line in (f"# {outcome.identifier}", *uris))
    form = (("Content-Type", URI_LIST), ("X-Content-Type-Options", "nosniff"))
    return Response(HTTPStatus.OK, (*form, *headers), body.encode("ascii"))


def _write_variants(outcome: Variants) -> Response:
    # RFC 2169 §3.4 requires multipart/alternative; RFC 2017: a part may name the address of its content.
    parts = [_part(form, _plain(uri)) for form, uri in outcome.forms]
    boundary = hashlib.sha256("".join(parts).encode()).hexdigest()[:32]
    written = "".join(
        f"--{boundary}\r\n{part.replace('<>', f'<{number}@{boundary}>')}\r\n"
        for number, part in enumerate(parts, start=1)
    )
    headers = (
        ("Content-Type", f'{MULTIPART}; boundary="{boundary}"'),
        ("X-Content-Type-Options", "nosniff"),
        _VARY,
        *cache(FRESH_SECONDS),
        *CORS,
    )
    return Response(HTTPStatus.OK, headers, f"{written}--{boundary}--\r\n".encode())


def _part(form: Representation, uri: str) -> str:
    # RFC 2046 §5.2.3: after an empty line, the header of the external body, with a Content-ID
    lines = [
        f'Content-Type: message/external-body; access-type=URL; URL="{uri}"',
        "",
        f"Content-Type: {form.media_type or 'application/octet-stream'}",
        "Content-ID: <>",
        *([f"Content-Language: {form.language}"] if form.language else ()),
        "",
    ]
    return "".join(f"{line}\r\n" for line in lines)


def _plain(uri: str) -> str:
    return quote(uri, _MARKS, errors="replace")


def _example(service: Service) -> str:
    return f"/{URI_RES}/{service}?{_EXAMPLE}"


def _advise(outcome: NoSuchService | NoName, preferences: Preferences) -> Response:
    match outcome:
        case NoSuchService(name):
            detail = message(
                "{name} is not a resolution service. Available services: {services}.",
                name=repr(name[:20]),
                services=", ".join(Service),
            )
            advice = [
                Advice(
                    "service",
                    message("{service}: {example}", service=Message(words), example=_example(service)),
                )
                for service, words in WORDS.items()
            ]
            status, seconds = HTTPStatus.NOT_FOUND, ABSENT_SECONDS
            problem = Problem("Unknown service", detail, advice)
        case NoName(service):
            detail = message(
                "Request {path} followed by an identifier, as in {example}.",
                path=f"/{URI_RES}/{service}?",
                example=_example(service),
            )
            status, seconds = HTTPStatus.BAD_REQUEST, FRESH_SECONDS
            problem = Problem("No identifier given", detail)
        case _:
            assert_never(outcome)
    return write_problem(status, problem, preferences, (*cache(seconds), _VARY, *CORS))
