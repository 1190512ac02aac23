"""A registry on one machine, `ginuri serve`, over HTTP."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from ginuri.sqlite.database import Database
from infra.smoke.exchange import Address
from infra.smoke.registrations import REGISTRY, upload_order
from infra.smoke.runner import Target, run
from infra.smoke.table import TABLE, read_table
from tests.served_folder import PATIENCE, OneMachine, runs, serving, start, wait_for

SCHEME = {"identifier": "uri-gin/", "record": "scheme", "title": {"en": "Geoscience"}}
AUTHORITY = {"identifier": "uri-gin/survey/", "record": "authority", "title": {"en": "Survey"}}
FILE = "/uri-gin/smoke/long/long.bin"
LONG = bytes(range(256)) * 80_000
"""A file of 20 MB."""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OneMachine]:
    """A server with two answering processes, and what the smoke test needs."""
    folder = tmp_path_factory.mktemp("one") / "registry"
    options = ("--workers", "2", "--proxy", "127.0.0.2", "--canonical-host", "id.example.org")
    with serving(folder, *options) as machine:
        for key in upload_order(REGISTRY):
            report = machine.upload(key, (REGISTRY / key).read_bytes())
            assert report["counts"]["refused"] == 0, report
        machine.upload("uri-gin/smoke/long.bin", LONG)
        machine.register(
            "uri-gin/smoke/long.jsonl",
            {
                "identifier": "uri-gin/smoke/long/",
                "title": {"en": "Long file"},
                "dereference": "content",
                "representations": [{"part": "long.bin", "media_type": "image/tiff", "file": "long.bin"}],
            },
        )
        wait_for(lambda: machine.ask("/registry").status == 200)
        yield machine


def test_the_smoke_test_passes_on_one_machine(machine: OneMachine) -> None:
    # Queries arrive as they were sent, as they do through the edge of AWS.
    place = frozenset({"edge", "local", "published", "api"})

    results = list(
        run(read_table(TABLE), Target(Address.read(f"http://127.0.0.1:{machine.port}"), {}, 30), place)
    )

    assert len(results) == sum(request.places <= place for request in read_table(TABLE).requests)
    assert [str(result) for result in results if result.faults] == []


@pytest.mark.parametrize(
    ("target", "status", "text"),
    [
        ("/uri-gin/smoke/map/a%2Fb/", 303, ""),
        ("/uri-gin/smoke//map/", 400, "uri-gin/smoke//map/"),
        ("//uri-gin/smoke/", 404, "//uri-gin/smoke/"),
        ("/uri-gin/smoke/../smoke/", 400, "uri-gin/smoke/../smoke/"),
        ("/uri-gin/smoke/%zz", 400, "uri-gin/smoke/%zz"),
        ("/uri-gin/smoke/#x", 400, "uri-gin/smoke/#x"),
        ("/uri-gin/smoke/%3Fa", 404, "uri-gin/smoke/%3Fa"),
        ("http://other.example/uri-gin/smoke/", 303, ""),
        ("*", 400, "The target of a request is a path"),
    ],
)
def test_a_target_reaches_the_registry_byte_for_byte(
    machine: OneMachine, target: str, status: int, text: str
) -> None:
    received = machine.send_raw(
        f"GET {target} HTTP/1.1\r\nHost: id.example.org\r\nConnection: close\r\n\r\n".encode()
    )

    assert received.startswith(f"HTTP/1.1 {status} ".encode())
    assert text in received.decode()


def test_a_head_without_an_end_is_refused(machine: OneMachine) -> None:
    with (
        socket.create_connection(("127.0.0.1", machine.port), 30) as connection,
        pytest.raises(ConnectionError),
    ):
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: " + bytes(100_000_000).replace(b"\0", b"a"))


def test_a_long_stored_file_is_streamed_whole(machine: OneMachine) -> None:
    answer = machine.ask(FILE)

    assert (answer.status, answer.headers["content-length"]) == (200, str(len(LONG)))
    assert hashlib.sha256(answer.body).digest() == hashlib.sha256(LONG).digest()


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [("bytes=0-", 0, 20_479_999), ("bytes=7-12000000", 7, 12_000_000), ("bytes=-5", 20_479_995, 20_479_999)],
)
def test_a_range_of_a_long_file_is_read_from_disk(
    machine: OneMachine, asked: str, first: int, last: int
) -> None:
    answer = machine.ask(FILE, Range=asked)

    assert answer.status == 206
    assert answer.headers["content-range"] == f"bytes {first}-{last}/{len(LONG)}"
    assert answer.body == LONG[first : last + 1]


def test_a_head_of_a_long_file_has_its_length(machine: OneMachine) -> None:
    answer = machine.ask(FILE, "HEAD")

    assert (answer.status, answer.headers["content-length"], answer.body) == (200, str(len(LONG)), b"")


def test_a_client_that_leaves_a_long_file_disturbs_nobody(machine: OneMachine) -> None:
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", machine.port)) as connection:
            connection.sendall(f"GET {FILE} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert connection.recv(1_000)

    assert machine.ask("/uri-gin/smoke/").status == 303
    assert "Traceback" not in machine.log


def test_a_forwarded_host_counts_only_from_a_named_proxy(machine: OneMachine) -> None:
    sent = {"Host": "internal.example", "X-Forwarded-Host": "lent.example.org"}
    request = "GET /uri-gin/smoke/lent/1/ HTTP/1.1\r\nConnection: close\r\n"
    head = (request + "".join(f"{name}: {value}\r\n" for name, value in sent.items()) + "\r\n").encode()

    by_proxy, by_client = machine.send_raw(head, "127.0.0.2"), machine.send_raw(head)

    assert b"\r\nlocation: http://lent.example.org/" in by_client  # the identifier is answered on that host
    assert b"\r\nlocation: http://lent.example.org/" not in by_proxy


def test_an_upload_is_visible_in_every_answering_process(machine: OneMachine) -> None:
    before = {machine.ask("/uri-gin/smoke/new/").status for _ in range(20)}

    machine.register("uri-gin/smoke/new.jsonl", {"identifier": "uri-gin/smoke/new/", "title": {"en": "New"}})

    assert before == {404}
    assert {machine.ask("/uri-gin/smoke/new/").status for _ in range(20)} == {303}


def test_a_body_beyond_the_limit_is_refused_with_a_problem(machine: OneMachine) -> None:
    answer = machine.ask("/resolve", "POST", bytes(10 * 1024 * 1024 + 1))

    assert (answer.status, answer.json["status"]) == (413, 413)


def test_the_body_of_a_get_is_ignored(machine: OneMachine) -> None:
    assert machine.ask("/uri-gin/smoke/", "GET", bytes(1_000_000)).status == 303


def test_the_health_of_a_registry_has_its_queue(machine: OneMachine) -> None:
    answer = machine.ask("/health")

    assert answer.status == 200
    assert answer.json["records"] is True
    assert answer.json["ingest"] is True
    assert answer.json["queue"].keys() == {"waiting", "oldest_seconds", "failed"}


def test_every_request_is_one_line_of_the_log(machine: OneMachine) -> None:
    machine.ask("/uri-gin/smoke/?secret=1")
    [*_, line] = [json.loads(line) for line in machine.log.splitlines() if '"/uri-gin/smoke/"' in line]

    assert line.pop("duration") > 0
    assert line.pop("request_id")
    assert line == {
        "function": "resolve",
        "outcome": "SeeDescription",
        "status": 303,
        "method": "GET",
        "path": "/uri-gin/smoke/",
    }


def test_reports_have_an_address_of_their_own(machine: OneMachine) -> None:
    listed = httpx.get(machine.reports, trust_env=False)

    assert "uri-gin/smoke/long.jsonl" in listed.text
    assert machine.ask("/reports/").status == 404


def test_a_folder_is_served_once(machine: OneMachine, tmp_path: Path) -> None:
    assert "is served already" in _refusal(machine.folder, tmp_path)


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("Dear", encoding="utf-8")

    assert "is no registry: it has letter.txt, but no ginuri.sqlite" in _refusal(tmp_path / "other", tmp_path)


def test_a_used_port_is_refused(machine: OneMachine, tmp_path: Path) -> None:
    refusal = _refusal(tmp_path / "registry", tmp_path, "--port", str(machine.port))

    assert f"port {machine.port} cannot be used" in refusal


def test_a_killed_child_is_started_again(tmp_path: Path) -> None:
    with serving(tmp_path / "registry", "--workers", "1") as machine:
        first = wait_for(lambda: children if len(children := machine.children()) == 3 else None)

        for child in first:
            os.kill(child, signal.SIGKILL)

        second = wait_for(lambda: children if len(children := machine.children()) == 3 else None)
        assert not set(first) & set(second)
        wait_for(lambda: machine.ask("/health").json["ingest"])
        machine.register("_host/scheme.jsonl", SCHEME)
        assert machine.ask("/uri-gin/").status == 303


def test_a_killed_server_loses_nothing_and_leaves_no_process(tmp_path: Path) -> None:
    folder = tmp_path / "registry"
    with serving(folder, "--workers", "2", "--canonical-host", "id.example.org") as machine:
        machine.register("_host/scheme.jsonl", SCHEME, AUTHORITY)
        children = machine.children()
        machine.process.kill()
        machine.process.wait()
        wait_for(lambda: not any(map(runs, children)), 10)

    with serving(folder) as machine:
        answer = machine.ask("/uri-gin/survey/")

        assert answer.status == 303
        assert "http://id.example.org/uri-gin/survey/" in answer.headers["link"]


def test_examples_are_registered_once(tmp_path: Path) -> None:
    folder = tmp_path / "registry"
    for _ in range(2):
        with serving(folder, "--examples") as machine:
            wait_for(lambda: machine.ask("/health").json["queue"]["waiting"] == 0)

            assert machine.ask("/uri-gin/azgs/").status == 303

    with closing(Database(folder)) as database:
        counted = database.read(
            "SELECT max(number) FROM (SELECT count(*) AS number FROM upload GROUP BY key)"
        )
    assert counted == [(1,)]


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "This registry is empty"), ("es", "Este registro está vacío")]
)
def test_an_empty_registry_shows_the_first_steps(empty: OneMachine, language: str, heading: str) -> None:
    page = empty.ask("/", Accept="text/html", Accept_Language=language)

    assert page.status == 200
    assert heading in page.body.decode()
    assert "ginuri upload hosts.jsonl" in page.body.decode()


def test_an_interrupted_server_finishes_its_requests(tmp_path: Path) -> None:
    with serving(tmp_path / "registry") as machine:
        assert machine.ask("/health").status == 200

    assert machine.process.returncode == 0
    assert "Traceback" not in machine.log


def test_a_server_ends_at_once_even_while_it_starts(tmp_path: Path) -> None:
    with serving(tmp_path / "registry") as machine:
        started = time.monotonic()
        machine.process.send_signal(signal.SIGTERM)

        assert machine.process.wait(PATIENCE) == 0
        assert time.monotonic() - started < 5


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OneMachine]:
    with serving(tmp_path_factory.mktemp("empty") / "registry", "--workers", "1") as machine:
        yield machine


def _refusal(folder: Path, logs: Path, *options: str) -> str:
    with (logs / "refusal.log").open("w+", encoding="utf-8") as log:
        process = start(folder, log, *options)
        assert process.wait(PATIENCE) == 2
        log.seek(0)
        return log.read()
