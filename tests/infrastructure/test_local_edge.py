"""The edge of the local stack behaves like CloudFront, in front of an origin that a test scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any

import pytest

from ginuri.server.asgi import Message, Receive, Scope, Send, reply
from infra.local.edge.cache import Cache, Kept
from infra.local.edge.distribution import Distribution
from infra.local.edge.edge import Edge
from infra.local.edge.freshness import Lifetimes, stale_seconds
from infra.local.gateway.http_answer import HttpAnswer

LASTING = "max-age=60, stale-if-error=600"
DISTRIBUTION = Distribution(
    function="function handler(event) { return event.request; }",
    methods=frozenset({"GET", "HEAD", "OPTIONS", "POST"}),
    kept_methods=frozenset({"GET", "HEAD"}),
    key_headers=("accept", "accept-language", "cloudfront-forwarded-proto"),
    sent_headers=frozenset({"accept", "accept-language", "cloudfront-forwarded-proto", "content-type"}),
    origin_headers=(("referer", "secret"),),
    lifetimes=Lifetimes(0, 0, 60),
    error_seconds=dict.fromkeys((404, 500, 502, 503, 504), 0),
    patience=0.2,
)


class Origin:
    """An origin with scripted answers that records its requests."""

    def __init__(self, status: int = 200, body: bytes = b"0123456789", **headers: str) -> None:
        self.status, self.body, self.headers = status, body, headers
        self.seconds = 0.0
        self.asked: list[Mapping[str, str]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        fields = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.asked.append({"method": scope["method"], "path": scope["raw_path"].decode(), **fields})
        await asyncio.sleep(self.seconds)
        tag = self.headers.get("etag")
        status = 304 if tag and fields.get("if-none-match") == tag else self.status
        headers = [(name.replace("_", "-"), value) for name, value in self.headers.items()]
        body = b"" if scope["method"] == "HEAD" else self.body + (await receive())["body"]
        await reply(send, status, headers, body)


class Client:
    """A client of an edge, with a clock that a test sets."""

    def __init__(self, origin: Origin, distribution: Distribution = DISTRIBUTION) -> None:
        self.now = 1000.0
        self._edge = Edge(distribution, origin, lambda: self.now)

    def ask(
        self, path: str = "/x", method: str = "GET", body: bytes = b"", scheme: str = "http", **headers: str
    ) -> HttpAnswer:
        sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        path, _, query = path.partition("?")
        scope: Scope = {
            "method": method,
            "scheme": scheme,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": sent,
            "client": ("192.0.2.1", 1),
        }
        return asyncio.run(_answered(self._edge(scope, _receive(body), _send := _Sent()), _send))

    def mark(self, path: str = "/x", scheme: str = "http", **headers: str) -> str:
        """Return the source of the answer to a GET."""
        return dict(self.ask(path, "GET", b"", scheme, **headers).headers)["x-cache"].partition(" ")[0]


class _Sent:
    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def __call__(self, message: Message) -> None:
        self.messages.append(message)


def _receive(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def _answered(work: Coroutine[Any, Any, None], sent: _Sent) -> HttpAnswer:
    await work
    start, body = sent.messages
    headers = tuple((name.decode(), value.decode()) for name, value in start["headers"])
    return HttpAnswer(start["status"], headers, body["body"])


Ask = Callable[..., HttpAnswer]


def test_an_answer_is_reused_as_long_as_it_is_fresh() -> None:
    client = Client(Origin(cache_control="max-age=30"))

    marks = []
    for client.now in (1000, 1029.9, 1030, 1059.9, 1060):
        marks.append(client.mark())

    assert marks == ["Miss", "Hit", "Miss", "Hit", "Miss"]


@pytest.mark.parametrize(
    ("control", "seconds"),
    [
        ("max-age=86400", 60),
        ("max-age=10", 10),
        ("max-age=10, s-maxage=20", 20),
        ("no-store", 0),
        ("private, max-age=10", 0),
        ("no-cache", 0),
        ("", 0),
        ("max-age=ten", 0),
        ("MAX-AGE=10", 10),
    ],
)
def test_the_freshness_of_an_answer_stays_within_the_limits_of_the_policy(control: str, seconds: int) -> None:
    assert DISTRIBUTION.lifetimes.fresh_seconds(control) == seconds
    assert replace(DISTRIBUTION.lifetimes, least=5).fresh_seconds(control) == max(seconds, 5)


def test_an_answer_has_its_age() -> None:
    client = Client(Origin(cache_control="max-age=30"))
    client.ask()
    client.now += 12.7

    assert dict(client.ask().headers)["age"] == "12"


def test_the_cache_key_is_path_query_and_the_policys_headers() -> None:
    client = Client(Origin(cache_control="max-age=30"))
    client.ask("/x?a=1", accept="text/html")

    assert client.mark("/x?a=1", accept="text/html", cookie="a=1", user_agent="b") == "Hit"
    assert client.mark("/x?a=2", accept="text/html") == "Miss"
    assert client.mark("/x/?a=1", accept="text/html") == "Miss"
    assert client.mark("/x?a=1", accept="text/turtle") == "Miss"
    assert client.mark("/x?a=1", accept="text/html", accept_language="en") == "Miss"
    assert client.mark("/x?a=1", accept_language="text/html") == "Miss"


def test_answers_to_http_and_https_have_their_own_entries() -> None:
    origin = Origin(cache_control="max-age=30")
    client = Client(origin)

    client.ask(scheme="http", cloudfront_forwarded_proto="https")

    assert origin.asked[-1]["cloudfront-forwarded-proto"] == "http"
    assert client.mark(scheme="https") == "Miss"
    assert origin.asked[-1]["cloudfront-forwarded-proto"] == "https"
    assert client.mark(scheme="http") == client.mark(scheme="https") == "Hit"


def test_the_origin_gets_the_policys_headers_and_the_edges_secret() -> None:
    origin = Origin()
    client = Client(origin)

    client.ask("/a%2Fb//", accept="a/b", content_type="c/d", cookie="e=f", referer="forged", host="g.example")

    [asked] = origin.asked
    assert asked["path"] == "/a%2Fb//"
    assert {name for name in asked if name not in {"method", "path"}} == {
        "accept",
        "cloudfront-forwarded-proto",
        "content-type",
        "host",
        "referer",
        "user-agent",
        "via",
        "x-forwarded-for",
    }
    assert (asked["referer"], asked["user-agent"]) == ("secret", "Amazon CloudFront")
    assert asked["host"] != "g.example"


def test_a_cached_get_answers_a_head_but_not_the_reverse() -> None:
    client = Client(Origin(cache_control="max-age=30"))

    assert dict(client.ask(method="HEAD").headers)["x-cache"] == "Miss from cloudfront"
    assert dict(client.ask(method="HEAD").headers)["x-cache"] == "Hit from cloudfront"
    whole = client.ask()
    assert (whole.body, dict(whole.headers)["x-cache"]) == (b"0123456789", "Miss from cloudfront")
    assert dict(client.ask(method="HEAD").headers)["content-length"] == "10"


def test_other_methods_pass_with_their_body_and_are_not_cached() -> None:
    origin = Origin(cache_control="max-age=30")
    client = Client(origin)

    assert client.ask(method="POST", body=b"!").body == b"0123456789!"
    assert dict(client.ask(method="OPTIONS").headers)["x-cache"] == "Miss from cloudfront"
    assert dict(client.ask(method="OPTIONS").headers)["x-cache"] == "Miss from cloudfront"
    assert client.ask(method="TRACE").status == 403
    assert [asked["method"] for asked in origin.asked] == ["POST", "OPTIONS", "OPTIONS"]


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_while_the_origin_fails_a_stale_answer_is_served_as_allowed(status: int) -> None:
    origin = Origin(cache_control=LASTING)
    client = Client(origin)
    client.ask()
    origin.status = status

    seen = {}
    for client.now in (1059, 1060, 1659, 1660):
        seen[client.now] = client.ask().status

    assert seen == {1059: 200, 1060: 200, 1659: 200, 1660: status}


def test_an_origin_that_takes_too_long_has_failed() -> None:
    origin = Origin(cache_control=LASTING)
    client = Client(origin)
    client.ask()
    origin.seconds = 1

    client.now += 100
    assert client.ask().status == 200
    assert client.ask("/other").status == 504


@pytest.mark.parametrize("control", ["max-age=60", "max-age=60, stale-if-error=0"])
def test_other_stale_answers_are_not_served(control: str) -> None:
    origin = Origin(cache_control=control)
    client = Client(origin)
    client.ask()
    origin.status = 503

    client.now += 60
    assert client.ask().status == 503
    assert stale_seconds(control) == 0


def test_a_410_replaces_the_cached_answer() -> None:
    origin = Origin(cache_control=LASTING)
    client = Client(origin)
    client.ask()
    origin.status, origin.headers = 410, {"cache_control": "no-store"}
    client.now += 60
    assert client.ask().status == 410

    origin.status = 503
    assert client.ask().status == 503


@pytest.mark.parametrize(
    ("status", "control", "mark"),
    [(404, "max-age=30", "Hit"), (404, "", "Error"), (503, "no-store", "Error")],
)
def test_an_error_is_cached_as_long_as_its_own_headers_allow(status: int, control: str, mark: str) -> None:
    client = Client(Origin(status, cache_control=control))
    client.ask()

    assert client.mark() == mark


def test_an_error_outside_the_distributions_list_is_cached_for_ten_seconds() -> None:
    client = Client(Origin(503), replace(DISTRIBUTION, error_seconds={}))
    client.ask()

    client.now += 9
    assert client.mark() == "Hit"
    client.now += 1
    assert client.mark() == "Error"


def test_a_stale_answer_is_confirmed_by_its_tag_and_fresh_again() -> None:
    origin = Origin(cache_control=LASTING, etag='"1"')
    client = Client(origin)
    client.ask()
    client.now += 60

    again = client.ask()

    assert (again.status, again.body) == (200, b"0123456789")
    assert dict(again.headers)["x-cache"] == "RefreshHit from cloudfront"
    assert origin.asked[-1]["if-none-match"] == '"1"'
    client.now += 59
    assert client.mark() == "Hit"


def test_conditions_and_ranges_apply_to_cached_answers() -> None:
    client = Client(Origin(cache_control="max-age=30", etag='"1"'))

    for _ in range(2):
        assert client.ask(if_none_match='"1"').status == 304
        assert client.ask(if_none_match='"2"').status == 200
    part = client.ask(range="bytes=2-3")
    assert (part.status, part.body) == (206, b"23")
    assert dict(part.headers)["content-range"] == "bytes 2-3/10"
    assert client.ask(range="bytes=2-3", if_range='"2"').body == b"0123456789"
    assert client.ask(range="bytes=10-").status == 416


def test_an_uncached_range_comes_from_the_origin_and_is_not_cached() -> None:
    origin = Origin(206, b"23", cache_control="max-age=30")
    client = Client(origin)

    assert client.ask(range="bytes=2-3").body == b"23"
    assert origin.asked[-1]["range"] == "bytes=2-3"
    origin.status = 200
    assert client.mark() == "Miss"


def test_a_function_that_fails_is_a_503() -> None:
    client = Client(Origin(), replace(DISTRIBUTION, function="function handler() { throw 'wrong'; }"))

    assert client.ask().status == 503


def test_the_least_recently_used_answer_is_dropped_first() -> None:
    kept = Kept(HttpAnswer(200, (), b"x" * 1000), 0, 1, 0)
    cache = Cache(most_bytes=8000)
    for name in ("a", "b"):
        cache.put((name,), kept)
    cache.get(("a",))

    cache.put(("c",), kept)

    assert [name for name in "abc" if cache.get((name,))] == ["a", "c"]
