"""The way of a request to one of the resolution services of RFC 2169."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from describe.deciding import decide_whole
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.service_paths import URI_RES
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.ports import Finder
from ginuri.resolution.outcomes import (
    Decision,
    MethodNotAllowed,
    NotNormal,
    Options,
    Unavailable,
)
from ginuri.resolution.urn_services import Service, resolve
from ginuri.web.answers.urn_services import NoName, NoSuchService, ResolutionOutcome
from ginuri.web.lookups import Forward, read_text
from ginuri.web.query import whole_query
from ginuri.web.request import Request

_URI_RES = f"/{URI_RES}/"
_NEGOTIATED = {Service.LOCATION, Service.RESOURCE}
"""Where `Accept` speaks of the resource, not of a list."""


def is_resolution(path: str) -> bool:
    """Tell whether a path is answered here."""
    return path.startswith(_URI_RES)


def decide_resolution(
    request: Request, finder: Finder, canonical_host: str, clock: Clock = utc_now
) -> ResolutionOutcome:
    """Decide what to answer."""
    if request.method == "OPTIONS":
        return Options()
    if request.method not in {"GET", "HEAD"}:
        return MethodNotAllowed(request.method)
    try:
        return _decide(request, finder, canonical_host, clock)
    except RegistryUnavailable as error:
        return Unavailable(error.retry_after)


def _decide(request: Request, finder: Finder, canonical_host: str, clock: Clock) -> ResolutionOutcome:
    name = request.path.removeprefix(_URI_RES)
    if name not in [*Service]:
        return NoSuchService(name)
    service = Service(name)
    text = whole_query(request.query, is_as_sent=request.is_query_as_sent)
    if not text:
        return NoName(service)
    asked = read_text(text)
    if not isinstance(asked, Forward):
        return asked
    look = _looking(request, finder, canonical_host, clock, heeds_accept=service in _NEGOTIATED)
    return resolve(service, asked.identifier, look, request.preferences, canonical_host)


def _looking(
    request: Request, finder: Finder, canonical_host: str, clock: Clock, *, heeds_accept: bool
) -> Callable[[Identifier], Decision]:
    preferences = request.preferences if heeds_accept else replace(request.preferences, accept=None)

    def look(identifier: Identifier) -> Decision:
        ours = (request.host, canonical_host)  # and no query: that is the name itself
        decision = decide_whole(finder.find(identifier), finder, preferences, clock, ours=ours)
        if isinstance(decision, NotNormal):  # its namespace writes it otherwise
            return look(parse(str(decision.identifier)))
        return decision

    return look
