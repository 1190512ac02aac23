"""The query and the host as the edge received them, in the running stack: the secret identifies the edge."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest

from infra.local.stack import Options, Stack, local_stack
from tests.end_to_end.uploading import upload

OLD = "uri-gin/azgs/old/"
QUERY = "b=2&a=1&b=%33&c"
REBUILT = "b=2&b=3&a=1&c="
FILES: Mapping[str, list[Mapping[str, Any]]] = {
    "_host/start.jsonl": [
        {"record": "authority", "identifier": "uri-gin/azgs/", "title": "Survey"},
        {"record": "host", "identifier": "http://purl.example.org/", "title": "PURLs"},
    ],
    "purl.example.org/purls.jsonl": [
        {"identifier": "http://purl.example.org/net/x", "title": "X", "location": "https://example.org/x"}
    ],
    "uri-gin/azgs/rules.jsonl": [
        {
            "record": "rule",
            "identifier": OLD,
            "title": "Old maps",
            "location": "https://data.azgs.example/{+rest}",
            "pass_query": True,
        }
    ],
}


@pytest.fixture(scope="module")
def edged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack with a rule that passes the query on."""
    with local_stack(Options(logs=tmp_path_factory.mktemp("logs"))) as running:
        for key, lines in FILES.items():
            report = upload(running, key, "".join(json.dumps(line) + "\n" for line in lines).encode())
            assert report["counts"]["refused"] == 0, report["verdicts"]
        yield running


@pytest.fixture(scope="module")
def http(edged: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=edged.service, timeout=30) as client:
        yield client


@pytest.fixture(scope="module")
def secret(edged: Stack) -> str:
    """The secret that an operator reads and gives to the edge."""
    kept = edged.client("secretsmanager").get_secret_value(SecretId=edged.edge_secret)
    [value] = json.loads(kept["SecretString"]).values()
    return str(value)


def _location(http: httpx.Client, **headers: str) -> str:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return http.get(f"/{OLD}17?{QUERY}", headers=sent).headers["location"]


def test_the_query_of_the_edge_is_passed_on_unchanged(http: httpx.Client, secret: str) -> None:
    location = _location(http, X_Ginuri_Edge=secret, X_Ginuri_Query=QUERY)

    assert location == f"https://data.azgs.example/17?{QUERY}"


def test_a_query_from_any_other_client_is_ignored(http: httpx.Client) -> None:
    forged = _location(http, X_Ginuri_Edge="guessed", X_Ginuri_Query="forged=1")
    alone = _location(http, X_Ginuri_Query="forged=1")

    assert {forged, alone, _location(http)} == {f"https://data.azgs.example/17?{REBUILT}"}


def test_the_host_of_the_edge_is_the_requested_one(http: httpx.Client, secret: str) -> None:
    behind = {"X-Ginuri-Edge": secret, "X-Ginuri-Host": "purl.example.org"}

    asked = http.get("/net/x", headers=behind)
    described = http.get("/about.json", headers=behind).json()

    assert (asked.status_code, asked.headers["location"]) == (302, "https://example.org/x")
    assert described["uri"] == "http://purl.example.org/"


def test_a_host_from_any_other_client_is_ignored(http: httpx.Client) -> None:
    forged = http.get("/net/x", headers={"X-Ginuri-Edge": "guessed", "X-Ginuri-Host": "purl.example.org"})
    alone = http.get("/net/x", headers={"X-Ginuri-Host": "purl.example.org"})

    assert (forged.status_code, alone.status_code) == (404, 404)


def test_descriptions_use_the_host_of_the_edge_too(http: httpx.Client, secret: str) -> None:
    headers = {"X-Ginuri-Edge": secret, "X-Ginuri-Query": QUERY, "Accept": "application/json"}

    explained = http.get(f"/explain/{OLD}17", headers=headers).json()

    assert explained["location"] == f"https://data.azgs.example/17?{QUERY}"


def test_no_log_contains_the_secret_the_query_or_the_host(
    edged: Stack, http: httpx.Client, secret: str
) -> None:
    headers = {"X-Ginuri-Edge": secret, "X-Ginuri-Query": "told=nobody", "X-Ginuri-Host": "secret.example"}
    before = len(edged.log("ResolveFunction"))

    assert http.get(f"/{OLD}17", headers=headers).headers["location"].endswith("?told=nobody")

    while len(lines := edged.log("ResolveFunction")) == before:
        time.sleep(0.01)
    assert secret not in "".join(lines)
    assert "told=nobody" not in "".join(lines)
    assert "secret.example" not in "".join(lines)
