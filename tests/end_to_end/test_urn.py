"""URNs and the resolution services over HTTP: queries arrive, and known names are answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email import message_from_string

import httpx
import pytest

from infra.local import EXAMPLES
from infra.local.stack import Stack


@pytest.fixture(scope="module")
def client(stack: Stack) -> Iterator[httpx.Client]:
    """A client of the stack."""
    with httpx.Client(base_url=stack.service, timeout=30) as made:
        yield made


def test_the_eleven_pairs_of_the_policy_document_resolve_both_ways(client: httpx.Client) -> None:
    lines = (EXAMPLES / "urn:cgi/urns.jsonl").read_text("utf-8").splitlines()
    pairs = [(each["identifier"], each["stands_for"]) for each in map(json.loads, lines)]
    assert len(pairs) == 11
    for urn, uri in pairs:
        moved = client.get(f"/{urn}")
        assert (moved.status_code, f"http://resources.usgin.org{moved.headers['location']}") == (301, uri)
        assert client.get(f"/uri-res/N2Ns?{urn}").text.splitlines()[1:] == [uri]
        assert client.get(f"/uri-res/N2Ns?{uri}").text.splitlines()[1:] == [urn]


def test_a_service_returns_one_location_or_all_of_them(client: httpx.Client) -> None:
    one = client.get("/uri-res/N2L?urn:ietf:rfc:2141")
    listed = client.get("/uri-res/N2Ls?URN:IETF:rfc:2141")

    assert (one.status_code, one.headers["location"]) == (303, "https://www.rfc-editor.org/rfc/rfc2141.html")
    assert listed.headers["content-type"] == "text/uri-list"
    assert listed.text.splitlines() == [
        "# urn:ietf:rfc:2141",
        "https://www.rfc-editor.org/rfc/rfc2141.html",
        "https://www.rfc-editor.org/rfc/rfc2141.txt",
    ]


def test_a_urn_is_found_in_all_its_forms(client: httpx.Client) -> None:
    answer = client.get("/uri-res/N2Rs?urn:ietf:rfc:2141")

    message = message_from_string(f"Content-Type: {answer.headers['content-type']}\n\n{answer.text}")
    assert message.get_content_type() == "multipart/alternative"
    assert len(message.get_payload()) == 2


def test_a_urn_is_described(client: httpx.Client) -> None:
    answer = client.get("/uri-res/N2C?urn:ietf:rfc:2141", follow_redirects=True)

    assert (answer.status_code, str(answer.url.raw_path, "ascii")) == (200, "/about/urn:ietf:rfc:2141")
    assert "URN Syntax" in answer.text


def test_an_unregistered_urn_of_a_known_namespace_gets_advice(client: httpx.Client) -> None:
    answer = client.get("/urn:isbn:0451450523", headers={"Accept": "application/json"})

    assert answer.status_code == 404
    assert "https://openlibrary.org/isbn/0451450523" in answer.text


@pytest.mark.parametrize(("path", "status"), [("/uri-res/N2L", 400), ("/uri-res/N2X?urn:a1:b", 404)])
def test_a_malformed_service_request_gets_an_example(client: httpx.Client, path: str, status: int) -> None:
    answer = client.get(path, headers={"Accept": "application/json"})

    assert answer.status_code == status
    assert "N2L" in answer.json()["detail"]
