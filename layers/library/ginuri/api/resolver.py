"""The routes of the interface: powertools' resolver chooses among them, and checks bodies in JSON.

The resolver has one request at a time, so a lock guards it. It takes `/x` and `/x/` for one route, answers
no HEAD, and leaves escapes in segments: the path is checked before, HEAD is answered like GET, and each
segment is read once.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any, cast

from aws_lambda_powertools.event_handler import APIGatewayRestResolver
from aws_lambda_powertools.event_handler import Response as ResolverResponse
from aws_lambda_powertools.event_handler.openapi.exceptions import (
    RequestUnsupportedContentType,
    RequestValidationError,
)
from aws_lambda_powertools.event_handler.openapi.params import Body

from ginuri.api.exchanges import JSON, Exchange, UploadName, read_segment, refuse_media_type
from ginuri.api.models import MintRequest, ReadRequest, TokenRequest
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import Kind, Problem
from ginuri.api.routes.archive import ArchiveRoutes
from ginuri.api.routes.minting import MintRoutes
from ginuri.api.routes.records import RecordRoutes
from ginuri.api.routes.tokens import TokenRoutes
from ginuri.api.routes.uploads import UploadRoutes
from ginuri.api.submissions import Submitter
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import message
from ginuri.identifiers.service_paths import API
from ginuri.registration.verdicts import shown
from ginuri.web.request import Request
from ginuri.web.response import Response

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

_EXCHANGE = "exchange"
_METHODS = ("GET", "HEAD", "PUT", "PATCH", "POST", "DELETE", "OPTIONS")
_SEGMENT = re.compile(r"<[a-z_]+>")
_Nothing = dict[str, str]
"""What a route returns to the resolver: its response is in the exchange."""


class Routes:
    """The routes of one registry."""

    def __init__(self, using: ApiCollaborators) -> None:
        self._lock = Lock()
        self._app = APIGatewayRestResolver(enable_validation=True)
        self._methods: dict[str, set[str]] = {}
        self._patterns: dict[str, re.Pattern[str]] = {}
        submitter = Submitter(using)
        self._add_uploads(UploadRoutes(using, submitter))
        self._add_records(RecordRoutes(using, submitter), MintRoutes(using, submitter))
        self._add_archive(ArchiveRoutes(using))
        self._add_tokens(TokenRoutes(using))
        self._app.exception_handler(RequestValidationError)(self._refuse_body)
        self._app.exception_handler(RequestUnsupportedContentType)(self._refuse_media_type)
        # Bodies that are no UTF-8, or have numbers with thousands of digits, or thousands of brackets.
        self._app.exception_handler([ValueError, RecursionError])(self._refuse_unreadable)

    def methods_of(self, path: str) -> Sequence[str]:
        """Return the methods that a path answers; none for a path without a route."""
        methods = next(
            (methods for rule, methods in self._methods.items() if self._patterns[rule].fullmatch(path)),
            set(),
        )
        answered = {*methods, "OPTIONS", *(("HEAD",) if "GET" in methods else ())} if methods else set()
        return [method for method in _METHODS if method in answered]

    def answer(self, exchange: Exchange) -> Response:
        """Answer a request to one of the routes. Raises Problem and RegistryUnavailable."""
        with self._lock:
            self._app.context[_EXCHANGE] = exchange
            self._app.resolve(_event(exchange.request), cast("LambdaContext", None))  # no route reads it
        if exchange.fault is not None:
            raise exchange.fault
        if exchange.response is None:
            raise AssertionError("every route answers")
        return exchange.response

    def _route(self, method: str, path: str) -> Callable[[Callable[..., _Nothing]], object]:
        rule = f"/{API}{path}"
        self._methods.setdefault(rule, set()).add(method)
        self._patterns[rule] = re.compile(_SEGMENT.sub("[^/]+", rule))
        return self._app.route(rule, method)

    def _run(self, answer: Callable[[Exchange], Response]) -> _Nothing:
        exchange: Exchange = self._app.context[_EXCHANGE]
        exchange.has_begun = True
        try:
            exchange.response = answer(exchange)
        except (Problem, RegistryUnavailable) as fault:
            exchange.fault = fault
        return {}

    def _add_uploads(self, routes: UploadRoutes) -> None:
        @self._route("POST", "/uploads")
        def upload() -> _Nothing:
            return self._run(routes.upload)

        @self._route("GET", "/uploads")
        def list_uploads() -> _Nothing:
            return self._run(routes.list)

        @self._route("GET", "/uploads/<key>/<version>")
        def report(key: str, version: str) -> _Nothing:
            return self._run(lambda exchange: routes.report(exchange, _upload(key, version)))

        @self._route("GET", "/uploads/<key>/<version>/rows")
        def rows(key: str, version: str) -> _Nothing:
            return self._run(lambda exchange: routes.rows(exchange, _upload(key, version)))

        @self._route("GET", "/uploads/<key>/<version>/refused")
        def refused(key: str, version: str) -> _Nothing:
            return self._run(lambda exchange: routes.refused(exchange, _upload(key, version)))

        @self._route("POST", "/uploads/<key>/<version>/undo")
        def undo(key: str, version: str) -> _Nothing:
            return self._run(lambda exchange: routes.undo(exchange, _upload(key, version)))

    def _add_records(self, routes: RecordRoutes, minting: MintRoutes) -> None:
        @self._route("GET", "/records/<identifier>")
        def read(identifier: str) -> _Nothing:
            return self._run(lambda exchange: routes.read(exchange, identifier))

        @self._route("PUT", "/records/<identifier>")
        def replace(identifier: str) -> _Nothing:
            return self._run(lambda exchange: routes.replace(exchange, identifier))

        @self._route("PATCH", "/records/<identifier>")
        def change(identifier: str) -> _Nothing:
            return self._run(lambda exchange: routes.change(exchange, identifier))

        @self._route("GET", "/records/<identifier>/history")
        def history(identifier: str) -> _Nothing:
            return self._run(lambda exchange: routes.history(exchange, identifier))

        @self._route("POST", "/identifiers")
        def mint(wanted: Annotated[MintRequest, Body()]) -> _Nothing:
            return self._run(lambda exchange: minting.mint(exchange, wanted))

    def _add_archive(self, routes: ArchiveRoutes) -> None:
        @self._route("GET", "/records")
        def list_records() -> _Nothing:
            return self._run(routes.list)

        @self._route("POST", "/records")
        def read_records(wanted: Annotated[ReadRequest, Body()]) -> _Nothing:
            return self._run(lambda exchange: routes.read(exchange, wanted))

        @self._route("GET", "/files/<key>/<version>")
        def file(key: str, version: str) -> _Nothing:
            return self._run(lambda exchange: routes.file(exchange, _upload(key, version)))

    def _add_tokens(self, routes: TokenRoutes) -> None:
        @self._route("GET", "/me")
        def me() -> _Nothing:
            return self._run(routes.me)

        @self._route("GET", "/tokens")
        def list_tokens() -> _Nothing:
            return self._run(routes.list)

        @self._route("POST", "/tokens")
        def create(wanted: Annotated[TokenRequest, Body()]) -> _Nothing:
            return self._run(lambda exchange: routes.create(exchange, wanted))

        @self._route("DELETE", "/tokens/<token>")
        def revoke(token: str) -> _Nothing:
            return self._run(lambda exchange: routes.revoke(exchange, read_segment(token)))

    def _refuse_body(self, error: RequestValidationError) -> ResolverResponse[str]:
        findings = [_finding(each) for each in error.errors()]
        words = message("The body of the request is not as documented.")
        return self._fail(Problem(Kind.MALFORMED, words, findings))

    def _refuse_unreadable(self, error: Exception) -> ResolverResponse[str]:
        if self._app.context[_EXCHANGE].has_begun:
            raise error
        return self._fail(Problem(Kind.MALFORMED, message("The body of the request is no JSON.")))

    def _refuse_media_type(self, _: RequestUnsupportedContentType) -> ResolverResponse[str]:
        return self._fail(refuse_media_type(JSON))

    def _fail(self, problem: Problem) -> ResolverResponse[str]:
        self._app.context[_EXCHANGE].fault = problem
        return ResolverResponse(int(problem.kind.status))


def _finding(error: Mapping[str, Any]) -> Mapping[str, Any]:
    """Write an error of pydantic as a finding of a report."""
    place = [str(step) for step in error["loc"] if step != "body"]
    return {
        "level": "refused",
        "field": shown(".".join(place)),
        "rule": error["type"],
        "value": "",
        "message": shown(error.get("msg", "")),
        "line": None,
        "column": "",
        "suggestion": None,
    }


def _upload(key: str, version: str) -> UploadName:
    return UploadName(read_segment(key), read_segment(version))


def _event(request: Request) -> dict[str, Any]:
    """Write a request as the event of a REST API, with all that the resolver reads of one."""
    return {
        "httpMethod": "GET" if request.method == "HEAD" else request.method,
        "path": request.path,
        "headers": {"content-type": request.headers.get("content-type", "").lower()},
        "multiValueHeaders": {},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "requestContext": {"path": request.path, "stage": ""},
        "body": b64encode(request.body).decode("ascii"),
        "isBase64Encoded": True,
    }
