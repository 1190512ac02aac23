"""The flow of a request for a path of the service itself: explanations, lookups, TimeMaps, files of pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ginuri.identifiers import Identifier
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.hosts import same_host
from ginuri.identifiers.service_paths import ASSETS, DOCS, EXPLAIN, OPENAPI, RESOLVE, timemap_path
from ginuri.registry.ports import ManyFinder
from ginuri.registry.rules.namespaces import normal_form_in
from ginuri.resolution.decision import Question, unknown_root
from ginuri.resolution.descriptions.paths import read_rest
from ginuri.resolution.explanations.alternatives import find_alternatives
from ginuri.resolution.explanations.explanation import Explanation, explain_decision
from ginuri.resolution.outcomes import (
    Choices,
    FallenBack,
    Malformed,
    NoSuchHost,
    NoSuchScheme,
    NotNormal,
    NotRegistered,
    WrittenOtherwise,
)
from ginuri.resolution.reserved_paths import is_reserved, reserve
from ginuri.resolution.resolve import Titles, name_fault, resolve
from ginuri.resolution.resolve_many import resolve_many
from ginuri.resolution.versions.versions import timeline_of
from ginuri.service.paths import TIMEMAPS
from ginuri.web.answers.assets import decide_asset
from ginuri.web.answers.guides import decide_guide
from ginuri.web.answers.interface import Interface
from ginuri.web.answers.services import ServiceOutcome
from ginuri.web.answers.timemaps import NoTimeMap, SeeTimeMap, TimeMap, TimeMapOfNormalForm
from ginuri.web.lookups import (
    Forward,
    Item,
    NoQuestion,
    ResolvedList,
    UnreadableList,
    read_list,
    read_text,
    read_trial,
    read_uri,
)
from ginuri.web.request import Request

_EXPLAIN, _RESOLVE, _OPENAPI = f"/{EXPLAIN}", f"/{RESOLVE}", f"/{OPENAPI}"


def decide_service(  # noqa: PLR0911  one line a path
    request: Request,
    finder: ManyFinder,
    canonical_host: str,
    make_titles: Callable[[], Titles] | None = None,
) -> ServiceOutcome:
    """Decide the outcome. Raises RegistryUnavailable."""
    if request.path == _RESOLVE:
        if request.method == "POST":
            return _look_up(request, finder, canonical_host)
        return _forward(request, finder, canonical_host)
    for beginning, extension in TIMEMAPS.items():
        if request.path.startswith(beginning):
            asked = _read(request.path[len(beginning) :], request)
            # All versions are listed, whatever the preferences of the request.
            question = Question(asked, request.moment, (request.host, canonical_host))
            return _list_versions(question, finder, extension)
    if request.path == _OPENAPI:
        return Interface()
    if request.path == f"/{DOCS}" or request.path.startswith(f"/{DOCS}/"):
        return decide_guide(request.path)
    if request.path.startswith(f"/{ASSETS}/"):
        return decide_asset(request.path)
    text = request.path.removeprefix(_EXPLAIN).removeprefix("/")
    if not text:
        return NoQuestion()
    return _explain(read_trial(_read(text, request), request, canonical_host), finder, make_titles)


def _read(text: str, request: Request) -> Identifier | MalformedIdentifier:
    try:
        return read_rest(text, request.host)
    except MalformedIdentifier as error:
        return error


def _forward(
    request: Request, finder: ManyFinder, canonical_host: str
) -> Forward | Malformed | NoSuchScheme | NoSuchHost | NoQuestion:
    """Redirect to the path of an identifier, if its scheme is known, and its host is registered or asked."""
    reading = read_uri(request.parameters)
    if isinstance(reading, NoQuestion):
        return reading
    identifier, hosts = reading.identifier, (request.host, canonical_host)
    if not isinstance(identifier, Identifier):
        return name_fault(identifier)
    if not identifier.scheme and any(same_host(identifier.host or "", host) for host in hosts):
        return Forward(identifier, reading.fragment, is_this_host=True)
    if identifier.is_bound or identifier.is_of_registered_scheme:
        found = finder.find(identifier, request.moment)
        if not found.has_registered_root:
            return unknown_root(found.identifier)
        if is_reserved(found, canonical_host):
            return reserve(found.identifier)
        identifier = normal_form_in(found) or found.identifier  # this saves one redirect
    return Forward(identifier, reading.fragment)


def _explain(question: Question, finder: ManyFinder, make_titles: Callable[[], Titles] | None) -> Explanation:
    resolution = resolve(question, finder, make_titles)
    if isinstance(question.identifier, Identifier):
        # An outcome that follows from the syntax alone is still explained with the surrounding records.
        found = resolution.found or finder.find(question.identifier, question.moment)
        resolution = resolution._replace(found=found)
        question = replace(question, identifier=found.identifier)
    alternatives = find_alternatives(question, resolution, lambda other: resolve(other, finder, make_titles))
    return explain_decision(question, resolution, alternatives)


def _list_versions(  # noqa: PLR0911  one case an outcome
    question: Question, finder: ManyFinder, extension: str | None
) -> (
    TimeMap
    | SeeTimeMap
    | TimeMapOfNormalForm
    | NoTimeMap
    | NotRegistered
    | Malformed
    | NoSuchScheme
    | NoSuchHost
):
    identifier = question.identifier
    if not isinstance(identifier, Identifier):
        return name_fault(identifier)
    decision, found, versioned, _ = resolve(question, finder)
    if found is not None and versioned is not None:
        timeline = timeline_of(versioned)
        if timeline.name == identifier.normal_form:
            return TimeMap(found, timeline, extension)
        return SeeTimeMap(timemap_path(timeline.name, extension=extension or ""))
    match decision:
        case NotNormal(meant):
            return TimeMapOfNormalForm(timemap_path(str(meant), extension=extension or ""))
        case WrittenOtherwise(target=target):
            return SeeTimeMap(timemap_path(target, extension=extension or ""))
        case Choices(found=found, targets=targets, is_registered=False):
            return NotRegistered(found, targets)
        case FallenBack(found=found):
            return NotRegistered(found)
        case NotRegistered() | NoSuchHost() | NoSuchScheme():
            return decision
        case _:
            return NoTimeMap(found.identifier if found else identifier)


def _look_up(request: Request, finder: ManyFinder, canonical_host: str) -> ResolvedList | UnreadableList:
    listed = read_list(request.body, request.headers.get("content-type", ""))
    if isinstance(listed, UnreadableList):
        return listed
    readings = [read_text(text) for text in listed]
    # Accept applies to the list, which is always JSON; the other preferences apply to its identifiers.
    preferences = replace(request.preferences, accept=None)
    hosts = (request.host, canonical_host)
    questions = [Question(reading.identifier, request.moment, hosts, preferences) for reading in readings]
    return ResolvedList(
        tuple(
            Item(text, decision, found, reading.fragment)
            for text, reading, (decision, found, *_) in zip(
                listed, readings, resolve_many(questions, finder), strict=True
            )
        )
    )
