"""A host that moved in: its fallback, its names at paths of the service, and the log of what falls back."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.stack import Stack
from tests.end_to_end.commands import run_ginuri
from tests.end_to_end.uploading import upload

HOST, LEGACY = "data.moved.example", "legacy.moved.example"
ROWS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "_host/moved.jsonl": [
        {
            "record": "host",
            "identifier": f"http://{HOST}/",
            "title": "Moved",
            "fallback": LEGACY,
            "pages": False,
        }
    ],
    f"{HOST}/names.jsonl": [
        {"identifier": f"http://{HOST}/registry/def/water", "title": "Water"},
        {"identifier": f"http://{HOST}/search", "title": "Search", "location": "https://new.example/search"},
    ],
}


@pytest.fixture(scope="module")
def moved(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Stack:
    """A stack with some names of the host, one of them a stored file."""
    for key, rows in ROWS.items():
        body = "".join(f"{json.dumps(row)}\n" for row in rows)
        report = upload(stack, key, body.encode())
        assert report["counts"]["refused"] == 0, report["verdicts"]
    folder = tmp_path_factory.mktemp("stored")
    (folder / "file").write_text("User-agent: *", encoding="utf-8")
    name = f"http://{HOST}/robots.txt"
    ran = run_ginuri(stack, folder, "upload", str(folder / "file"), "--as", name, "--json")
    assert ran.exit_code == 0, ran.output
    return stack


@pytest.fixture(scope="module")
def http(moved: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=moved.service, timeout=30, headers={"Host": HOST}) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/search", 302, "https://new.example/search"),
        ("/robots.txt", 200, None),
        ("/registry", 307, f"http://{LEGACY}/registry"),
        ("/registry/def/air?x=1", 307, f"http://{LEGACY}/registry/def/air?x=1"),
        ("/x//a%2Fb", 307, f"http://{LEGACY}/x//a%2Fb"),
        ("/assets/style.css", 200, None),
    ],
)
def test_a_moved_host_answers_its_names_and_leads_on_the_rest(
    http: httpx.Client, path: str, status: int, location: str | None
) -> None:
    answer = http.get(path)

    assert (answer.status_code, answer.headers.get("location")) == (status, location)


def test_a_name_of_a_moved_host_is_described_on_the_canonical_host(http: httpx.Client, moved: Stack) -> None:
    redirect = http.get("/registry/def/water")
    where = redirect.headers["location"]

    assert redirect.status_code == 303
    assert where.endswith(f"/about/http://{HOST}/registry/def/water")
    assert not where.startswith(f"http://{HOST}/")
    path = where.partition("://")[2].partition("/")[2]
    assert httpx.get(f"{moved.service}/{path}", timeout=30).status_code == 200


def test_each_request_that_falls_back_is_counted(http: httpx.Client, moved: Stack) -> None:
    http.get("/counted/once")
    http.get("/members/counted")

    for function, path in (("ResolveFunction", "/counted/once"), ("DescribeFunction", "/members/counted")):
        line = _line(moved, function, path)
        assert (line["outcome"], line["FallenBack"], line["status"]) == ("FallenBack", 1, 307)
        assert (line["stated_by"], line["fallback"]) == (f"//{HOST}/", LEGACY)


def _line(stack: Stack, function: str, path: str) -> Any:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        lines = [json.loads(line) for line in stack.log(function) if line.startswith("{")]
        for line in lines:
            if line.get("path") == path:
                return line
        time.sleep(0.05)
    raise AssertionError(f"no line about {path}")


def test_the_folder_of_a_moved_host_is_uploaded_like_any_other(moved: Stack, tmp_path: Path) -> None:
    file = tmp_path / "more.csv"
    file.write_text(f"identifier,title\nhttp://{HOST}/about,About\n", encoding="utf-8")

    ran = run_ginuri(moved, tmp_path, "upload", str(file), "--under", f"{HOST}/", "--yes")

    assert ran.exit_code == 0, ran.output
