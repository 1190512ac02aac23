"""The way of a request for one of the service's own paths: an explanation, a look-up, the interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from describe.deciding import decide_whole
from ginuri.identifiers import parse, unknown_scheme
from ginuri.identifiers.errors import MalformedIdentifier, UnknownScheme
from ginuri.identifiers.hosts import same_host
from ginuri.identifiers.service_paths import EXPLAIN, OPENAPI, RESOLVE, TIMEMAP_TYPES, timemap_path
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.ports import Found, ManyFinder
from ginuri.resolution.decision import decide, reconsider
from ginuri.resolution.description_paths import read_rest
from ginuri.resolution.explanation import Explanation, explain_decision
from ginuri.resolution.outcomes import (
    Decision,
    Malformed,
    MethodNotAllowed,
    NoSuchScheme,
    NotNormal,
    NotRegistered,
    Options,
    Versioned,
    WrittenOtherwise,
)
from ginuri.resolution.versions.versions import decide_version, timeline_of
from ginuri.web.answers.interface import Interface
from ginuri.web.answers.services import ServiceOutcome
from ginuri.web.answers.timemaps import NoTimeMap, SeeTimeMap, TimeMap, TimeMapOfNormalForm
from ginuri.web.lookups import (
    Forward,
    Item,
    Listed,
    NoQuestion,
    UnreadableList,
    read_list,
    read_text,
    read_uri,
)
from ginuri.web.request import Request

_EXPLAIN, _RESOLVE, _OPENAPI = f"/{EXPLAIN}", f"/{RESOLVE}", f"/{OPENAPI}"
_TIMEMAPS = {timemap_path("", extension=it): it or None for it in ("", *TIMEMAP_TYPES)}


def is_service(path: str) -> bool:
    """Tell whether a path is one of the service's own, other than a description's."""
    return path in {_EXPLAIN, _RESOLVE, _OPENAPI} or path.startswith((f"{_EXPLAIN}/", *_TIMEMAPS))


def decide_service(
    request: Request, finder: ManyFinder, canonical_host: str, clock: Clock = utc_now
) -> ServiceOutcome:
    """Decide what to answer. Raises RegistryUnavailable."""
    if request.method == "OPTIONS":
        return Options()
    if request.method == "POST" and request.path == _RESOLVE:
        return _look_up(request, finder, canonical_host, clock)
    if request.method not in {"GET", "HEAD"}:
        return MethodNotAllowed(request.method)
    if request.path == _RESOLVE:
        return _forward(read_uri(request.parameters), finder, (request.host, canonical_host))
    for beginning, extension in _TIMEMAPS.items():
        if request.path.startswith(beginning):
            return _list_versions(
                request, request.path[len(beginning) - 1 :], extension, finder, canonical_host
            )
    return Interface() if request.path == _OPENAPI else _explain(request, finder, canonical_host, clock)


def _forward(
    asked: Forward | Malformed | NoSuchScheme | NoQuestion, finder: ManyFinder, ours: Sequence[str]
) -> Forward | Malformed | NoSuchScheme | NoQuestion | NotRegistered:
    """Lead to a host, and to what is bound to one, only where that host is registered or was asked itself."""
    if not isinstance(asked, Forward) or not asked.identifier.is_bound:
        return asked
    host = parse(asked.identifier.root)
    if asked.identifier == host and any(same_host(host.host or "", each) for each in ours):
        return replace(asked, is_this_host=True)
    if finder.find(host).has_registered_host:
        return asked
    return NotRegistered(Found(asked.identifier))


def _explain(
    request: Request, finder: ManyFinder, canonical_host: str, clock: Clock
) -> Explanation | Malformed | NoSuchScheme | NotRegistered | NoQuestion:
    path = request.path.removeprefix(_EXPLAIN)
    if path in {"", "/"}:
        return NoQuestion()
    found = _find(path, request.host, finder)
    if not isinstance(found, Found):
        return found
    ours = (request.host, canonical_host)
    decision = decide_whole(found, finder, request.preferences, clock, ours=ours, query=request.query)
    return explain_decision(found, request.preferences, request.host, decision)


def _find(path: str, host: str, finder: ManyFinder) -> Found | Malformed | NoSuchScheme | NotRegistered:
    try:
        identifier = read_rest(path[1:], host)
    except UnknownScheme as error:
        return NoSuchScheme(error)
    except MalformedIdentifier as error:
        return Malformed(error)
    found = finder.find(identifier)
    if found.has_registered_host or not identifier.scheme:
        return found
    if identifier.host != host:  # its whole URI was given
        return NotRegistered(found)
    return NoSuchScheme(unknown_scheme(identifier.normal_form.removeprefix(identifier.root)))


def _list_versions(
    request: Request, path: str, extension: str | None, finder: ManyFinder, canonical_host: str
) -> TimeMap | SeeTimeMap | TimeMapOfNormalForm | NoTimeMap | NotRegistered | Malformed | NoSuchScheme:
    found = _find(path, request.host, finder)
    if not isinstance(found, Found):
        return found
    decision = decide(found, ours=(request.host, canonical_host))
    if isinstance(decision, NotNormal):
        return TimeMapOfNormalForm(timemap_path(str(decision.identifier), extension=extension or ""))
    if isinstance(decision, NotRegistered):
        return _find_versions(decision, extension, finder)
    if not isinstance(decision, Versioned):
        return NoTimeMap(found)
    timeline = timeline_of(decision)
    if timeline.name != found.identifier.normal_form:
        return SeeTimeMap(timemap_path(timeline.name, extension=extension or ""))
    return TimeMap(found, timeline, extension)


def _find_versions(
    decision: NotRegistered, extension: str | None, finder: ManyFinder
) -> SeeTimeMap | NotRegistered:
    """Lead to the list of what is registered in another writing, where that is one."""
    found = decision.found
    near = finder.near(found.identifier) if found.has_registered_host else ()
    other = reconsider(decision, near)
    if isinstance(other, WrittenOtherwise):
        return SeeTimeMap(timemap_path(other.target, extension=extension or ""))
    return NotRegistered(found, tuple(near))


def _look_up(
    request: Request, finder: ManyFinder, canonical_host: str, clock: Clock
) -> Listed | UnreadableList:
    listed = read_list(request.body)
    if isinstance(listed, UnreadableList):
        return listed
    asked = [read_text(text) for text in listed]
    identifiers = {str(each.identifier): each.identifier for each in asked if isinstance(each, Forward)}
    found = dict(zip(identifiers, finder.find_many(tuple(identifiers.values())), strict=True))
    decisions = _decide_all(found, request, finder, canonical_host, clock)
    items = []
    for text, each in zip(listed, asked, strict=True):
        if isinstance(each, Forward):
            name = str(each.identifier)
            items.append(Item(text, decisions[name], found[name], each.fragment))
        else:
            items.append(Item(text, each))
    return Listed(tuple(items))


def _decide_all(
    found: Mapping[str, Found], request: Request, finder: ManyFinder, canonical_host: str, clock: Clock
) -> Mapping[str, Decision]:
    # Accept speaks of the list, which is always JSON; the other preferences can only mean what is listed.
    preferences = replace(request.preferences, accept=None)
    decisions: dict[str, Decision] = {}
    for name, it in found.items():
        decision = decide(it, preferences, ours=(request.host, canonical_host))
        if isinstance(decision, Versioned):
            decision = decide_version(decision, preferences, clock())
        decisions[name] = decision
    lost = {
        name: it
        for name, it in decisions.items()
        if isinstance(it, NotRegistered) and it.found.has_registered_host
    }
    # An index cannot be read in batches: a call for each, a hundred at most and several at once, is what it
    # costs never to call unknown what a GET leads to.
    near = finder.near_many([it.found.identifier for it in lost.values()])
    return decisions | dict(zip(lost, map(reconsider, lost.values(), near), strict=True))
