"""`ginuri verify`: sends the same requests to two resolvers, and reports the differences."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from ginuri.migration.http_probe import RateLimit
from tests.spreadsheets import workbook

HOST = "purl.example.org"
Answer = tuple[int, str | None]


@dataclass
class Server:
    """A resolver on this machine: its answers by path, and the requests that it received."""

    answers: dict[str, Answer]
    address: str = ""
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    """Method, Host and path of each request."""
    slow: float = 0.0


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Ignore clients that hang up early."""


def _serve(server: Server) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append((self.command, self.headers["Host"], self.path))
            if server.slow:
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                for _ in range(100):  # a head that arrives too slowly to end in time
                    time.sleep(server.slow)
                    self.wfile.write(b"X-More: yes\r\n")
            status, location = server.answers.get(self.path, (404, None))
            self.send_response(status)
            if location is not None:
                self.send_header("Location", location)
            self.end_headers()
            if status == 200:
                self.wfile.write(b"x" * 1000)

        def log_message(self, *_: object) -> None: ...

    http = _Quiet(("127.0.0.1", 0), Handler)
    server.address = f"http://127.0.0.1:{http.server_address[1]}"
    threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
    return http


@pytest.fixture
def servers() -> Iterator[tuple[Server, Server]]:
    """Return two resolvers: this one and another."""
    ours, theirs = Server({}), Server({})
    running = [_serve(each) for each in (ours, theirs)]
    yield ours, theirs
    for each in running:
        each.shutdown()
        each.server_close()


