"""The bench of one machine calls all servers alike, and counts the CPU of all their processes."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from ginuri.sqlite.database import Database
from ginuri.sqlite.records import SqliteRegistry
from infra.bench.dynamodb_local import NotHere
from infra.bench.one_machine.__main__ import compare
from infra.bench.one_machine.busy import Busy
from infra.bench.one_machine.hits import CLOSED, KEPT, Hits, Spent, measure
from infra.bench.one_machine.paced import Latency, send_paced
from infra.bench.one_machine.registry import make_registry
from infra.bench.one_machine.servers import OTHERS, OURS, memory_of, run_command, used_cpu
from infra.bench.one_machine.tables import Watched, write_hits, write_watched
from infra.bench.peers.__main__ import judge
from infra.bench.peers.servers import Server, Start, running
from infra.bench.records import UNDER, change, registered

pytestmark = pytest.mark.untraced
_LEANEST = "FastAPI, sqlite3"
_FILES = "import http.server, os; http.server.test(port=int(os.environ['PORT']), bind='127.0.0.1')"


def test_a_bulk_loaded_registry_has_the_rows_of_the_adapter(tmp_path: Path) -> None:
    names = ["uri-gin/", "uri-gin/azgs/", "uri-gin/azgs/doc/", UNDER, *map(registered, range(12))]
    make_registry(tmp_path / "loaded", 12)

    with closing(Database(tmp_path / "written")) as written, closing(Database(tmp_path / "loaded")) as loaded:
        for name in names:
            SqliteRegistry(written).write(change(name))

        assert _rows(loaded) == _rows(written)
        assert len(_rows(loaded)) == len(names)


def _rows(database: Database) -> list[Any]:
    return database.read("SELECT * FROM record ORDER BY identifier")


def test_nginx_is_wrong_only_about_quality_values() -> None:
    with _running(OTHERS["nginx, map"]) as server:
        answers = judge(server.answer)

    assert {probe for probe, is_right in answers.items() if not is_right} == {"q"}


def test_the_leanest_fastapi_is_wrong_about_escapes_and_quality_values() -> None:
    with _running(OTHERS[_LEANEST]) as server:
        answers = judge(server.answer)

    assert {probe for probe, is_right in answers.items() if not is_right} == {"%2F", "q"}


def test_a_server_is_measured_on_kept_and_on_closed_connections() -> None:
    with _running(OTHERS["nginx, map"]) as server, _wrk():
        cores = os.sched_getaffinity(0)
        hits = measure({OURS: server}, 10, rounds=1, seconds=1)[OURS]

        assert os.sched_getaffinity(0) == cores
    assert hits.memory > 0
    assert hits.spent[CLOSED].cpu > hits.spent[KEPT].cpu > 0
    assert {spent.ratio for spent in hits.spent.values()} == {1}


def test_a_server_without_a_registered_name_is_not_measured() -> None:
    start = partial(run_command, f"{sys.executable} -c {shlex.quote(_FILES)}")

    with pytest.raises(RuntimeError, match="does not redirect"):
        compare(10, {"files": start}, 1, 1, print)


def test_a_missing_server_is_reported_by_name() -> None:
    def start(*_: object) -> Any:
        raise NotHere("there is no such server here")

    reported: list[str] = []

    assert compare(10, {"another": start}, 1, 1, reported.append) == {}
    assert reported == ["another: there is no such server here"]


def test_the_cpu_of_ended_threads_is_counted() -> None:
    server = Server(os.getpid(), HTTPConnection("127.0.0.1"))
    before = used_cpu(server)
    (thread := Thread(target=_burn, args=(0.2,))).start()
    thread.join()

    assert used_cpu(server) - before >= 0.15


def _burn(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_memory_is_given_for_each_process() -> None:
    with _running(OTHERS["nginx, map"]) as server:
        assert len(memory_of(server)) == 2
        assert all(part > 0 for part in memory_of(server))


def test_an_answer_that_delays_the_next_requests_counts_for_them() -> None:
    with _redirecting(after=0.1) as port:  # a connection is due every 40 ms
        until = time.monotonic() + 0.6
        latency = send_paced(port, 10, lambda: time.monotonic() < until)

    assert latency.median > 150
    assert latency.most > 2 * 100
    assert latency.p99 <= latency.most


@contextmanager
def _redirecting(after: float) -> Iterator[int]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            time.sleep(after)
            self.send_response(303)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_the_tables_have_a_dash_for_a_missing_server() -> None:
    spent = Spent(180.4, 171.5, 203.2, 1)
    hits = {
        1_000: {
            OURS: Hits({KEPT: spent, CLOSED: spent}, 60.2),
            "nginx": Hits({KEPT: spent, CLOSED: spent}, 5),
        },
        1_000_000: {OURS: Hits({KEPT: spent, CLOSED: spent}, 61)},
    }

    kept, closed, memory = (
        [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
        for table in write_hits(hits).split("\n\n")[1::2]
    )

    assert kept == closed
    assert kept[0] == ["", "1,000", "range", "ratio", "1,000,000", "range", "ratio"]
    assert kept[2:] == [
        [OURS, *(["180 µs", "172-203", "1.00"] * 2)],
        ["nginx", "180 µs", "172-203", "1.00", "-", "-", "-"],
    ]
    assert memory[2:] == [[OURS, "60 MiB", "61 MiB"], ["nginx", "5 MiB", "-"]]


def test_the_table_of_an_upload_has_latencies_speed_and_memory() -> None:
    busy = Busy(Latency(6_000, 1.52, 4.04, 9.6), Latency(18_000, 2, 15.26, 40), 100_000, 80.0, 901.4)
    rows = write_watched({1_000: Watched(0.55, 3.2, [20, 40.4], busy, [20, 80])})

    cells = dict([cell.strip() for cell in line.split("|")[1:-1]] for line in rows.splitlines())

    assert cells == {
        "": "1,000",
        **{key: cells[key] for key in cells if key.startswith("-")},
        "ready": "0.55 s",
        "the folder": "3 MiB",
        "memory at rest": "20 + 40 MiB",
        "redirects at rest": "median 1.5 ms, p99 4.0 ms, most 10 ms",
        "redirects during the upload": "median 2.0 ms, p99 15.3 ms, most 40 ms",
        "rows of the upload": "100,000: 1,250 a second, 901 µs CPU each",
        "memory after the upload": "20 + 80 MiB",
    }


@contextmanager
def _wrk() -> Iterator[None]:
    try:
        yield
    except NotHere as reason:
        pytest.skip(str(reason))


@contextmanager
def _running(start: Start) -> Iterator[Server]:
    with ExitStack() as stack:
        try:
            server = stack.enter_context(running(start, 10))
        except NotHere as reason:
            pytest.skip(str(reason))
        yield server
