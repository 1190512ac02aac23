"""Answers the requests below `/api`: authenticates the caller, chooses the route, waits for a report.

`resolver.py` has the routes; waiting for a report is here, so that one request does not wait for another.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from ginuri.api.authentication import authenticate, refuse_secret_in_address
from ginuri.api.exchanges import MOST_WAIT, PATCHES, Exchange
from ginuri.api.log_line import Outcome
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import PRIVATE, Kind, Problem, write_problem
from ginuri.api.resolver import Routes
from ginuri.api.waiting import finish
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.loopback import is_loopback
from ginuri.identifiers.messages import message
from ginuri.identifiers.service_paths import API
from ginuri.web.events import FIELDS as USUAL_FIELDS
from ginuri.web.events import STEWARDS_FIELDS
from ginuri.web.request import Request
from ginuri.web.response import Response

FIELDS = USUAL_FIELDS | STEWARDS_FIELDS
"""The header fields that answers depend on."""
EDGE_DOMAIN = ".cloudfront.net"
"""The domain of the edge's own name, by which a stack is reached before its host points to it."""


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """An answer, and what became of the request, for the log."""

    outcome: Outcome
    response: Response


class Api:
    """The interface for stewards of one registry. Several threads may use it."""

    def __init__(self, using: ApiCollaborators) -> None:
        self._using = using
        self._routes = Routes(using)

    def answer(self, request: Request) -> ApiAnswer:
        """Answer a request to a path below `/api`."""
        outcome = Outcome()
        try:
            response = self._answer(request, outcome)
        except Problem as problem:
            response = self._refuse(problem, request, outcome)
        except RegistryUnavailable as error:
            retry = (("Retry-After", str(error.retry_after)),)
            response = self._refuse(Problem(Kind.UNAVAILABLE, error.words, headers=retry), request, outcome)
        return ApiAnswer(outcome, response)

    def _refuse(self, problem: Problem, request: Request, outcome: Outcome) -> Response:
        outcome.name = problem.kind.slug
        return write_problem(problem, request.preferences.accept_language)

    def _answer(self, request: Request, outcome: Outcome) -> Response:
        refuse_secret_in_address(request)
        self._check_host(request.host.lower())
        allowed = self._routes.methods_of(request.path)
        if request.method == "OPTIONS" and allowed:
            patches = (("Accept-Patch", PATCHES),) if "PATCH" in allowed else ()
            return Response(HTTPStatus.NO_CONTENT, (("Allow", ", ".join(allowed)), *patches, *PRIVATE))
        caller = authenticate(request, self._using.tokens, self._using.read_grants)
        outcome.principal, outcome.token = caller.token.owner, caller.token.id
        if not allowed:
            raise Problem(
                Kind.NOT_FOUND, message("The interface has no path {path}.", path=repr(request.path))
            )
        if request.method not in allowed:
            methods = ", ".join(allowed)
            raise Problem(
                Kind.METHOD,
                message("This path answers {methods}.", methods=methods),
                headers=(("Allow", methods),),
            )
        if request.headers.get("content-encoding", "").lower() not in {"", "identity"}:
            raise Problem(
                Kind.MEDIA_TYPE,
                message("Send the body as it is, without {header}.", header="Content-Encoding"),
                headers=(("Accept-Encoding", "identity"),),
            )
        exchange = Exchange(request, caller)
        response = self._routes.answer(exchange)
        if exchange.pending is None:
            return response
        is_minting = request.path == f"/{API}/identifiers"
        return finish(exchange, self._using, MOST_WAIT if is_minting else 0)

    def _check_host(self, host: str) -> None:
        canonical = self._using.canonical_host
        if host != canonical and not is_loopback(host) and not host.endswith(EDGE_DOMAIN):
            address = f"https://{canonical}/{API}/me"
            raise Problem(Kind.OTHER_HOST, message("The interface is at {address}.", address=address))
