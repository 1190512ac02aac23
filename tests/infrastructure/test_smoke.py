"""The smoke test: its table has the right requests, and each kind of failure is reported once."""

from __future__ import annotations

import json
import re
import socket
import ssl
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from infra.bench.workers.certificates import make_certificates
from infra.smoke.__main__ import main
from infra.smoke.check import find_faults
from infra.smoke.exchange import Address, NoAnswer, Reply, exchange
from infra.smoke.registrations import REGISTRY, upload_order
from infra.smoke.runner import NotReady, Result, Target, find_place, run
from infra.smoke.table import PLACES, TABLE, SmokeRequest, Table, TableInvalid, read_table
from tests.builders import rest_event
from tests.infrastructure.stack import Stack
from tests.scripted_http import Script, scripted, send

READY = send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", close=True)
ABSENT = send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", close=True)
SEEN = {"none": "look at the stack", "5xx": "look at the log"}


def _answer(
    status: int = 200, body: bytes = b"", also: Mapping[str, str] | None = None, **headers: str
) -> Script:
    headers |= also or {}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = "\r\n".join((f"HTTP/1.1 {status} x", *lines, f"Content-Length: {len(body)}", "", ""))
    return send(head.encode() + body, close=True)


def _get(target: str = "/x", status: int = 200, **more: Any) -> SmokeRequest:
    return SmokeRequest("GET", target, status, look="look at the docs", **more)


def _run(
    requests: Iterable[SmokeRequest], *scripts: Script, seconds: float = 5, place: str = ""
) -> Sequence[Result]:
    with scripted(*scripts) as server:
        target = Target(Address.read(server.url), {}, seconds)
        return list(
            run(Table(list(requests), ["/live/"], ["/search"], SEEN), target, frozenset(place.split()))
        )


# -- the table


@pytest.fixture(scope="module")
def table() -> Table:
    return read_table()


@pytest.mark.parametrize("place", [frozenset(words) for words in product(*PLACES)])
def test_every_kind_of_stack_gets_at_least_sixty_requests(table: Table, place: frozenset[str]) -> None:
    assert sum(request.places <= place for request in table.requests) >= 60


def test_every_header_in_a_policy_of_the_edge_is_sent(table: Table, stack: Stack) -> None:
    cached, passed = stack.properties("CachePolicy"), stack.properties("OriginRequestPolicy")
    key = cached["CachePolicyConfig"]["ParametersInCacheKeyAndForwardedToOrigin"]
    named = {
        *key["HeadersConfig"]["Headers"],
        *passed["OriginRequestPolicyConfig"]["HeadersConfig"]["Headers"],
    }

    assert named - {name for request in table.requests for name in request.headers} == set()


def test_every_service_path_of_the_gateway_is_requested(table: Table, stack: Stack) -> None:
    [api] = stack.of_type("AWS::ApiGateway::RestApi").values()
    routed, asked = (
        {re.split(r"[./?]", path[1:], maxsplit=1)[0] for path in paths}
        for paths in (api["Body"]["paths"], (request.target for request in table.requests))
    )

    assert routed - {"{proxy+}"} - asked == set()


def test_every_status_of_an_answer_is_expected_somewhere(table: Table) -> None:
    statuses = {request.status for request in table.requests}

    assert statuses >= {200, 204, 206, 300, 301, 302, 303, 304, 307, 400, 404, 405, 406, 410, 412, 416, 451}


def test_failing_conditions_use_targets_without_cached_answers(table: Table) -> None:
    failing = {request.target for request in table.requests if request.status == 412}

    assert failing
    assert {request.status for request in table.requests if request.target in failing} <= {412, 416}


def test_a_row_that_uses_the_answer_before_repeats_its_target(table: Table) -> None:
    following = [
        (before, request)
        for before, request in pairwise(table.requests)
        if any("{" in value for value in request.headers.values())
    ]

    assert following
    for before, request in following:
        assert (before.target, before.places) == (request.target, request.places)


def test_the_documents_that_explain_failures_exist(table: Table, root: Path) -> None:
    looks = {*table.looks.values(), *(request.look for request in table.requests)}
    pages = {page for look in looks for page in re.findall(r"(?:docs|functions)/[\w/.-]+[a-z]", look)}

    assert all(re.search("docs/|template.yaml|functions/", look) for look in looks)
    assert [page for page in pages if not (root / page).is_file()] == []


def test_the_records_for_smoke_are_under_their_own_prefix() -> None:
    lines = [
        json.loads(line)
        for key in upload_order(REGISTRY)
        if key.endswith(".jsonl")
        for line in (REGISTRY / key).read_text(encoding="utf-8").splitlines()
    ]

    assert {line["identifier"].startswith("uri-gin/smoke/") for line in lines} == {True}
    assert upload_order(REGISTRY)[-2:] == ["_host/smoke.jsonl", "uri-gin/smoke/registrations.jsonl"]


