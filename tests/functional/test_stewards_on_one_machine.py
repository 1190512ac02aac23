"""Stewards on one machine: the same interface over a registry folder, for callers that can keep a secret."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from ginuri.files.reports.report import refused_key
from ginuri.server.application import Service
from ginuri.server.ingest_process import IngestRunner
from ginuri.server.requests import NamedProxies, read_network
from ginuri.sqlite.database import Database
from tests.stacks import AZGS, JANE, settle_steward

HOST = "ids.example.org"
HERE, PROXY, ELSEWHERE = "127.0.0.1", "192.0.2.7", "198.51.100.9"
WELL = "/api/records/uri-gin%2Fazgs%2Fwell%2F1"


class Machine:
    """The application over a settled folder, with a steward's token."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.secret = settle_steward(folder)
        self.lines: list[str] = []
        self._runner = asyncio.Runner()
        proxies = NamedProxies([read_network(PROXY)])
        self._service = Service(Database(folder), HOST, proxies, self.lines.append)

    def close(self) -> None:
        self._service.close()
        self._runner.close()

    def work(self) -> None:
        """Process the uploads that wait."""
        with IngestRunner(self.folder, log=lambda _line: None) as runner:
            assert runner.acquire()
            runner.run_until_idle()

    def ask(  # noqa: PLR0913, PLR0917  the parts of a request
        self,
        method: str,
        target: str,
        body: bytes = b"",
        headers: Mapping[str, str] = MappingProxyType({}),
        peer: str = HERE,
        host: str = "localhost:8000",
    ) -> tuple[int, Mapping[str, str], bytes]:
        path, _, query = target.partition("?")
        fields = {"host": host, "authorization": f"Bearer {self.secret}", **headers}
        scope = {
            "type": "http",
            "method": method,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in fields.items()],
            "client": (peer, 5000),
        }
        return self._runner.run(self._call(scope, body))

    async def _call(self, scope: dict[str, Any], body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        received, sent = [{"type": "http.request", "body": body}], list[Any]()

        async def receive() -> dict[str, Any]:
            if received:
                return received.pop()
            await asyncio.sleep(3600)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self._service(scope, receive, send)
        fields = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], fields, b"".join(part.get("body", b"") for part in sent[1:])


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with closing(Machine(tmp_path_factory.mktemp("registry"))) as machine:
        yield machine


def test_a_record_is_changed_within_the_machine(machine: Machine) -> None:
    status, _, body = machine.ask("PUT", WELL, b'{"title": "Well"}')
    machine.work()
    report = machine.ask("GET", json.loads(body)["report"])
    record = json.loads(machine.ask("GET", WELL)[2])
    history = json.loads(machine.ask("GET", f"{WELL}/history")[2])["history"]

    assert status == 202
    assert json.loads(report[2])["principal"] == JANE
    assert record["registration"]["title"] == "Well"
    assert [step["principal"] for step in history] == [JANE]


@pytest.mark.parametrize(
    ("peer", "host", "headers", "status"),
    [
        (HERE, "localhost:8000", {}, 200),
        (HERE, "127.0.0.1:8000", {}, 200),
        (HERE, HOST, {}, 403),
        (ELSEWHERE, "localhost:8000", {}, 403),
        (ELSEWHERE, HOST, {}, 403),
        (ELSEWHERE, HOST, {"x-forwarded-proto": "https"}, 403),
        (HERE, "localhost", {"x-forwarded-proto": "https"}, 403),
        (PROXY, HOST, {}, 403),
        (PROXY, HOST, {"x-forwarded-proto": "http"}, 403),
        (PROXY, HOST, {"x-forwarded-proto": "https"}, 200),
        (PROXY, "backend", {"x-forwarded-proto": "https", "x-forwarded-host": HOST}, 200),
        (PROXY, "other.example", {"x-forwarded-proto": "https"}, 421),
    ],
)
def test_a_token_is_accepted_within_the_machine_or_by_https_only(
    machine: Machine, peer: str, host: str, headers: Mapping[str, str], status: int
) -> None:
    answer = machine.ask("GET", "/api/me", headers=headers, peer=peer, host=host)

    assert answer[0] == status
    assert answer[1]["cache-control"] == "no-store"


def test_a_request_of_a_steward_is_one_line_of_the_log(machine: Machine) -> None:
    machine.lines.clear()
    machine.ask("GET", "/api/me?x=1")
    machine.ask("GET", "/api/me", headers={"authorization": "Bearer gin_wrong"})
    machine.ask("GET", f"/api/{machine.secret}")

    known, unknown, leaked = map(json.loads, machine.lines)
    assert (known["function"], known["outcome"], known["path"]) == ("api", "answered", "/api/me")
    assert known["principal"] == JANE
    assert (unknown["outcome"], unknown["status"]) == ("no-valid-token", 401)
    assert "principal" not in unknown
    assert leaked["path"] == "/api/gin_…"
    assert not any("_aws" in line for line in machine.lines)


def test_a_body_beyond_the_limit_of_one_machine_is_refused(machine: Machine) -> None:
    answer = machine.ask("POST", f"/api/uploads?folder={AZGS}&name=a.pdf", b"x" * (10 * 1024 * 1024 + 1))

    assert answer[0] == 413


def test_a_file_is_only_uploaded_in_a_request(machine: Machine) -> None:
    assert machine.ask("POST", f"/api/uploads?folder={AZGS}&name=a.pdf&size=9")[0] == 400


def test_a_stored_file_is_read_and_restored(machine: Machine) -> None:
    store = f"/api/uploads?folder={AZGS}&name=map.pdf"
    line = json.dumps(
        {
            "identifier": "uri-gin/azgs/doc/map/1",
            "title": "Map",
            "representations": [{"file": "map.pdf", "media_type": "application/pdf"}],
        }
    ).encode()
    upload = f"/api/uploads?folder={AZGS}&name=maps.jsonl"
    for body in (b"%PDF one", b"%PDF two"):
        machine.ask("POST", store, body)
        machine.work()
        last = json.loads(machine.ask("POST", upload, line)[2])
        machine.work()
    with closing(Database(machine.folder)) as database:
        rows = database.read("SELECT key, version FROM content ORDER BY rowid")
    key, version = rows[0]
    file = machine.ask("GET", f"/api/files/{key.replace('/', '%2F')}/{version}")
    missing = machine.ask("GET", f"/api/files/{key.replace('/', '%2F')}/none")
    undone = machine.ask("POST", f"{last['report']}/undo")
    machine.work()
    report = json.loads(machine.ask("GET", json.loads(undone[2])["report"])[2])

    assert (file[0], file[2]) == (200, b"%PDF one")
    assert missing[0] == 404
    assert undone[0] == 202
    assert report["counts"]["changed"] == 1


def test_a_report_larger_than_an_answer_of_aws_is_sent_whole(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ginuri.api.routes.reports.LARGEST_BODY", 10)
    sent = json.loads(machine.ask("POST", f"/api/uploads?folder={AZGS}&name=b.jsonl", b"{}\n")[2])
    machine.work()
    status, headers, body = machine.ask("GET", sent["report"])

    assert status == 200
    assert int(headers["content-length"]) == len(body)
    assert refused_key(sent["key"], sent["version"]) == json.loads(body)["refused_lines"]
