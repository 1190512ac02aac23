"""`ginuri verify`: sends the same requests to two resolvers, and reports the differences."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
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
from ginuri.migration.verification.probe import RateLimit
from tests.spreadsheets import workbook

HOST = "purl.example.org"
Answer = tuple[int, str | None]
Request = tuple[str, str, str]
"""Method, Host and path."""
DEFAULT_HEADERS = (
    None,
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/turtle",
    "application/rdf+xml",
    "application/ld+json",
)


@dataclass
class Server:
    """A resolver on this machine: its answers by path, and the requests that it received."""

    answers: dict[str, Answer]
    forms: dict[tuple[str, str | None], Answer] = field(default_factory=dict)
    """Its answers by path and `Accept`, which come first."""
    address: str = ""
    asked: list[Request] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    """The other headers of each request."""
    clients: set[int] = field(default_factory=set)
    """The ports of the connections."""
    slow: float = 0.0
    hangs_up: bool = False
    """Whether it closes a connection after an answer without announcing it."""
    content: bytes = b"x" * 1000
    media_type: str | None = None


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Ignore clients that hang up early."""


def _serve(server: Server) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            server.asked.append((self.command, self.headers["Host"], self.path))
            server.headers.append({name: value for name, value in self.headers.items() if name != "Host"})
            server.clients.add(self.client_address[1])
            if server.slow:
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                for _ in range(100):  # a head that arrives too slowly to end in time
                    time.sleep(server.slow)
                    self.wfile.write(b"X-More: yes\r\n")
            form = self.path, self.headers["Accept"]
            status, location = server.forms.get(form) or server.answers.get(self.path, (404, None))
            self.send_response(status)
            if location is not None:
                self.send_header("Location", location)
            if server.media_type is not None:
                self.send_header("Content-Type", f"{server.media_type}; charset=utf-8")
            content = server.content if status == 200 else b""
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            self.close_connection = server.hangs_up

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


def _plain(servers: tuple[Server, Server], file: Path, *more: str) -> Result:
    """Verify with one request for each identifier, without a header."""
    return _verify(servers, file, "--accept", "none", *more)


def _verdicts(result: Result) -> list[tuple[str, str | None, str]]:
    lines = [json.loads(line) for line in result.stdout.splitlines()[:-1]]
    return [(line["uri"].rpartition("/")[2], line["accept"], line["verdict"]) for line in lines]