@pytest.mark.parametrize(
    "row",
    [
        'status = 200, send = "GET /", stauts = 1',
        'send = "GET /"',
        'status = 200, send = "GET"',
        'status = 200, send = "GET /", on = "moon"',
        'status = 200, send = "GET /", on = "edge gateway"',
    ],
)
def test_a_row_with_an_unknown_member_is_refused(tmp_path: Path, row: str) -> None:
    file = tmp_path / "requests.toml"
    file.write_text(
        f'forbidden = []\nnot_yet = []\nlook = {{}}\n[[section]]\nlook = ""\nrequests = [{{{row}}}]\n',
        encoding="utf-8",
    )

    with pytest.raises(TableInvalid):
        read_table(file)


# -- one request


def test_a_request_is_sent_byte_for_byte() -> None:
    with scripted(READY) as server:
        address = Address.read(f"{server.url}/live/")
        exchange(address, "POST", "//a%2fb/../%zz?x=%31&\u00ff", {"X-Odd": "a, b"}, "xy", 5)

    assert server.requests == [
        b"POST /live//a%2fb/../%zz?x=%31&\xff HTTP/1.1\r\n"
        + f"Host: {address.authority}\r\nX-Odd: a, b\r\nContent-Length: 2\r\n".encode()
        + b"Connection: close\r\n\r\nxy"
    ]


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("http://id.example", "id.example"),
        ("https://id.example:443/", "id.example"),
        ("http://id.example:8000/", "id.example:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
    ],
)
def test_the_host_header_has_the_port_unless_it_is_default(url: str, authority: str) -> None:
    assert Address.read(url).authority == authority


@pytest.mark.parametrize("url", ["id.example", "ftp://id.example", "https:///x", "http://id.example/?a=1"])
def test_an_invalid_service_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="not the address of a service"):
        Address.read(url)


def test_the_other_scheme_uses_its_default_port_or_the_stated_one() -> None:
    assert Address.read("https://id.example/live").over("http") == Address("http", "id.example", 80, "/live")
    assert Address.read("http://id.example:8000").over("http").port == 8000


