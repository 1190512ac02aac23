"""Outcome → HTTP response for requests for a description, with their status codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import assert_never

from ginuri.frozen import replace
from ginuri.i18n.translation import page_language
from ginuri.identifiers import parse_host
from ginuri.identifiers.messages import message
from ginuri.identifiers.service_paths import ERC, description_path, members_path
from ginuri.registry.locations import append_query
from ginuri.registry.model import Resource
from ginuri.resolution.descriptions.decision import (
    Describe,
    DescribeHolder,
    DescribeNormalForm,
    DescribeOtherSpelling,
    DrawQrCode,
    ListMembers,
    ListOrder,
    NoSuchForm,
    Outcome,
)
from ginuri.resolution.descriptions.formats import FORMATS, HTML, JSON_LD, LIST_FORMATS, Format, formats_of
from ginuri.resolution.descriptions.paths import address, read_description_path, read_list_path
from ginuri.resolution.links import ABOUT_PAGE, Link
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import (
    Malformed,
    MethodNotAllowed,
    NoSuchHost,
    NoSuchScheme,
    NotRegistered,
    Options,
    Unavailable,
)
from ginuri.web.answers.advice import explain
from ginuri.web.answers.problems import PROBLEM, Advice, Problem, write_problem
from ginuri.web.headers import (
    ABSENT_SECONDS,
    ALLOW,
    CORS,
    FRESH_SECONDS,
    PERMANENT_SECONDS,
    PREFLIGHT,
    cache,
    fresh_until,
)
from ginuri.web.links import MOST_BYTES, join_links
from ginuri.web.pages.frame import page_headers
from ginuri.web.request import Request, keep_language
from ginuri.web.response import LARGEST_BODY, LARGEST_HEADERS, Headers, Response

_SVG: Headers = (("Content-Type", "image/svg+xml"), ("X-Content-Type-Options", "nosniff"))
_VARY = ("Vary", "Accept, Accept-Language")
_VARY_OF_PAGE = ("Vary", "Accept-Language")
# draft-kunze-ark-42, "Overview of The HTTP URL Mapping Protocol (THUMP)": its version, and the status
_THUMP = ("THUMP-Status", "0.6 200 OK")

Unanswered = (
    NoSuchForm | NotRegistered | NoSuchScheme | NoSuchHost | Malformed | MethodNotAllowed | Unavailable
)


class DescriptionResponses:
    """Writes responses; `write_document` writes a description in its format, or a QR code."""

    def __init__(self, write_document: Callable[[Describe | DrawQrCode], bytes]) -> None:
        self._write_document = write_document

    def write(self, outcome: Outcome, request: Request) -> Response:  # noqa: PLR0911  one case an outcome
        """Write the response to an outcome."""
        match outcome:
            case Describe():
                return self._write_fitting(outcome, request)
            case DrawQrCode():
                # The URI in the code changes only with the authority's first trusted host.
                headers = (*_SVG, *cache(PERMANENT_SECONDS), *CORS)
                return Response(HTTPStatus.OK, headers, self._write_document(outcome))
            case DescribeNormalForm(where):
                return _redirect(HTTPStatus.MOVED_PERMANENTLY, _with_query(where, request), PERMANENT_SECONDS)
            case DescribeHolder(where):
                return _redirect(HTTPStatus.SEE_OTHER, keep_language(where, request), FRESH_SECONDS)
            case DescribeOtherSpelling(where):
                return _redirect(HTTPStatus.FOUND, _with_query(where, request), ABSENT_SECONDS)
            case Options():
                return Response(HTTPStatus.NO_CONTENT, PREFLIGHT)
            case _:  # mypy checks that these are the unanswered ones
                return _advise(outcome, request)

    def _write_fitting(self, outcome: Describe, request: Request) -> Response:
        """Write a description or a list; a list of members that is too large ends earlier."""
        body = self._write_document(outcome)
        while len(body) > LARGEST_BODY and (number := len(outcome.listing.names)) > 1:
            # Estimated by mean size, at most half: the first members may be the largest.
            kept = max(1, min(number // 2, number * LARGEST_BODY // len(body)))
            outcome = replace(outcome, listing=outcome.listing.end_after(kept))
            if isinstance(outcome, ListMembers):  # only a complete list may have another order
                outcome = replace(outcome, order=ListOrder.IDENTIFIER)
            body = self._write_document(outcome)
        return Response(HTTPStatus.OK, _headers(outcome, request), body)


def _headers(outcome: Describe, request: Request) -> Headers:
    extension = outcome.extension
    if isinstance(outcome, ListMembers):
        form, here, links = LIST_FORMATS[extension], _list_path(outcome, extension), _list_links(outcome)
    else:
        form, here, links = FORMATS[extension], address(outcome.identifier, extension), _links(outcome)
    varying: Headers = (_VARY_OF_PAGE,) if extension == HTML else ()
    if outcome.negotiated:
        # RFC 9110 §8.7: a GET of this address gets the same content, hence also the same language.
        varying = (_VARY, ("Content-Location", keep_language(here, request)))
    headers = (
        *_format_headers(outcome, form),
        *varying,
        *cache(fresh_until(outcome.record.until, request.moment)),
        *CORS,
    )
    # As many links as the other headers leave room for
    used = sum(len(name) + len(value) for name, value in headers) + len("Link")
    return (("Link", join_links(links, min(MOST_BYTES, LARGEST_HEADERS - used))), *headers)


def _format_headers(outcome: Describe, form: Format) -> Headers:
    if form.extension == HTML:
        return page_headers(page_language(outcome.languages))
    media_type = ("Content-Type", f"{form.media_type}{form.parameters}")
    headers: Headers = (media_type, ("X-Content-Type-Options", "nosniff"))
    if form.extension == ERC:
        return (*headers, _THUMP)
    if form.is_citation:
        # Browsers and reference managers open a download by the extension of its name.
        name = re.sub(r"[^A-Za-z0-9._-]", "-", outcome.identifier.normal_form.rstrip("/").rpartition("/")[2])
        return (*headers, ("Content-Disposition", f'attachment; filename="{name}.{form.extension}"'))
    return headers


def _list_path(outcome: ListMembers, extension: str) -> str:
    name = outcome.identifier.normal_form
    return members_path(name, extension=extension, after=outcome.listing.after, sort=outcome.order)


def _list_links(outcome: ListMembers) -> list[Link]:
    name, after = outcome.identifier.normal_form, outcome.listing.next_cursor
    # A client whose path names the format keeps that format on every page of the list.
    fixed = "" if outcome.negotiated else outcome.extension
    return [
        *([] if after is None else [Link("next", members_path(name, extension=fixed, after=after))]),
        Link("first", members_path(name, extension=fixed)),
        Link("up", description_path(name)),
        *(
            Link("alternate", _list_path(outcome, other), form.media_type)
            for other, form in LIST_FORMATS.items()
            if other != outcome.extension
        ),
    ]


def _links(outcome: Describe) -> list[Link]:
    # RFC 6892: a description is a separate resource with its own canonical address.
    uri, name = outcome.uri, outcome.identifier
    # https://signposting.org/FAIR/#level1: a landing page names its metadata by type.
    metadata = Link("describedby", address(name, JSON_LD), FORMATS[JSON_LD].media_type)
    return [
        Link("describes", uri),
        Link("cite-as", uri),
        Link("canonical", f"http://{outcome.canonical_host}{address(name)}"),
        *([Link("type", ABOUT_PAGE), metadata] if outcome.extension == HTML else ()),
        *_link_neighbours(outcome),
        *(
            Link("linkset" if form.is_linkset else "alternate", address(name, extension), form.media_type)
            for extension, form in formats_of(outcome.record).items()
            if extension != outcome.extension
        ),
    ]


def _link_neighbours(outcome: Describe) -> Iterator[Link]:
    """Yield the links to the parent, the collection and the list of members."""
    if outcome.identifier != parse_host(outcome.canonical_host):
        yield Link("up", outcome.above)
    if isinstance(outcome.record, Resource) and outcome.record.part_of:
        yield Link("collection", description_path(outcome.record.part_of))
    if outcome.listing.names:
        # HTML 4.01 §6.12, as IANA registers it: a table of contents
        yield Link("contents", members_path(outcome.identifier.normal_form))


def _with_query(where: str, request: Request) -> str:
    return append_query(where, request.query) if request.query and "?" not in where else where


def _redirect(status: HTTPStatus, where: str, seconds: int) -> Response:
    return Response(status, (("Location", where), *cache(seconds), *CORS))


def _advise(outcome: Unanswered, request: Request) -> Response:
    headers: Headers = ()
    seconds = FRESH_SECONDS
    fixed = (read_list_path(request.path) or read_description_path(request.path)).extension
    match outcome:
        case NoSuchForm() if fixed is None:
            status = HTTPStatus.NOT_ACCEPTABLE
        case NoSuchForm() | NotRegistered() | NoSuchScheme() | NoSuchHost():
            status, seconds = HTTPStatus.NOT_FOUND, ABSENT_SECONDS
        case Malformed():
            status = HTTPStatus.BAD_REQUEST
        case MethodNotAllowed():
            status, headers = HTTPStatus.METHOD_NOT_ALLOWED, (("Allow", ALLOW),)
        case Unavailable(retry_after):
            status, seconds = HTTPStatus.SERVICE_UNAVAILABLE, 0
            headers = (("Retry-After", str(retry_after)),)
        case _:
            assert_never(outcome)
    problem = _list_forms(outcome) if isinstance(outcome, NoSuchForm) else explain(outcome)
    varies = {None: (_VARY,), HTML: (_VARY_OF_PAGE,)}.get(fixed, ())
    headers = (*cache(seconds), *headers, *varies, *CORS)
    return write_problem(status, problem, _preferences(request, fixed), headers)


def _list_forms(outcome: NoSuchForm) -> Problem:
    return Problem(
        "Not available in this format",
        "This description is not available in a format that was requested.",
        tuple(
            Advice(
                "alternate",
                message("{media_type}", media_type=form.media_type),
                address(outcome.identifier, extension),
                form.media_type,
            )
            for extension, form in formats_of(outcome.record).items()
        ),
    )


def _preferences(request: Request, fixed: str | None) -> Preferences:
    # A path that names the format also fixes the format of the advice: HTML for a page, else JSON.
    if fixed is None:
        return request.preferences
    return Preferences("text/html" if fixed == HTML else PROBLEM, request.preferences.accept_language)