def _differing(servers: tuple[Server, Server]) -> None:
    """Answer for three names under two prefixes, of which two differ; /net/b only in Turtle."""
    ours, theirs = servers
    place = (302, "https://a.example/x")
    theirs.answers |= {"/net/a": place, "/net/b": place, "/doc/c": place}
    ours.answers |= {"/net/a": place, "/net/b": place}
    ours.forms |= {("/net/b", "text/turtle"): (303, "https://a.example/wrong.ttl")}
    theirs.forms |= {("/net/b", "text/turtle"): (303, "https://a.example/x.ttl")}


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Return the list of these names."""
    return _listed(tmp_path, "# of ours", *(f"http://{HOST}/{name}" for name in ("net/a", "net/b", "doc/c")))


def test_a_wrong_location_of_one_media_type_is_found(servers: tuple[Server, Server], three: Path) -> None:
    _differing(servers)

    result = _verify(servers, three, "--json")

    assert result.exit_code == 1
    assert _verdicts(result) == [
        *[("a", header, "same") for header in DEFAULT_HEADERS],
        *[("b", header, "other target" if header == "text/turtle" else "same") for header in DEFAULT_HEADERS],
        *[("c", header, "only there") for header in DEFAULT_HEADERS],
    ]


def test_differences_are_shown_by_prefix_and_cause_with_an_example(
    servers: tuple[Server, Server], three: Path
) -> None:
    _differing(servers)

    result = _verify(servers, three)

    curl = "curl -gsIX GET --path-as-is -H"
    c, b = (" ".join(f"{server.address}/{path}" for server in servers) for path in ("doc/c", "net/b"))
    assert result.stdout.splitlines() == [
        "requests    agree  prefix                 differences",
        f"       5   0.00 %  {HOST}/doc/  5 only there",
        f"      10  90.00 %  {HOST}/net/  1 other target",
        "",
        "only there (requests: 5, identifiers: 1)",
        f"  line 4: http://{HOST}/doc/c",
        "    here: 404",
        "    there: 302 → https://a.example/x",
        f"    {curl} Accept: -H 'Host: {HOST}' {c}",
        "",
        "other target (requests: 1, identifiers: 1)",
        f"  line 3: http://{HOST}/net/b  Accept: text/turtle",
        "    here: 303 → https://a.example/wrong.ttl",
        "    there: 303 → https://a.example/x.ttl",
        f"    {curl} 'Accept: text/turtle' -H 'Host: {HOST}' {b}",
        "",
        "9 same, 5 only there, 1 other target",
        "60.00 % of the requests agree: 9 of 15.",
    ]


def test_the_number_of_examples_can_be_raised(servers: tuple[Server, Server], three: Path) -> None:
    servers[1].answers |= dict.fromkeys(("/net/a", "/net/b", "/doc/c"), (302, "https://a.example/x"))

    result = _verify(servers, three, "--examples", "2")

    assert re.findall(r"line \d", result.stdout) == ["line 2", "line 3"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_printed_command_repeats_the_request(servers: tuple[Server, Server], three: Path) -> None:
    _differing(servers)
    result = _verify(servers, three)
    for server in servers:
        server.asked.clear()
    _, command = re.findall(r"^ +(curl .*)", result.stdout, re.MULTILINE)

    ran = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True)  # noqa: S603  the command of the report

    assert re.findall(r"^Location: (.*)\r?$", ran.stdout, re.MULTILINE) == [
        "https://a.example/wrong.ttl",
        "https://a.example/x.ttl",
    ]
    assert [server.asked for server in servers] == [[("GET", HOST, "/net/b")]] * 2
    assert [server.headers[-1]["Accept"] for server in servers] == ["text/turtle"] * 2


@pytest.mark.parametrize(("gate", "code"), [("60", 0), ("60.1", 1), ("100", 1)])
def test_the_gate_decides_by_the_share_that_agrees(
    servers: tuple[Server, Server], three: Path, gate: str, code: int
) -> None:
    _differing(servers)

    assert _verify(servers, three, "--gate", gate).exit_code == code


def test_names_that_neither_resolver_knows_do_not_count_for_the_gate(
    servers: tuple[Server, Server], three: Path
) -> None:
    unknown = _plain(servers, three)
    gated = _plain(servers, three, "--gate", "1")
    servers[0].answers["/net/a"] = servers[1].answers["/net/a"] = (302, "https://a.example/x")
    one = _plain(servers, three, "--gate", "100")

    assert (unknown.exit_code, gated.exit_code, one.exit_code) == (0, 1, 0)
    assert unknown.stdout.splitlines()[-2:] == [
        "0 same, 3 known to neither",
        "Neither resolver knows any of them.",
    ]
    assert one.stdout.splitlines() == [
        "1 same, 2 known to neither",
        "100.00 % of the requests agree: 1 of 1.",
    ]


def test_the_last_line_of_json_is_the_summary(servers: tuple[Server, Server], three: Path) -> None:
    _differing(servers)

    result = _verify(servers, three, "--json", "--gate", "50")

    assert json.loads(result.stdout.splitlines()[-1])["summary"] == {
        "requests": 15,
        "share": 0.6,
        "comparisons": {"same": 9, "only there": 5, "other target": 1},
        "passed_over": 0,
        "passes": True,
        "rows": [
            {"prefix": f"{HOST}/doc/", "requests": 5, "share": 0.0, "comparisons": {"only there": 5}},
            {
                "prefix": f"{HOST}/net/",
                "requests": 10,
                "share": 0.9,
                "comparisons": {"same": 9, "other target": 1},
            },
        ],
    }
    assert "60.00 % of the requests agree: 9 of 15." in result.stderr


INVENTORY = f"""\
{{"host": "{HOST}", "path": "/net/a", "accept": "text/turtle", "count": 900}}
{{"host": "{HOST}", "path": "/net/b", "accept": "text/turtle", "count": 90}}
{{"host": "{HOST}", "path": "/net/b", "accept": "", "count": 9}}
{{"path": "/doc/c", "count": 1}}
"""


def test_requests_from_a_log_count_as_often_as_they_were_sent(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    _differing(servers)
    (tmp_path / "inventory.jsonl").write_text(INVENTORY)

    result = _verify(servers, tmp_path / "inventory.jsonl", "--from-log", "--host", HOST)

    assert [line for line in result.stdout.splitlines() if not line.startswith(" ")] == [
        "requests    agree  prefix                 differences",
        "",
        "other target (requests: 90, identifiers: 1)",
        "",
        "only there (requests: 1, identifiers: 1)",
        "",
        "909 same, 90 other target, 1 only there",
        "90.90 % of the requests agree: 909 of 1,000.",
    ]
    asked = list(zip(servers[0].asked, servers[0].headers, strict=True))
    unknown = [headers.get("Accept") for (*_, path), headers in asked if path == "/doc/c"]
    assert (unknown, len(asked)) == ([*DEFAULT_HEADERS], 3 + len(DEFAULT_HEADERS))


def test_the_requests_of_a_log_without_the_header_are_divided(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    _differing(servers)
    log = tmp_path / "access.log"
    log.write_text('192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET /net/b HTTP/1.1" 302 -\n' * 10)

    result = _verify(servers, log, "--from-log", "--json")

    lines = [json.loads(line) for line in result.stdout.splitlines()]
    host = servers[1].address.removeprefix("http://")
    assert {line["uri"] for line in lines[:-1]} == {f"http://{host}/net/b"}
    assert [(line["accept"], line["count"]) for line in lines[:-1]] == [
        (header, 2) for header in DEFAULT_HEADERS
    ]
    assert lines[-1]["summary"]["comparisons"] == {"same": 8, "other target": 2}


def test_a_folder_of_logs_needs_its_option(servers: tuple[Server, Server], tmp_path: Path) -> None:
    result = _verify(servers, tmp_path)

    assert result.exit_code == 2
    assert "is a folder. For a folder of logs, add --from-log." in result.stderr


def test_a_redirect_within_the_host_is_followed_if_answers_differ(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    ours, theirs = servers
    ours.answers |= {"/net/A": (301, "/net/a"), "/net/a": (302, "https://a.example/x")}
    theirs.answers |= {"/net/A": (302, "https://a.example/x")}
    ours.answers |= {"/loop": (302, "/back"), "/back": (302, "/loop")}
    theirs.answers |= {"/loop": (302, "https://a.example/loop")}

    result = _plain(servers, _listed(tmp_path, f"http://{HOST}/net/A", f"http://{HOST}/loop"), "--json")

    assert [verdict for *_, verdict in _verdicts(result)] == ["one more redirect here", "other target"]
    assert sorted(path for *_, path in ours.asked) == ["/back", "/loop", "/net/A", "/net/a"]
    assert sorted(path for *_, path in theirs.asked) == ["/loop", "/net/A"]


def test_equal_answers_exit_with_0_without_redirects_followed_or_repeated_requests(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    for server in servers:
        server.answers["/net/a"] = (302, f"{servers[1].address}/trap")
    file = _listed(tmp_path, f"http://{HOST}/net/a", f"http://{HOST}/net/a")

    result = _plain(servers, file)

    assert (result.exit_code, result.stdout[:7]) == (0, "1 same\n")
    for server in servers:
        assert server.asked == [("GET", HOST, "/net/a")]


def test_each_identifier_is_requested_with_each_header(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    file = _listed(tmp_path, f"http://{HOST}/a")
    for accepts in ([], ["turtle", "text/csv, */*;q=0.1", "turtle"]):
        _verify(servers, file, *(word for accept in accepts for word in ("--accept", accept)))

    for server in servers:
        sent = [headers.get("Accept") for headers in server.headers]
        assert sent == [*DEFAULT_HEADERS, "text/turtle", "text/csv, */*;q=0.1"]
        assert {frozenset(headers) for headers in server.headers} == {
            frozenset({"User-Agent"}),
            frozenset({"User-Agent", "Accept"}),
        }


def test_connections_are_kept_open(servers: tuple[Server, Server], tmp_path: Path) -> None:
    file = _listed(tmp_path, *(f"http://{HOST}/{number}" for number in range(40)))
    servers[1].answers |= {f"/{number}": (200, None) for number in range(40)}

    _plain(servers, file, "--at-once", "2")

    for server in servers:
        assert len(server.asked) == 40
        assert len(server.clients) <= 2


def test_a_connection_that_was_closed_is_opened_again(servers: tuple[Server, Server], tmp_path: Path) -> None:
    for server in servers:
        server.hangs_up = True
        server.answers |= {f"/{number}": (302, "https://a.example/x") for number in range(20)}

    result = _plain(servers, _listed(tmp_path, *(f"http://{HOST}/{number}" for number in range(20))))

    assert "20 same\n" in result.stdout
    assert [len(server.asked) for server in servers] == [20, 20]


def test_long_content_is_not_read(servers: tuple[Server, Server], tmp_path: Path) -> None:
    for server in servers:
        server.content = b"x" * 50_000_000
        server.answers |= {f"/{number}": (200, None) for number in range(3)}

    result = _plain(servers, _listed(tmp_path, *(f"http://{HOST}/{number}" for number in range(3))))

    assert "3 same\n" in result.stdout
    assert [len(server.clients) for server in servers] == [3, 3]


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
    _plain(servers, _listed(tmp_path, line))

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

    result = _plain(servers, tmp_path / name, "--at-once", "1")

    for server in servers:
        assert [f"{host}{path}" for _, host, path in server.asked] == asked
    assert f"0 same, 2 known to neither, {passed} passed over" in result.stdout
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

    result = _plain(servers, tmp_path / "wells.xlsx", *options)

    assert [path for _, _, path in servers[0].asked] == [asked]
    assert "1 passed over" in result.stdout
    assert "line 1 passed over: Only the sheet" in result.stdout


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
    assert "    there: no answer within 0.5 s" in result.stdout
    assert "    there: ConnectionRefusedError" in away.stdout


def test_an_address_that_cannot_be_requested_is_an_error_of_its_line(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    result = _plain(servers, _listed(tmp_path, f"http://{HOST}/a b", f"http://{HOST}/ä", "http://[x/"))

    assert result.exit_code == 1
    assert "0 same, 2 error at both, 1 passed over" in result.stdout
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

    assert (there.exit_code, len(servers[0].asked)) == (0, 5)
    assert (none.exit_code, "no stack" in none.stderr) == (2, True)


def test_verify_keeps_to_the_stated_rate_of_requests() -> None:
    slept: list[float] = []
    pace = RateLimit(4, lambda: 100 + sum(slept), slept.append)

    for _ in range(5):
        pace.wait()

    assert slept == pytest.approx([0.25] * 4)


def test_a_file_that_cannot_be_read_is_reported(servers: tuple[Server, Server], tmp_path: Path) -> None:
    (tmp_path / "names.xlsx").write_text("no workbook")

    result = _verify(servers, tmp_path / "names.xlsx")

    assert result.exit_code == 2
    assert "names.xlsx: " in result.stderr


def test_the_media_type_of_content_is_shown(servers: tuple[Server, Server], tmp_path: Path) -> None:
    for server, media_type in zip(servers, ("text/html", "text/turtle"), strict=True):
        server.answers["/a"] = (200, None)
        server.media_type = media_type

    result = _plain(servers, _listed(tmp_path, f"http://{HOST}/a"))

    assert "    here: 200 text/html\n    there: 200 text/turtle\n" in result.stdout
    assert "1 other media type" in result.stdout


def test_lines_without_identifiers_are_counted_by_reason(
    servers: tuple[Server, Server], tmp_path: Path
) -> None:
    result = _plain(servers, _listed(tmp_path, f"http://{HOST}/a", *["http://[x/"] * 3))

    assert result.stdout.splitlines()[:2] == [
        "line 2 and 2 others passed over: Invalid IPv6 URL",
        "0 same, 1 known to neither, 3 passed over",
    ]
