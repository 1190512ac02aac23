"""The edge: a request goes through the function, to the cache, and only then to the gateway.

This is CloudFront with one origin, after its Developer Guide ("Request and response
behavior for custom origins", "Manage how long content stays in the cache").
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus

from ginuri.registry.http_dates import read_http_date
from ginuri.server.asgi import Application, Message, Receive, Scope, Send, read_body, reply
from ginuri.web.conditional.conditions import NotModified, Selected, evaluate
from ginuri.web.conditional.ranges import PartialContent, UnsatisfiableRange, choose_range
from infra.local.edge.cache import Cache, Kept, Key
from infra.local.edge.distribution import Distribution
from infra.local.edge.freshness import stale_seconds
from infra.local.edge.function import FunctionFailed, ViewerFunction, ViewerRequest
from infra.local.gateway.front_door import LARGEST_BODY
from infra.local.gateway.http_answer import HttpAnswer, plain

USUAL_ERROR_SECONDS = dict.fromkeys((400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504), 10)
"""The shortest time that an error is cached if the distribution has no value for its status."""
_CONDITIONS = ("if-modified-since", "if-none-match")
_RANGES = ("if-range", "range")
_PROTOCOL = "cloudfront-forwarded-proto"
_NAME = "1.1 local.cloudfront.net (CloudFront)"


class Edge:
    """ASGI application in front of another. `clock` returns seconds and never goes back."""

    def __init__(self, distribution: Distribution, origin: Application, clock: Callable[[], float]) -> None:
        self._distribution = distribution
        self._origin = origin
        self._clock = clock
        self._function = ViewerFunction(distribution.function)
        self._cache = Cache()
        self._others = [(path, Edge(each, origin, clock)) for path, each in distribution.others]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = scope["raw_path"].decode("ascii")
        other = next((edge for beginning, edge in self._others if path.startswith(beginning)), None)
        if other is not None:
            await other(scope, receive, send)
            return
        body = await read_body(receive, LARGEST_BODY)
        if body is None:
            answer = plain(413, "Request Entity Too Large")
        elif scope["method"] not in self._distribution.methods:
            answer = plain(403, "This distribution is not configured to allow the HTTP request method")
        else:
            try:
                request = self._function(_read_request(scope))
            except FunctionFailed as error:
                answer = plain(503, f"The function of the edge failed: {error}")
            else:
                answer = await self._answer(scope, request, body)
        await reply(send, answer.status, (*answer.headers, ("via", _NAME)), answer.body)

    def invalidate(self) -> None:
        """Drop every cached answer."""
        self._cache = Cache()

    async def _answer(self, scope: Scope, request: ViewerRequest, body: bytes) -> HttpAnswer:
        if request.method not in self._distribution.kept_methods:
            return _mark(await self._ask(scope, request, body), "Miss")
        fields = dict(request.headers)
        key = (request.path, request.query, *self._key(request))
        kept, now = self._kept(key, request.method), self._clock()
        if kept and kept.is_fresh(now):
            return _select(_aged(kept, now, "Hit"), request.method, fields)
        if "range" in fields:
            return _mark(await self._ask(scope, request, body, _only(fields, *_RANGES, *_CONDITIONS)), "Miss")
        return _select(await self._fetch(scope, request, key, kept), request.method, fields)

    def _key(self, request: ViewerRequest) -> Key:
        return tuple(
            "\n".join(value for field, value in request.headers if field == name)
            for name in self._distribution.key_headers
        )

    def _kept(self, key: Key, method: str) -> Kept | None:
        """Return the cached answer; the answer to a GET also answers a HEAD."""
        kept = self._cache.get(("GET", *key))
        return kept if kept or method == "GET" else self._cache.get((method, *key))

    async def _fetch(self, scope: Scope, request: ViewerRequest, key: Key, before: Kept | None) -> HttpAnswer:
        """Query the origin, cache its answer if allowed, and fall back on the cached answer if it fails."""
        tag = dict(before.answer.headers).get("etag") if before else None
        answer = await self._ask(scope, request, b"", {"if-none-match": tag} if tag else {})
        now = self._clock()
        if before and answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR and before.is_usable(now):
            return _aged(before, now, "Hit")
        if before and tag and answer.status == HTTPStatus.NOT_MODIFIED:
            answer, mark = _refreshed(before.answer, answer), "RefreshHit"
        else:
            mark = "Error" if answer.status >= HTTPStatus.BAD_REQUEST else "Miss"
        control = dict(answer.headers).get("cache-control", "")
        least = {**USUAL_ERROR_SECONDS, **self._distribution.error_seconds}.get(answer.status, 0)
        fresh = max(self._distribution.lifetimes.fresh_seconds(control), least)
        if fresh:
            self._cache.put((request.method, *key), Kept(answer, now, fresh, stale_seconds(control)))
        else:
            self._cache.drop((request.method, *key))
        return _mark(answer, mark)

    async def _ask(
        self, scope: Scope, request: ViewerRequest, body: bytes, also: Mapping[str, str] | None = None
    ) -> HttpAnswer:
        """Query the origin with the headers that the policies allow; 504 if it takes too long."""
        distribution = self._distribution
        ours = {
            "user-agent": "Amazon CloudFront",
            "via": _NAME,
            "host": "origin.execute-api.local",
            "x-forwarded-for": (scope["client"] or ("127.0.0.1", 0))[0],
            **(also or {}),
            **dict(distribution.origin_headers),
        }
        passed = (field for field in request.headers if field[0] in distribution.sent_headers)
        sent = [field for field in passed if field[0] not in ours]
        asked = {**scope, "headers": [_encode(field) for field in (*sent, *ours.items())]}
        try:
            async with asyncio.timeout(distribution.patience):
                return await _call(self._origin, asked, body)
        except TimeoutError:
            return plain(504, "The origin took too long")


async def _call(origin: Application, scope: Scope, body: bytes) -> HttpAnswer:
    """Return the answer of an application to one request."""
    status, sent = 0, bytearray()
    headers: Sequence[tuple[bytes, bytes]] = ()

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status, headers
        status = message.get("status", status)
        headers = message.get("headers", headers)
        sent.extend(message.get("body", b""))

    await origin(scope, receive, send)
    fields = ((name.decode("latin-1"), value.decode("utf-8")) for name, value in headers)
    return HttpAnswer(status, tuple(field for field in fields if field[0] != "content-length"), bytes(sent))


def _read_request(scope: Scope) -> ViewerRequest:
    sent = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
    # CloudFront's own field replaces that of a client ("Add CloudFront request headers").
    headers = (*(field for field in sent if field[0] != _PROTOCOL), (_PROTOCOL, scope.get("scheme", "http")))
    return ViewerRequest(
        scope["method"], scope["raw_path"].decode("ascii"), scope["query_string"].decode("latin-1"), headers
    )


def _select(answer: HttpAnswer, method: str, fields: Mapping[str, str]) -> HttpAnswer:
    """Return the part of a whole answer that the conditions and the range of a request select."""
    stated = dict(answer.headers)
    if answer.status != HTTPStatus.OK or "etag" not in stated:
        return answer
    modified = stated.get("last-modified")
    selected = Selected(stated["etag"], read_http_date(modified) if modified else None, len(answer.body))
    if isinstance(evaluate(method, _only(fields, *_CONDITIONS), selected), NotModified):
        return replace(answer, status=HTTPStatus.NOT_MODIFIED, body=b"")
    extent = choose_range(method, _only(fields, *_RANGES), selected)
    match extent:
        case PartialContent(first=first, last=last):
            headers = (*answer.headers, ("content-range", extent.content_range))
            return HttpAnswer(HTTPStatus.PARTIAL_CONTENT, headers, answer.body[first : last + 1])
        case UnsatisfiableRange():
            headers = (("content-range", extent.content_range),)
            return HttpAnswer(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers, b"")
        case _:
            return answer


def _refreshed(kept: HttpAnswer, by: HttpAnswer) -> HttpAnswer:
    """Return a cached answer with the headers of the 304 that confirms it (RFC 9111 §4.3.4)."""
    renewed = {name for name, _ in by.headers}
    stayed = (field for field in kept.headers if field[0] not in renewed)
    return replace(kept, headers=(*stayed, *by.headers))


def _aged(kept: Kept, now: float, mark: str) -> HttpAnswer:
    return _mark(replace(kept.answer, headers=(*kept.answer.headers, ("age", str(int(kept.age(now)))))), mark)


def _mark(answer: HttpAnswer, mark: str) -> HttpAnswer:
    return replace(answer, headers=(*answer.headers, ("x-cache", f"{mark} from cloudfront")))


def _only(fields: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: fields[name] for name in names if name in fields}


def _encode(field: tuple[str, str]) -> tuple[bytes, bytes]:
    return field[0].encode("latin-1"), field[1].encode("latin-1")
