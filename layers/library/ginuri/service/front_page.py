"""The flow of a request for `/`: the front page, or the description of the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginuri.descriptions.references import add_mentioned
from ginuri.registry.moments import RecordsAt
from ginuri.resolution.descriptions.decision import (
    FrontPage,
    Outcome,
    decide_front_page,
    prefers_front_page,
)
from ginuri.resolution.descriptions.paths import name_asked, read_description_path
from ginuri.service.descriptions import describe
from ginuri.web.request import Request

if TYPE_CHECKING:
    from ginuri.service.describe import Collaborators
    from ginuri.web.response import Response


def decide_front(request: Request, using: Collaborators) -> FrontPage | Outcome:
    """Decide the outcome. Raises RegistryUnavailable."""
    if not prefers_front_page(request.preferences):
        return describe(request, using)
    identifier = name_asked(read_description_path(request.path), request.host, using.canonical_host)
    found = using.finder.find(identifier, request.moment)
    found = add_mentioned(found, RecordsAt(using.reader, request.moment), using.canonical_host)
    return decide_front_page(identifier, found, request.preferences, using.canonical_host)


def write_front(outcome: FrontPage | Outcome, request: Request, using: Collaborators) -> Response:
    """Write the response to an outcome."""
    if not isinstance(outcome, FrontPage):
        return using.answers.write(outcome, request)
    from ginuri.web.answers.front_page import write_front_page

    is_empty = using.is_empty is not None and using.is_empty()
    return write_front_page(outcome, using.read_figures(), is_empty=is_empty)
