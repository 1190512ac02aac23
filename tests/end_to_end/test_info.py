"""`info:` over HTTP: the path arrives byte for byte, and the register is there for people and machines."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPConnection

import httpx
import pytest

from infra.local.stack import Stack


@pytest.fixture(scope="module")
def http(stack: Stack) -> Iterator[httpx.Client]:
    """A client of the running stack."""
    with httpx.Client(base_url=stack.service, timeout=30) as client:
        yield client


def _see(stack: Stack, path: str) -> tuple[int, str | None]:
    """Request a path unchanged: most clients would normalize it."""
    connection = HTTPConnection(stack.service.removeprefix("http://"), timeout=30)
    connection.putrequest("GET", path, skip_accept_encoding=True)
    connection.endheaders()
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers["Location"]


# RFC 4452 §4.3 a and c: an empty segment, and escapes that must stay
@pytest.mark.parametrize(
    "name", ["info:ddc/22/eng//004.678", "info:sici/0363-0277(19950315)120:5%3C%3E1.0.TX;2-V"]
)
def test_an_example_of_the_source_arrives_unchanged(stack: Stack, name: str) -> None:
    assert _see(stack, f"/{name}") == (303, f"/about/{name}")
    assert _see(stack, f"/about/{name}")[0] == 200


def test_a_dot_segment_is_part_of_the_name(stack: Stack) -> None:
    assert _see(stack, "/info:pmid/a/../b") == (303, "/about/info:pmid/a/../b")


def test_the_client_keeps_the_fragment(http: httpx.Client) -> None:
    led = http.get("/resolve", params={"uri": "info:pmid/12376099#abstract"})

    assert (led.status_code, led.headers["Location"]) == (302, "/info:pmid/12376099#abstract")


@pytest.mark.parametrize(
    ("media_type", "words"),
    [("text/html", "Managed by"), ("text/turtle", "skos:ConceptScheme"), ("application/json", "registrant"),
     ("text/csv", "registrant")],
)  # fmt: skip
def test_the_register_of_namespaces_is_a_page_and_data(
    http: httpx.Client, media_type: str, words: str
) -> None:
    given = http.get("/info:", headers={"Accept": media_type}, follow_redirects=True)

    assert given.headers["Content-Type"].startswith(media_type)
    assert "National Library of Medicine" in given.text or media_type == "text/turtle"
    assert words in given.text