def _run(*arguments: str, environment: Mapping[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, ("verify", *arguments), env=environment, prog_name="ginuri")


def _verify(servers: tuple[Server, Server], file: Path, *more: str) -> Result:
    ours, theirs = servers
    return _run(str(file), "--against", theirs.address, "--service", ours.address, "--rate", "1000", *more)


def _listed(tmp_path: Path, *lines: str) -> Path:
    file = tmp_path / "purls.txt"
    file.write_text("".join(f"{line}\n" for line in lines))
    return file


def _told(result: Result) -> dict[str, str]:
    lines = [json.loads(each) for each in result.stdout.splitlines()]
    return {each.get("uri", f"line {each['line']}").rpartition("/")[2]: each["verdict"] for each in lines}


CASES: dict[str, tuple[Answer, Answer, str]] = {
    "same": ((302, "https://a.example/x"), (302, "https://a.example/x"), "same"),
    "another-code": ((303, "https://a.example/x"), (301, "https://a.example/x"), "same"),
    "written-otherwise": ((302, "HTTPS://A.example:443/%7ex"), (302, "https://a.example/~x"), "same"),
    "no-path": ((302, "https://a.example"), (302, "https://a.example/"), "same"),
    "relative": ((302, "/net/x"), (302, f"http://{HOST}/net/x"), "same"),
    "network-path": ((302, f"//{HOST}/net/x"), (302, f"http://{HOST}:80/net/x"), "same"),
    "gone-and-unknown": ((410, None), (404, None), "same"),
    "content": ((200, None), (200, None), "same"),
    "another-place": ((302, "https://a.example/x"), (302, "https://a.example/y"), "different"),
    "another-query": ((302, "https://a.example/?x"), (302, "https://a.example/?y"), "different"),
    "another-scheme": ((302, "http://a.example/x"), (302, "https://a.example/x"), "different"),
    "no-location": ((302, None), (302, "https://a.example/y"), "different"),
    "another-class": ((200, None), (302, "https://a.example/x"), "different"),
    "there": ((404, None), (302, "https://a.example/x"), "only there"),
    "retired-here": ((410, None), (200, None), "only there"),
    "here": ((302, "https://a.example/x"), (404, None), "only here"),
    "broken": ((302, "https://a.example/x"), (503, None), "error"),
    "too-many": ((302, "https://a.example/x"), (429, None), "error"),
}


def test_each_pair_of_answers_is_classified_by_name(servers: tuple[Server, Server], tmp_path: Path) -> None:
    ours, theirs = servers
    ours.answers |= {f"/net/{name}": case[0] for name, case in CASES.items()}
    theirs.answers |= {f"/net/{name}": case[1] for name, case in CASES.items()}
    file = _listed(tmp_path, *(f"http://{HOST}/net/{name}" for name in CASES))

    result = _verify(servers, file, "--json")

    assert _told(result) == {name: case[2] for name, case in CASES.items()}
    assert result.exit_code == 1
    assert "8 same, 5 different, 2 only there, 1 only here, 2 error, 0 passed over" in result.stderr


def test_only_differences_are_shown_in_the_order_of_the_file(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    ours, theirs = servers
    names = [f"n{number}" for number in range(60)]
    theirs.answers |= {f"/{name}": (302, "https://a.example/x") for name in names}
    ours.answers |= theirs.answers | {"/n7": (301, "https://a.example/y"), "/n50": (404, None)}
    file = _listed(tmp_path, "# of ours", *(f"http://{HOST}/{name}" for name in names), "")

    result = _verify(servers, file)

    assert result.stdout.splitlines() == [
        f"line 9: different: http://{HOST}/n7",
        "  ours: 301 → https://a.example/y",
        "  theirs: 302 → https://a.example/x",
        f"line 52: only there: http://{HOST}/n50",
        "  ours: 404",
        "  theirs: 302 → https://a.example/x",
        "58 same, 1 different, 1 only there, 0 only here, 0 error, 0 passed over",
    ]


def test_equal_answers_exit_with_0_without_redirects_followed_or_repeated_requests(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    for server in servers:
        server.answers["/net/a"] = (302, f"{servers[1].address}/trap")
    file = _listed(tmp_path, f"http://{HOST}/net/a", f"http://{HOST}/net/a")

    result = _verify(servers, file)

    assert (result.exit_code, result.stdout[:7]) == (0, "1 same,")
    for server in servers:
        assert server.asked == [("GET", HOST, "/net/a")]


@pytest.mark.parametrize(
    ("line", "host", "path"),
    [
        (
            "http://PURL.example.org:8080/net/a%2Fb//c/?x=%20y",
            "PURL.example.org:8080",
            "/net/a%2Fb//c/?x=%20y",
        ),
        ("https://purl.example.org", "purl.example.org", "/"),
        ("uri-gin/azgs/doc/a", None, "/uri-gin/azgs/doc/a"),
        ("/info:pmid/12376099", None, "/info:pmid/12376099"),
    ],
)
def test_verify_requests_each_uri_as_written(
    servers: tuple[Server, Server], tmp_path: Path, line: str, host: str | None, path: str
) -> None:
    _verify(servers, _listed(tmp_path, line))

    for server in servers:
        assert server.asked == [("GET", host or server.address.removeprefix("http://"), path)]


TABLE = """id,target
https://geoconnex.us/ref/states/01,https://a.example/01
https://geoconnex.us/ref/states/02,https://a.example/02
https://geoconnex.us/gnis/(.*)$,https://a.example/$1
not an identifier,https://a.example/
"""
LINES = """{"identifier": "http://geoconnex.us/ref/states/01", "title": "Alabama"}
{"identifier": "http://resources.usgin.org/uri-gin/azgs/doc/a", "title": "A"}
{"record": "rule", "identifier": "http://geoconnex.us/gnis/", "location": "https://a.example/{+rest}"}
"""


@pytest.mark.parametrize(
    ("name", "content", "asked", "passed"),
    [
        ("states.csv", TABLE, ["geoconnex.us/ref/states/01", "geoconnex.us/ref/states/02"], 2),
        ("all.jsonl", LINES, ["geoconnex.us/ref/states/01", "resources.usgin.org/uri-gin/azgs/doc/a"], 1),
    ],
)
def test_a_registry_file_lists_the_names_to_verify(  # noqa: PLR0913, PLR0917  a row of a table
    servers: tuple[Server, Server], tmp_path: Path, name: str, content: str, asked: list[str], passed: int
) -> None:
    (tmp_path / name).write_text(content)

    result = _verify(servers, tmp_path / name, "--at-once", "1")

    for server in servers:
        assert [f"{host}{path}" for _, host, path in server.asked] == asked
    assert f"2 same, 0 different, 0 only there, 0 only here, 0 error, {passed} passed over" in result.stdout
    assert result.exit_code == 0
    assert "is a prefix. List the identifiers that start with it instead." in result.stdout


@pytest.mark.parametrize(("options", "asked"), [((), "/a"), (("--sheet", "Maps"), "/b")])
def test_one_sheet_of_a_workbook_is_verified_and_the_others_are_named(
    servers: tuple[Server, Server], tmp_path: Path, options: tuple[str, ...], asked: str
) -> None:
    sheets = {
        name: [["identifier", "title"], [f"http://{HOST}{path}", name]]
        for name, path in (("Wells", "/a"), ("Maps", "/b"))
    }
    (tmp_path / "wells.xlsx").write_bytes(workbook(sheets))

    result = _verify(servers, tmp_path / "wells.xlsx", *options)

    assert [path for _, _, path in servers[0].asked] == [asked]
    assert "1 passed over" in result.stdout
    assert "passed over: Only the sheet" in result.stdout


def test_an_absent_or_slow_server_is_reported_without_waiting(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    servers[1].slow = 0.2
    began = time.monotonic()

    result = _verify(servers, _listed(tmp_path, f"http://{HOST}/a"), "--timeout", "0.5")
    away = _run(
        *(str(_listed(tmp_path, f"http://{HOST}/a")), "--against", "http://127.0.0.1:1"),
        *("--service", servers[0].address),
    )

    assert time.monotonic() - began < 5
    assert (result.exit_code, away.exit_code) == (1, 1)
    assert "1 error" in result.stdout
    assert "Refused" in away.stdout


def test_an_address_that_cannot_be_requested_is_an_error_of_its_line(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    result = _verify(servers, _listed(tmp_path, f"http://{HOST}/a b", f"http://{HOST}/ä", "http://[x/"))

    assert result.exit_code == 1
    assert "2 error, 1 passed over" in result.stdout
    assert servers[0].asked == []


@pytest.mark.parametrize("against", ["ftp://a.example", "http://", "http://jane:secret@a.example"])
def test_a_file_of_no_known_resolver_is_reported(tmp_path: Path, against: str) -> None:
    result = _run(str(_listed(tmp_path, "a")), "--against", against, "--service", "http://127.0.0.1:1")

    assert result.exit_code == 2
    assert "is not a host" in result.stderr


def test_a_file_without_identifiers_is_reported(servers: tuple[Server, Server], tmp_path: Path) -> None:
    result = _verify(servers, _listed(tmp_path, "# nothing"))

    assert (result.exit_code, "contains no identifiers that can be requested" in result.stderr) == (2, True)


def test_without_a_service_verify_asks_the_local_stack(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    (tmp_path / "stack.json").write_text(json.dumps({"service": servers[0].address}))
    file = str(_listed(tmp_path, f"http://{HOST}/a"))
    environment: dict[str, Any] = {LOCAL_STACK_VARIABLE: str(tmp_path / "stack.json"), "GINURI_STACK": ""}

    there = _run(file, "--against", servers[1].address, environment=environment)
    none = _run(file, "--against", "a.example", environment=environment | {LOCAL_STACK_VARIABLE: "/nowhere"})

    assert (there.exit_code, len(servers[0].asked)) == (0, 1)
    assert (none.exit_code, "no stack" in none.stderr) == (2, True)


def test_verify_keeps_to_the_stated_rate_of_requests() -> None:
    slept: list[float] = []
    pace = RateLimit(4, lambda: 100 + sum(slept), slept.append)

    for _ in range(5):
        pace.wait()

    assert slept == pytest.approx([0.25] * 4)
