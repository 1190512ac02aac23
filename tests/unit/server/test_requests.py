"""Requests of the server of one machine: targets, repeated fields, and named proxies."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ginuri.server.requests import NamedProxies, read_network, read_request
from ginuri.web.request import Request

MOMENT = datetime(2026, 11, 23, tzinfo=UTC)
HOST = (b"host", b"id.example.org")
PROXIES = NamedProxies([read_network("10.0.0.0/8"), read_network("2001:db8::1")])


def _read(
    raw_path: str = "/", query: str = "", *headers: tuple[bytes, bytes], client: str | None = "192.0.2.1"
) -> Request | None:
    scope = {
        "method": "GET",
        "raw_path": raw_path.encode(),
        "query_string": query.encode(),
        "headers": [HOST, *headers],
        "client": None if client is None else (client, 50_000),
    }
    return read_request(scope, PROXIES, lambda: MOMENT)


@pytest.mark.parametrize("path", ["/a%2Fb", "//a//b/", "/%zz", "/a/../b", "/a;b#c"])
def test_a_path_stays_as_it_was_sent(path: str) -> None:
    request = _read(path)

    assert request is not None
    assert (request.path, request.host) == (path, "id.example.org")


@pytest.mark.parametrize(
    ("target", "host", "path"),
    [
        ("http://other.example/a%2Fb/", "other.example", "/a%2Fb/"),
        ("HTTPS://other.example:8443", "other.example:8443", "/"),
    ],
)
def test_the_host_of_a_whole_uri_beats_the_field(target: str, host: str, path: str) -> None:
    request = _read(target)

    assert request is not None
    assert (request.host, request.path) == (host, path)


@pytest.mark.parametrize("target", ["*", "id.example.org:443", "ftp://id.example/a"])
def test_a_target_without_a_path_is_no_request(target: str) -> None:
    assert _read(target) is None


def test_a_field_sent_twice_is_one_list() -> None:
    request = _read("/", "", (b"accept", b"text/html"), (b"accept", b"application/json"))

    assert request is not None
    assert request.preferences.accept == "text/html, application/json"


@pytest.mark.parametrize(
    "field",
    [
        *(b"x-http-method-override", b"x-ginuri-edge", b"x-ginuri-host", b"x-ginuri-query"),
        b"cloudfront-forwarded-proto",
    ],
)
def test_fields_of_aws_have_no_meaning(field: bytes) -> None:
    assert _read("/", "", (field, b"PUT")) == _read("/")


@pytest.mark.parametrize(
    ("client", "host"),
    [
        ("10.1.2.3", "public.example"),
        ("::ffff:10.1.2.3", "public.example"),
        ("2001:db8::1", "public.example"),
        ("192.0.2.1", "id.example.org"),
        ("2001:db8::2", "id.example.org"),
        ("/run/a.socket", "id.example.org"),
        (None, "id.example.org"),
    ],
)
def test_only_a_named_proxy_states_the_host(client: str | None, host: str) -> None:
    request = _read("/", "", (b"x-forwarded-host", b"forged.example, public.example"), client=client)

    assert request is not None
    assert request.host == host


@pytest.mark.parametrize(
    ("client", "stated", "protocol"),
    [
        ("192.0.2.1", [], "http"),
        ("10.1.2.3", [], "http"),
        ("10.1.2.3", [b"https"], "https"),
        ("10.1.2.3", [b"http, https"], "https"),
        ("10.1.2.3", [b"wss"], ""),
        ("192.0.2.1", [b"https"], ""),
        (None, [b"http"], ""),
    ],
)
def test_the_protocol_is_unknown_if_a_stranger_states_it(
    client: str | None, stated: list[bytes], protocol: str
) -> None:
    request = _read("/", "", *((b"x-forwarded-proto", value) for value in stated), client=client)

    assert request is not None
    assert request.protocol == protocol


def test_no_peer_is_a_proxy_by_default() -> None:
    assert "10.1.2.3" not in NamedProxies()
