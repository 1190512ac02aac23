"""The recorded choices of another server, made by the running stack over HTTP."""

from __future__ import annotations

import json
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from infra.local.stack import Stack
from tests.end_to_end.uploading import upload

KEY = "uri-gin/azgs/negotiation.jsonl"
EVERY = 5
"""One of so many recorded cases is requested over HTTP: tests/unit/resolution makes all choices."""
UNLIKE = ["Accept", "text/html; level=1"]
"""The other server refuses it, because no offered form states the parameter; decision 23 has our reasons."""


def _cases(folder: Path) -> list[dict[str, Any]]:
    names = ("media-types-sample.jsonl", "languages-sample.jsonl")
    texts = ((folder / "negotiation" / name).read_text(encoding="utf-8") for name in names)
    cases = [json.loads(line) for text in texts for line in text.splitlines()]
    return [case for number, case in enumerate(cases) if number % EVERY == 0 or UNLIKE in case["headers"]]


def _document(number: int) -> str:
    return f"uri-gin/azgs/doc/case{number}"


def _registration(number: int, variants: list[dict[str, Any]]) -> dict[str, Any]:
    forms = []
    for variant in variants:
        form = {"part": f".{variant['id']}", "media_type": variant["type"], "language": variant.get("lang")}
        form |= {"quality": float(variant["qs"])} if variant["qs"] is not None else {}
        form["location"] = f"https://example.org/{number}/{variant['id']}"
        forms.append({name: value for name, value in form.items() if value is not None})
    return {"identifier": _document(number), "title": f"Case {number}", "representations": forms}


@pytest.fixture(scope="module")
def cases(stack: Stack, shared_data: Path) -> list[dict[str, Any]]:
    """Register a document for every case."""
    cases = _cases(shared_data)
    lines = [json.dumps(_registration(number, case["variants"])) for number, case in enumerate(cases)]
    report = upload(stack, KEY, "\n".join(lines).encode())
    assert report["counts"]["registered"] == len(cases)
    return cases


def _choose(connection: HTTPConnection, number: int, headers: list[list[str]]) -> str | None:
    connection.putrequest("GET", f"/{_document(number)}", skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    response.read()
    if response.status == 406:
        return None
    assert response.status == 302, (number, response.status)
    return (response.headers["Location"] or "").rpartition(".")[2]


def test_negotiation_over_http_matches_the_recorded_choices(
    stack: Stack, cases: list[dict[str, Any]]
) -> None:
    with closing(HTTPConnection(stack.service.removeprefix("http://"), timeout=30)) as connection:
        chosen = [_choose(connection, number, case["headers"]) for number, case in enumerate(cases)]

    different = [
        (case["headers"], case["expect"], it)
        for it, case in zip(chosen, cases, strict=True)
        if it not in case.get("expect_any", [case["expect"]])
    ]
    assert len(cases) > 70
    assert {name for case in cases for name, _ in case["headers"]} == {"Accept", "Accept-Language"}
    assert different == [([UNLIKE], None, "v0")]
