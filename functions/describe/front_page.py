"""The flow of a request for `/`: the front page, or the description of the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from describe.descriptions import describe
from ginuri.descriptions.references import add_mentioned
from ginuri.resolution.description_decision import (
    FrontPage,
    Outcome,
    decide_front_page,
    prefers_front_page,
)
from ginuri.resolution.description_paths import name_asked, read_description_path
from ginuri.web.request import Request, refuse_method

if TYPE_CHECKING:
    from describe.flow import Collaborators
    from ginuri.web.response import Response


def decide_front(request: Request, using: Collaborators) -> FrontPage | Outcome:
    """Decide the outcome. Raises RegistryUnavailable."""
    if refuse_method(request) is not None or not prefers_front_page(request.preferences):
        return describe(request, using)
    identifier = name_asked(read_description_path(request.path), request.host, using.canonical_host)
    found = add_mentioned(using.finder.find(identifier), using.reader, using.canonical_host)
    return decide_front_page(identifier, found, request.preferences, using.canonical_host)


def write_front(outcome: FrontPage | Outcome, request: Request, using: Collaborators) -> Response:
    """Write the response to an outcome."""
    if not isinstance(outcome, FrontPage):
        return using.answers.write(outcome, request)
    # Requests for data must not load the code that writes a page.
    from ginuri.web.answers.front_page import write_front_page  # noqa: PLC0415  see above

    return write_front_page(outcome, using.read_figures())
