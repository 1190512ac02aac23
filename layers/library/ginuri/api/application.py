"""Answers the requests below `/api`: authenticates the caller, chooses the route, waits for a report.

`resolver.py` has the routes; waiting for a report is here, so that one request does not wait for another.
"""

from __future__ import annotations

from http import HTTPStatus

from ginuri.api.authentication import authenticate, refuse_secret_in_address
from ginuri.api.exchanges import MOST_WAIT, Exchange
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import PRIVATE, Kind, Problem, write_problem
from ginuri.api.resolver import Routes
from ginuri.api.waiting import finish
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.loopback import is_loopback
from ginuri.identifiers.messages import message
from ginuri.identifiers.service_paths import API
from ginuri.web.request import Request
from ginuri.web.response import Answered, Response

EDGE_DOMAIN = ".cloudfront.net"
"""The domain of the edge's own name, by which a stack is reached before its host points to it."""


class Api:
    """The interface for stewards of one registry. Several threads may use it."""

    def __init__(self, using: ApiCollaborators) -> None:
        self._using = using
        self._routes = Routes(using)

    def answer(self, request: Request) -> Answered:
        """Answer a request to a path below `/api`."""
        try:
            exchange, response = self._answer(request)
        except Problem as problem:
            return Answered(problem, write_problem(problem, request.preferences.accept_language))
        except RegistryUnavailable as error:
            return Answered(error, write_problem(_unavailable(error), request.preferences.accept_language))
        return Answered(exchange, response)

    def _answer(self, request: Request) -> tuple[Exchange | None, Response]:
        refuse_secret_in_address(request)
        self._check_host(request.host.lower())
        allowed = self._routes.methods_of(request.path)
        if request.method == "OPTIONS" and allowed:
            return None, Response(HTTPStatus.NO_CONTENT, (("Allow", ", ".join(allowed)), *PRIVATE))
        caller = authenticate(request, self._using.tokens, self._using.read_grants)
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
        exchange = Exchange(request, caller)
        response = self._routes.answer(exchange)
        if exchange.pending is None:
            return exchange, response
        is_minting = request.path == f"/{API}/identifiers"
        return exchange, finish(exchange, self._using, MOST_WAIT if is_minting else 0)

    def _check_host(self, host: str) -> None:
        canonical = self._using.canonical_host
        if host != canonical and not is_loopback(host) and not host.endswith(EDGE_DOMAIN):
            address = f"https://{canonical}/{API}/me"
            raise Problem(Kind.OTHER_HOST, message("The interface is at {address}.", address=address))


def _unavailable(error: RegistryUnavailable) -> Problem:
    return Problem(Kind.UNAVAILABLE, error.words, headers=(("Retry-After", str(error.retry_after)),))
