"""Paths of the service on a host without pages: names of that host, else the same page on the canonical host.

Such a request reaches the flow of descriptions, as a front door routes by the path alone. Other hosts need no
further call: the canonical one is not looked up, and the record of any other host comes in the call that
reads the identifier of the request.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from ginuri.identifiers import Identifier, parse_host
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.service_paths import (
    ABOUT,
    EXPLAIN,
    KEPT_NAMES,
    MEMBERS,
    QR_CODE,
    RESOLVE,
    TIMEMAP,
    URI_RES,
    description_path,
)
from ginuri.registry.locations import append_query
from ginuri.resolution.descriptions.paths import read_rest
from ginuri.resolution.outcomes import FallenBack, Malformed, NoSuchHost, NoSuchScheme, NotRegistered
from ginuri.resolution.reserved_paths import gives_up_paths
from ginuri.service.paths import POSTED
from ginuri.web.headers import ABSENT_SECONDS, CORS, FRESH_SECONDS, cache
from ginuri.web.response import Answered, Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from ginuri.registry.model import Registered
    from ginuri.service.describe import Collaborators
    from ginuri.web.request import Request

_READ = frozenset({"GET", "HEAD"})
_WITH_IDENTIFIERS = frozenset(name.partition(".")[0] for name in (ABOUT, EXPLAIN, MEMBERS, QR_CODE, TIMEMAP))
"""The paths that an identifier follows; one without a scheme is bound to the requested host."""
_Unanswered = NotRegistered | Malformed | NoSuchHost | NoSuchScheme


@dataclass(frozen=True, slots=True)
class SeeCanonicalHost:
    """The page is on the canonical host."""

    path: str


def answer_as_name(
    request: Request, using: Collaborators, identify: Callable[[Request], Answered]
) -> Answered | None:
    """Answer a path of the service on a host without pages; None on a host that has them.

    `identify` answers a path as an identifier. Raises RegistryUnavailable.
    """
    name, _, rest = request.path[1:].partition("/")
    is_read = request.method in _READ
    if name.partition(".")[0] in KEPT_NAMES or not (is_read or request.path in POSTED):
        return None
    if not gives_up_paths(_find_host(request, rest, using), using.canonical_host):
        return None
    if not name:
        described = description_path(parse_host(request.host).normal_form)
        return _lead(HTTPStatus.SEE_OTHER, described, FRESH_SECONDS, request, using)
    if is_read:
        answered = identify(request)
        # The other server has no pages of this service.
        is_page = isinstance(answered.outcome, FallenBack) and _is_with_scheme(name, rest)
        if not (is_page or isinstance(answered.outcome, _Unanswered)):
            return answered
    path = _write_elsewhere(name, rest, request)
    path = append_query(path, request.query) if request.query else path
    return _lead(HTTPStatus.TEMPORARY_REDIRECT, path, ABSENT_SECONDS, request, using)


def _find_host(request: Request, rest: str, using: Collaborators) -> Registered | None:
    """Return the record of the requested host, and read the identifier of the request in the same call."""
    try:
        host = parse_host(request.host)
    except MalformedIdentifier:
        return None
    asked = _read(_sought(request, rest), request.host)
    if not asked:
        return using.finder.find(host, request.moment, host).record
    return using.finder.find_many([host, *asked], request.moment)[0].record


def _sought(request: Request, rest: str) -> str:
    if request.path == f"/{RESOLVE}":
        return request.parameters.get("uri", "")
    return request.query if request.path.startswith(f"/{URI_RES}/") else rest


def _read(text: str, host: str) -> list[Identifier]:
    try:
        return [read_rest(text, host)] if text else []
    except MalformedIdentifier:
        return []


def _is_with_scheme(name: str, rest: str) -> bool:
    """Return whether a path is that of a page about an identifier that is written with its scheme."""
    if name.partition(".")[0] not in _WITH_IDENTIFIERS:
        return False
    return any(not identifier.is_of_registered_scheme for identifier in _read(rest, ""))


def _write_elsewhere(name: str, rest: str, request: Request) -> str:
    """Return the path of the same page on another host; a name that is bound to this one is a whole URI."""
    kind = name.partition(".")[0]
    is_bound = rest != "" and kind in _WITH_IDENTIFIERS and not _is_with_scheme(name, rest)
    is_about_host = rest == "" and kind == ABOUT
    return f"/{name}/http://{request.host}/{rest}" if is_bound or is_about_host else request.path


def _lead(status: HTTPStatus, path: str, seconds: int, request: Request, using: Collaborators) -> Answered:
    where = request.complete(f"//{using.canonical_host}{path}")
    return Answered(SeeCanonicalHost(path), Response(status, (("Location", where), *cache(seconds), *CORS)))
