"""The way of a request, on one screen: event → request → identifier → records → outcome → response."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from describe.publications import Published, PublishedOutcome, answer_published, is_published
from describe.resolution import decide_resolution, is_resolution
from describe.services import decide_service, is_service
from ginuri.descriptions.references import add_mentioned
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier, RegistryUnavailable, UnknownScheme
from ginuri.identifiers.service_paths import members_path
from ginuri.registry.lists.listing import ListReader
from ginuri.registry.ports import ManyFinder, MemberLister, Reader, StampReader
from ginuri.resolution.description_decision import (
    Describe,
    DescribeNormalForm,
    GiveList,
    Outcome,
    decide_description,
    decide_list,
    speak,
    tell_uploads,
)
from ginuri.resolution.description_paths import (
    Asked,
    address,
    name_asked,
    read_description_path,
    read_list_path,
)
from ginuri.resolution.outcomes import Malformed, MethodNotAllowed, NoSuchScheme, Options, Unavailable
from ginuri.web.answers.descriptions import DescriptionAnswers
from ginuri.web.answers.services import ServiceAnswers, ServiceOutcome
from ginuri.web.answers.urn_services import ResolutionAnswers, ResolutionOutcome
from ginuri.web.headers import guard_caches
from ginuri.web.request import Request, read_request
from ginuri.web.response import Response
from ginuri.web.validators import add_validators


@dataclass(frozen=True, slots=True)
class Collaborators:
    """What answering needs.

    `canonical_host` is the host that identifiers are cited with, `edge_secret` that of `read_request`;
    without `published`, nothing is known of what a job publishes, and without `stamps` not which uploads a
    record comes from.
    """

    finder: ManyFinder
    reader: Reader
    lister: MemberLister
    answers: DescriptionAnswers
    services: ServiceAnswers
    canonical_host: str
    edge_secret: str | None = None
    published: Published | None = None
    stamps: StampReader | None = None


AnyOutcome = Outcome | ServiceOutcome | PublishedOutcome | ResolutionOutcome


@dataclass(frozen=True, slots=True)
class Answered:
    """A request, what was decided and what is sent: all that a log line tells about."""

    request: Request
    outcome: AnyOutcome
    response: Response


def answer(event: Mapping[str, Any], using: Collaborators) -> Answered:
    """Answer one request, whatever it is."""
    request = read_request(event, using.edge_secret)
    outcome, response = _answer(request, using)
    return Answered(request, outcome, guard_caches(add_validators(response, request), request.headers))


def _answer(request: Request, using: Collaborators) -> tuple[AnyOutcome, Response]:
    if using.published is not None and is_published(request.path):
        return answer_published(request, using.published, using.services)
    if is_resolution(request.path):
        resolved = decide_resolution(request, using.finder, using.canonical_host)
        return resolved, ResolutionAnswers(using.canonical_host).write(resolved, request)
    if is_service(request.path):
        return _serve(request, using)
    try:
        outcome = _decide(request, using)
    except RegistryUnavailable as error:
        outcome = Unavailable(error.retry_after)
    return outcome, using.answers.write(outcome, request)


def _serve(request: Request, using: Collaborators) -> tuple[AnyOutcome, Response]:
    try:
        outcome = decide_service(request, using.finder, using.canonical_host)
    except RegistryUnavailable as error:
        outcome = Unavailable(error.retry_after)
    return outcome, using.services.write(outcome, request)


def _decide(request: Request, using: Collaborators) -> Outcome:
    if request.method == "OPTIONS":
        return Options()
    if request.method not in {"GET", "HEAD"}:
        return MethodNotAllowed(request.method)
    listed = read_list_path(request.path)
    asked = listed or read_description_path(request.path)
    try:
        identifier = name_asked(asked, request.host, using.canonical_host)
    except UnknownScheme as error:
        return NoSuchScheme(error)
    except MalformedIdentifier as error:
        return Malformed(error)
    if listed:
        return _list(request, listed, identifier, using)
    return _describe(request, asked, identifier, using)


def _describe(request: Request, asked: Asked, identifier: Identifier, using: Collaborators) -> Outcome:
    if not identifier.is_normal:
        return DescribeNormalForm(address(identifier, asked.extension))
    found = using.finder.find(identifier)
    found = add_mentioned(found, using.reader, using.canonical_host)
    outcome = decide_description(asked, identifier, found, request.preferences, using.canonical_host)
    if not isinstance(outcome, Describe):
        return outcome
    if using.stamps is not None:
        outcome = tell_uploads(outcome, using.stamps)
    listing = ListReader(using.lister, using.reader).show(outcome.record, found)
    return replace(speak(outcome, request.preferences), host=request.host, listing=listing)


def _list(request: Request, asked: Asked, identifier: Identifier, using: Collaborators) -> Outcome:
    after = request.parameters.get("after", "")
    try:  # only an identifier can be where a page ends; the index would refuse some other texts
        cursor = parse(after).normal_form if after else ""
    except MalformedIdentifier as error:
        return Malformed(error)
    if not identifier.is_normal:
        return DescribeNormalForm(
            members_path(str(identifier), extension=asked.extension or "", after=cursor)
        )
    found = using.finder.find(identifier)
    outcome = decide_list(asked, identifier, found, request.preferences, using.canonical_host)
    if not isinstance(outcome, GiveList):
        return outcome
    listing = ListReader(using.lister, using.reader).page(outcome.record, found, cursor)
    return replace(speak(outcome, request.preferences), listing=listing)
