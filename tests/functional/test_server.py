"""The application of one machine in this process: faults, freshness and the log."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ginuri.server.application import LARGEST_BODY, Service
from ginuri.server.asgi import Message, Scope
from ginuri.sqlite.database import FILE, Database
from ginuri.sqlite.records import SqliteRegistry
from tests.builders import MAP, register

HOST = "resources.usgin.org"
SLOW = ("boto3", "botocore", "pydantic", "rdflib", "aws_lambda_powertools")
"""Modules that take long to import, and that no answer needs."""


@dataclass(frozen=True)
class Asked:
    """A service, and the lines of its log."""

    service: Service
    lines: list[str]

    def ask(
        self, path: str, method: str = "GET", body: bytes = b"", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Return the status, the headers and the body of an answer."""
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body}

        async def send(message: Message) -> None:
            sent.append(message)

        asyncio.run(self.service(_scope(path, method, **headers), receive, send))
        start, *bodies = sent
        fields: Sequence[tuple[bytes, bytes]] = start["headers"]
        names = {name.decode().lower(): value.decode() for name, value in fields}
        return start["status"], names, b"".join(body["body"] for body in bodies)


def _scope(path: str, method: str = "GET", **headers: str) -> Scope:
    return {
        "type": "http",
        "method": method,
        "raw_path": path.encode("ascii"),
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("192.0.2.1", 50_000),
    }


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    lines = list[str]()
    with closing(Service(Database(tmp_path), HOST, log=lines.append)) as service:
        yield Asked(service, lines)


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Database]:
    """The connection of another process to the same folder."""
    with closing(Database(tmp_path)) as database:
        yield database


def test_a_registration_of_another_process_is_answered_at_once(asked: Asked, other: Database) -> None:
    before = asked.ask("/uri-gin/azgs/")[0]

    register(SqliteRegistry(other), "uri-gin/azgs/", record="authority", title={"en": "Survey"})

    assert (before, asked.ask("/uri-gin/azgs/")[0]) == (404, 303)
    assert asked.ask("/about.json/uri-gin/azgs/")[0] == 200


def test_a_fault_is_a_problem_document_without_its_trace(
    asked: Asked, other: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    register(SqliteRegistry(other), MAP, title={"en": "Map"})
    with other.write() as connection:
        connection.execute("UPDATE record SET body = 'no json'")

    status, headers, body = asked.ask(f"/{MAP}")

    assert (status, headers["content-type"]) == (500, "application/problem+json")
    assert json.loads(body)["title"] == "Internal Server Error"
    assert "Traceback" in capsys.readouterr().err
    assert json.loads(asked.lines[-1])["outcome"] == "Fault"


@pytest.mark.parametrize("path", ["/uri-gin/azgs/", "/about/uri-gin/azgs/", "/health"])
def test_a_damaged_registry_is_unavailable(tmp_path: Path, path: str) -> None:
    Database(tmp_path).close()
    with (tmp_path / FILE).open("r+b") as file:
        file.seek(4_096)  # after the schema
        file.write(b"damaged" * 4_096)
    lines = list[str]()

    with closing(Service(Database(tmp_path), HOST, log=lines.append)) as service:
        status, _, _ = Asked(service, lines).ask(path)

    assert (status, json.loads(lines[-1])["outcome"]) == (503, "Unavailable")


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("OPTIONS", 204), ("POST", 405)])
def test_the_health_is_only_read(asked: Asked, method: str, status: int) -> None:
    code, headers, body = asked.ask("/health", method)

    assert code == status
    assert (body == b"") is (method != "POST")
    assert (int(headers.get("content-length", 0)) > 0) is (method != "OPTIONS")


def test_a_redirect_has_a_note_with_its_target(asked: Asked, other: Database) -> None:
    register(SqliteRegistry(other), "uri-gin/azgs/", record="authority", title={"en": "Survey"})

    status, headers, body = asked.ask("/uri-gin/azgs/")

    assert (status, headers["location"]) == (303, "/about/uri-gin/azgs/")
    assert headers["content-length"] == str(len(body))
    assert b'<a href="/about/uri-gin/azgs/">' in body


def test_a_service_without_a_log_writes_no_line(tmp_path: Path) -> None:
    with closing(Service(Database(tmp_path), HOST)) as service:
        assert Asked(service, []).ask("/uri-gin/")[0] == 404


def test_the_server_starts_without_slow_libraries() -> None:
    program = "import json, sys, ginuri.cli.serve, ginuri.server.serve; print(json.dumps([*sys.modules]))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  our own source
    imported: list[Any] = json.loads(ran.stdout)

    assert [name for name in SLOW if name in imported] == []


def test_an_answer_at_once_is_the_same_as_by_messages(asked: Asked, other: Database) -> None:
    register(SqliteRegistry(other), MAP, title={"en": "Map"}, location="https://example.org/map")

    sent = asked.service.answer_at_once(_scope(f"/{MAP}"))
    status, headers, body = asked.ask(f"/{MAP}")

    assert sent is not None
    assert (sent.status, sent.body) == (status, body)
    assert {name.decode().lower(): value.decode() for name, value in sent.headers} == headers


def test_a_description_is_not_answered_at_once(asked: Asked) -> None:
    assert asked.service.answer_at_once(_scope(f"/about/{MAP}")) is None


def test_a_target_without_a_path_is_refused_on_one_machine(asked: Asked) -> None:
    status, headers, _ = asked.ask("*")

    assert (status, headers["content-type"]) == (400, "application/problem+json")


@pytest.mark.parametrize(("length", "status"), [(0, 200), (LARGEST_BODY, 413)])
def test_a_list_to_resolve_has_a_greatest_length(asked: Asked, length: int, status: int) -> None:
    body = json.dumps(["uri-gin/azgs/"]).encode() + b" " * length

    assert asked.ask("/resolve", "POST", body, content_type="application/json")[0] == status
