"""The flow of a request to one of the resolution services of RFC 2169."""

from __future__ import annotations

from dataclasses import replace

from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.service_paths import URI_RES
from ginuri.registry.ports import Finder
from ginuri.resolution.decision import Question
from ginuri.resolution.outcomes import Decision, NotNormal
from ginuri.resolution.resolve import resolve
from ginuri.urn_services.decision import Service, answer_service
from ginuri.urn_services.responses import NoName, NoSuchService, ResolutionOutcome
from ginuri.web.lookups import read_text
from ginuri.web.query import whole_query
from ginuri.web.request import Request

_URI_RES = f"/{URI_RES}/"
_NEGOTIATED = {Service.LOCATION, Service.RESOURCE}
"""The services for which `Accept` applies to the resource, not to a list."""


def decide_urn_service(request: Request, finder: Finder, canonical_host: str) -> ResolutionOutcome:
    """Decide the outcome. Raises RegistryUnavailable."""
    name = request.path.removeprefix(_URI_RES)
    if name not in [*Service]:
        return NoSuchService(name)
    service = Service(name)
    text = whole_query(request.query, is_as_sent=request.is_query_as_sent)
    if not text:
        return NoName(service)
    preferences = request.preferences if service in _NEGOTIATED else replace(request.preferences, accept=None)

    def look(identifier: Identifier | MalformedIdentifier) -> Decision:
        # The query is the identifier, so none is passed on.
        question = Question(identifier, request.moment, (request.host, canonical_host), preferences)
        decision = resolve(question, finder).decision
        if isinstance(decision, NotNormal):  # its namespace has another normal form
            return look(parse(str(decision.identifier)))
        return decision

    identifier = read_text(text).identifier
    if not isinstance(identifier, Identifier):
        return look(identifier)
    return answer_service(service, identifier, look, request.preferences, canonical_host)
