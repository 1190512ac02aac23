"""A steward's work in the folder of a host, over HTTP and with the real handlers, and into a fresh stack."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local import EXAMPLES
from infra.local.schedule import publish
from infra.local.stack import Options, Stack, local_stack
from infra.local.uploads import upload_folder
from tests.end_to_end.commands import run_ginuri

HOST, NET = "purl.example.org", "http://purl.example.org/net/"


def _get(stack: Stack, path: str, host: str = HOST, **more: Any) -> httpx.Response:
    return httpx.get(f"{stack.service}{path}", headers={"Host": host}, timeout=30, **more)


@pytest.fixture
def fresh(tmp_path: Path) -> Any:
    """Another stack, with nothing registered."""
    with local_stack(Options(logs=tmp_path / "logs")) as running:
        yield running


def test_a_domain_of_a_host_moves_to_another_stack(stack: Stack, fresh: Stack, tmp_path: Path) -> None:
    taken, again = tmp_path / "taken", tmp_path / "again"
    taking = ("export", "--to", str(taken), "--files", "--under", f"{HOST}/")
    assert run_ginuri(stack, tmp_path, *taking).exit_code == 0
    upload_folder(fresh, taken, EXAMPLES, print)

    assert run_ginuri(fresh, tmp_path, "export", "--to", str(again), "--files").exit_code == 0
    lines = (taken / HOST / "export.jsonl").read_text()
    assert (again / HOST / "export.jsonl").read_text() == lines
    compared = run_ginuri(
        stack, tmp_path, "diff", str(taken / HOST / "export.jsonl"), str(again / HOST / "export.jsonl")
    )
    assert (compared.exit_code, compared.stdout) == (0, "")

    # Before the name of the host moves to the fresh stack, the two are compared.
    verified = run_ginuri(
        *(fresh, tmp_path, "verify", str(taken / HOST / "export.jsonl"), "--against", stack.service),
        *("--rate", "1000", "--timeout", "60"),
    )
    assert verified.exit_code == 0, verified.output
    assert "50 same, 5 known to neither, 8 passed over" in verified.stdout

    moved = run_ginuri(
        *(fresh, tmp_path, "relocate", "--from", "https://www.example.org/reports"),
        *("--to", "https://new.example/reports", "--many", "--yes", "--json"),
    )
    assert moved.exit_code == 0, moved.output
    [report] = json.loads(moved.stdout)["reports"]
    assert report["upload"]["key"] == f"{HOST}/relocate.jsonl"
    assert report["counts"]["changed"] == 2
    undone = run_ginuri(
        *(fresh, tmp_path, "rollback", f"{HOST}/relocate.jsonl#{report['upload']['version']}"),
        *("--many", "--yes"),
    )
    assert undone.exit_code == 0, undone.output


def test_names_bound_to_a_host_are_published_and_found(stack: Stack) -> None:
    told: list[str] = []
    publish(stack, told.append)

    found = _get(stack, f"/search?q=redirection&authority={NET}").json()
    index = _get(stack, "/sitemap.xml")
    dataset = gzip.decompress(_get(stack, "/registry.jsonl.gz").content).decode()

    assert [each["identifier"] for each in found["results"]] == ["//purl.example.org/net/report"]
    assert index.status_code == 200
    assert f'"identifier": "{NET}report"' in dataset


def test_a_host_describes_itself_and_lists_its_domains(stack: Stack) -> None:
    page = _get(stack, "/about.json")

    assert page.json()["title"] == "A server of persistent URLs"
