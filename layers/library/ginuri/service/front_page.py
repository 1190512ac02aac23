"""The flow of a request for `/`: the front page, or the description of the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginuri.descriptions.references import add_mentioned
from ginuri.frozen import replace
from ginuri.registry.model import Host
from ginuri.registry.moments import RecordsAt
from ginuri.registry.ports import Found
from ginuri.resolution.descriptions.decision import (
    FrontPage,
    Outcome,
    decide_front_page,
    feature,
    prefers_front_page,
)
from ginuri.resolution.descriptions.paths import name_asked, read_description_path
from ginuri.resolution.query_arguments import read_arguments
from ginuri.service.descriptions import describe
from ginuri.web.request import Request, ask_about

if TYPE_CHECKING:
    from ginuri.identifiers import Identifier
    from ginuri.service.describe import Collaborators
    from ginuri.web.response import Response


def decide_front(request: Request, using: Collaborators) -> FrontPage | Outcome:
    """Decide the outcome. Raises RegistryUnavailable."""
    identifier = name_asked(read_description_path(request.path), request.host, using.canonical_host)
    if request.query:
        request = _prefer(identifier, request, using)
    if not prefers_front_page(request.preferences):
        return describe(request, using)
    found = using.finder.find(identifier, request.moment)
    reader = RecordsAt(using.reader, request.moment)
    found = add_mentioned(found, reader, using.canonical_host)
    outcome = decide_front_page(identifier, found, request.preferences, using.canonical_host)
    if outcome.record is not found.record and isinstance(outcome.record, Host) and outcome.record.featured:
        # The page of another host: its examples were not mentioned by the requested one.
        found = add_mentioned(Found(outcome.identifier, found.records), reader, using.canonical_host)
    return feature(outcome, found)


def _prefer(identifier: Identifier, request: Request, using: Collaborators) -> Request:
    """Replace the preferences of a request by those that the query arguments of the host state."""
    found = using.finder.find(identifier, request.moment)
    question = ask_about(identifier, request, using.canonical_host)
    stated = read_arguments(question, found.query_arguments)
    return request if stated is None else replace(request, preferences=stated.question.preferences)


def write_front(outcome: FrontPage | Outcome, request: Request, using: Collaborators) -> Response:
    """Write the response to an outcome."""
    if not isinstance(outcome, FrontPage):
        return using.answers.write(outcome, request)
    from ginuri.web.answers.front_page import write_front_page

    is_empty = using.is_empty is not None and using.is_empty()
    return write_front_page(outcome, using.read_figures(), is_empty=is_empty)