def test_a_server_without_tls_is_reported_as_such() -> None:
    with scripted(READY) as server, pytest.raises(NoAnswer, match=r"no TLS with 127\.0\.0\.1"):
        exchange(Address.read(server.url.replace("http:", "https:")), "GET", "/", {}, "", 0.3)


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """The key and certificate of a server that this machine trusts."""
    files = make_certificates(tmp_path, "127.0.0.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(files.authorities))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files.server)
    return context


def test_https_is_requested_like_http(tls: ssl.SSLContext) -> None:
    with scripted(_answer(303, location="/y"), tls=tls) as server:
        reply = exchange(Address.read(server.url), "GET", "/a%2Fb", {}, "", 5)

    assert (reply.status, reply.headers["location"]) == (303, "/y")
    assert server.requests[0].startswith(b"GET /a%2Fb HTTP/1.1\r\n")


def test_https_has_a_deadline_too(tls: ssl.SSLContext) -> None:
    drops = [b"HTTP/1.1 200 OK\r\n", *(b"x-slow: %d\r\n" % number for number in range(30))]

    with (
        scripted(send(*drops, pause=0.1), tls=tls) as server,
        pytest.raises(NoAnswer, match=r"within 0\.5 s"),
    ):
        exchange(Address.read(server.url), "GET", "/", {}, "", 0.5)


def test_an_untrusted_certificate_is_reported_as_such(
    tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")

    with scripted(READY, tls=tls) as server, pytest.raises(NoAnswer, match=r"no TLS .* certificate verify"):
        exchange(Address.read(server.url), "GET", "/", {}, "", 5)


# -- each kind of failure, once


@pytest.mark.parametrize(
    ("request_", "script", "fault", "look"),
    [
        (
            _get(expected={"Vary": "Accept"}, text="x"),
            _answer(404, b"none"),
            "expected 200, came 404 none",
            "look at the docs",
        ),
        (_get(), _answer(301, location="/y"), "expected 200, came 301 /y", "look at the docs"),
        (_get(), _answer(503), "expected 200, came 503", "look at the log"),
        (
            _get(expected={"Vary": "Accept"}),
            _answer(vary="Accept, Accept-Language"),
            "expected Vary: Accept, came Accept, Accept-Language",
            "look at the docs",
        ),
        (_get(expected={"Vary": "*"}), _answer(), "expected Vary: *, came none", "look at the docs"),
        (
            _get(expected={"Location": False}),
            _answer(location="/y"),
            "expected no Location, came /y",
            "look at the docs",
        ),
        (
            _get(text="title"),
            _answer(body=b"<p>\nNothing"),
            "expected 'title' in the body, came '<p> Nothing'",
            "look at the docs",
        ),
        (
            _get(),
            _answer(location="/live/x"),
            "expected no link with /live/, came /live/x",
            "look at the docs",
        ),
        (
            _get(),
            _answer(body=b'<a class="x" href="/live/x?a&amp;b">', content_type="text/html; charset=utf-8"),
            "expected no link with /live/, came /live/x?a&b",
            "look at the docs",
        ),
        (
            _get(),
            send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nxy", close=True),
            "expected 200, the answer was cut off after 2 bytes of its body",
            "look at the stack",
        ),
        (
            _get(),
            send(b"", close=True),
            "expected 200, the connection was closed without an answer",
            "look at the stack",
        ),
        (
            _get(),
            send(b"SMTP ready\r\n", close=True),
            "expected 200, what came is no HTTP: SMTP ready",
            "look at the stack",
        ),
        (_get(headers={"If-None-Match": "{ETag}"}), READY, "not asked, as the answer before had no ETag",
         "look at the docs"),
    ],
)  # fmt: skip
def test_an_unexpected_answer_is_reported_once(
    request_: SmokeRequest, script: Script, fault: str, look: str
) -> None:
    [before, failed, after] = _run([_get(), request_, _get()], READY, script, READY)

    assert (before.faults, after.faults) == ((), ())
    assert (failed.number, failed.faults, failed.look) == (2, (fault,), look)


def test_a_slow_answer_is_aborted_however_slowly_its_bytes_come() -> None:
    drops = [b"HTTP/1.1 200 OK\r\n", *(b"x-slow: %d\r\n" % number for number in range(30))]

    [late, after] = _run([_get(), _get()], send(*drops, pause=0.1), READY, seconds=0.5)

    assert late.faults == ("expected 200, no whole answer within 0.5 s",)
    assert after.faults == ()


def test_three_requests_without_an_answer_end_the_run() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    target = Target(Address.read(f"http://127.0.0.1:{port}"), {}, 5)

    results = list(run(Table([_get()] * 60, [], [], SEEN), target, frozenset()))

    refused = f"expected 200, no connection to 127.0.0.1:{port}: it was refused"
    assert [result.faults for result in results] == [
        (refused,),
        (refused,),
        (refused, "the rest is not asked"),
    ]


def test_every_link_of_a_followed_answer_is_requested() -> None:
    page = b'<link href="/a"><a href="/b#x"></a><a href="/a"></a><a href="//other.example/"></a><a href="#c">'

    [failed] = _run(
        [_get(is_followed=True)],
        _answer(body=page, content_type="text/html"),
        READY,
        _answer(403),
    )

    assert failed.faults == ("expected an answer to its link /b, came 403",)


@pytest.mark.parametrize(("place", "failures"), [("published", 1), ("unpublished", 0)])
def test_a_link_to_daily_files_may_fail_until_the_first_publication(place: str, failures: int) -> None:
    page = _answer(body=b'<form action="/search?q=x">', content_type="text/html")

    results = _run([_get(is_followed=True)], page, ABSENT, place=place)

    assert sum(bool(result.faults) for result in results) == failures


def test_a_link_without_an_answer_is_reported() -> None:
    [failed] = _run([_get(is_followed=True, status=302)], _answer(302, location="/a"), send(b"", close=True))

    assert failed.faults == (
        "expected an answer to its link /a, the connection was closed without an answer",
    )


def test_a_header_of_the_previous_answer_is_sent() -> None:
    with scripted(_answer(etag='"1"'), READY) as server:
        requests = [_get(), _get(headers={"If-None-Match": "{ETag}"})]
        list(run(Table(requests, [], [], SEEN), Target(Address.read(server.url), {}, 5), frozenset()))

    assert b'If-None-Match: "1"\r\n' in server.requests[1]


def test_requests_for_other_kinds_of_stack_are_skipped() -> None:
    results = _run([_get(places=frozenset({"aws"})), _get(places=frozenset({"local"}))], READY, place="local")

    assert [result.number for result in results] == [2]


# -- the choice of the stack, and its connection


@pytest.mark.parametrize(
    ("headers", "published", "stewards", "place"),
    [
        ({}, ABSENT, ABSENT, {"gateway", "local", "unpublished", "no-api"}),
        ({"X-Cache": "Miss from cloudfront"}, READY, _answer(401), {"edge", "local", "published", "api"}),
        (
            {"X-Cache": "Hit from cloudfront", "X-Amz-Cf-Id": "x", "x-amz-apigw-id": "y"},
            READY,
            _answer(403),
            {"edge", "aws", "published", "api"},
        ),
        ({"x-amzn-RequestId": "x"}, READY, _answer(502), {"gateway", "aws", "published", "api"}),
    ],
)
def test_the_kind_of_stack_is_read_from_its_answers(
    headers: Mapping[str, str], published: Script, stewards: Script, place: set[str]
) -> None:
    with scripted(_answer(also=headers), published, stewards) as server:
        assert find_place(Target(Address.read(server.url), {}, 5), 0, print) == place


def test_a_stack_without_the_interface_for_stewards_gets_one_request_for_it(table: Table) -> None:
    [request] = (each for each in table.requests if "no-api" in each.places)
    event = rest_event(request.target, request.method)
    answers = IdentifierResponses(MemoryContentStore(), "ids.example.org")
    # Without its route, the path belongs to the function that resolves.
    finder = RememberingFinder(MemoryRegistry(), lambda: 0.0)
    answered = resolve(read_request(event, ""), finder, answers).response
    headers = {name.lower(): value for name, value in answered.headers}

    assert list(find_faults(request, Reply(answered.status, headers, answered.body), table.forbidden)) == []
    assert {each.places & {"api", "no-api"} for each in table.requests if "/api/" in each.target} == {
        frozenset({"api"}),
        frozenset({"no-api"}),
    }


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (_answer(404), "uri-gin/smoke/ is not registered there"),
        (_answer(403), "403: a gateway refuses"),
        (_answer(502), "was answered with 502"),
        (send(b"", close=True), "closed without an answer"),
    ],
)
def test_a_stack_without_the_smoke_records_gets_no_request(script: Script, why: str) -> None:
    with scripted(script) as server, pytest.raises(NotReady, match=why):
        find_place(Target(Address.read(server.url), {}, 5), 0, print)


def test_the_smoke_test_waits_for_a_fresh_deployment() -> None:
    said: list[str] = []
    with scripted(ABSENT, READY) as server:
        find_place(Target(Address.read(server.url), {}, 5), 60, said.append, pause=0.01)

    assert [line.partition(":")[0] for line in said] == ["not yet"]


# -- the command


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A table of one request."""
    file = tmp_path / "requests.toml"
    file.write_text(
        'forbidden = []\nnot_yet = []\n[look]\n[[section]]\nlook = "docs/x.md"\n'
        'requests = [{ send = "GET /x", with = { Accept = "a/b" }, status = 303 }]\n',
        encoding="utf-8",
    )
    assert tomllib.loads(file.read_text(encoding="utf-8"))
    return file


def _main(small: Path, *arguments: str, status: int = 303) -> tuple[int, list[bytes]]:
    with ExitStack() as down:
        server = down.enter_context(scripted(READY, READY, READY, _answer(status)))
        return main([server.url, "--table", str(small), *arguments]), server.requests


def test_a_successful_run_prints_one_line(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = _main(small)

    assert code == 0
    assert re.fullmatch(
        r"1 requests to http://\S+ \(api, gateway, local, published\): 0 failed\n", capsys.readouterr().out
    )


def test_a_failure_prints_one_line_and_sets_the_exit_code(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _ = _main(small, status=302)

    assert code == 1
    assert capsys.readouterr().out.splitlines()[0] == (
        "1. GET /x | Accept: a/b: expected 303, came 302 → docs/x.md"
    )


def test_a_program_gets_one_document(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = _main(small, "--json", status=302)

    document = json.loads(capsys.readouterr().out)
    assert (code, document["asked"], document["failed"]) == (1, 1, 1)
    [failure] = document["failures"]
    assert failure["faults"] == ["expected 303, came 302"]
    assert (failure["method"], failure["target"], failure["look"]) == ("GET", "/x", "docs/x.md")


def test_the_secret_of_the_edge_is_sent_with_every_request(small: Path) -> None:
    code, requests = _main(small, "--referer", "s3cr3t")

    assert code == 0
    assert [b"Referer: s3cr3t\r\n" in request for request in requests] == [True] * 4


@pytest.mark.parametrize("arguments", [["nowhere"], ["http://127.0.0.1:1"]])
def test_a_stack_that_cannot_be_reached_has_another_exit_code(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_a_table_without_rows_for_the_stack_is_no_success(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = small.read_text(encoding="utf-8")
    small.write_text(text.replace("status = 303", 'status = 303, on = "aws"'), encoding="utf-8")

    code, _ = _main(small)

    assert code == 2
    assert "no request for such a stack" in capsys.readouterr().err


def test_smoke_without_an_address_or_a_local_stack_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GINURI_STACK", raising=False)
    monkeypatch.setenv("GINURI_LOCAL_STACK", str(tmp_path / "none.json"))

    assert main([]) == 2
    assert "There is no stack" in capsys.readouterr().err


def test_the_table_is_found_from_any_folder() -> None:
    assert TABLE.is_absolute()
