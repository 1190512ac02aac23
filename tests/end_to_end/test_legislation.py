"""The Acts of `examples/` over HTTP; `tests/functional/test_legislation.py` cites the source."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from infra.local.schedule import publish
from infra.local.stack import Stack
from tests.legislation import HOST, bare

ACT = "/ukpga/1985/67"


@pytest.fixture(scope="module")
def client(stack: Stack) -> Iterator[httpx.Client]:
    """A client of the stack with the published examples, which requests names of the host."""
    publish(stack, lambda _: None)
    with httpx.Client(base_url=stack.service, headers={"Host": HOST}, timeout=30) as client:
        yield client


def test_an_identifier_leads_to_its_document_and_its_representation(client: httpx.Client) -> None:
    item = client.get(f"/id{ACT}")
    document = client.get(bare(item.headers["Location"]), headers={"Accept": "application/xml"})
    representation = client.get(bare(document.headers["Content-Location"]))

    assert (item.status_code, document.status_code, representation.status_code) == (303, 200, 200)
    assert document.headers["Content-Type"] == "application/xml"
    assert document.content == representation.content


@pytest.mark.parametrize(
    ("path", "status", "leads_to"),
    [
        ("/id?title=The%20Transport%20Act%201985", 301, f"/id{ACT}"),
        ("/id?title=Disability%20Rights%20Commission%20Act", 300, None),
        ("/id/ukpga/1955/19", 300, None),
        ("/id/wsi/2002/w89", 301, "/id/wsi/2002/808"),
        (f"{ACT}/1990-12-31", 302, f"{ACT}/1991-02-01"),
        (f"{ACT}/1985-10-29", 404, None),
        (f"{ACT}/section/6/=england+wales", 200, None),
        (f"{ACT}/section/6/england+scotland/2003-04-01/data.xml", 200, None),
        (f"{ACT}/section/7", 404, None),
        ("/uksi/2002/808/data.htm", 301, "/wsi/2002/808/data.htm"),
    ],
)
def test_the_path_arrives_byte_for_byte_and_is_answered(
    client: httpx.Client, path: str, status: int, leads_to: str | None
) -> None:
    answer = client.get(path)

    assert answer.status_code == status
    assert (bare(answer.headers["Location"]) if "Location" in answer.headers else None) == leads_to


def test_a_memento_client_gets_the_text_of_the_past_moment(client: httpx.Client) -> None:
    answer = client.get(ACT, headers={"Accept-Datetime": "Sun, 01 Jun 1997 00:00:00 GMT"})

    assert answer.status_code == 200
    assert answer.headers["Memento-Datetime"] == "Mon, 01 Apr 1996 00:00:00 GMT"
    assert "as in force from 1996-04-01" in answer.text


def test_an_act_is_described_on_another_host(stack: Stack) -> None:
    with httpx.Client(base_url=stack.service, timeout=30) as elsewhere:
        described = elsewhere.get(f"/about.json/http://{HOST}{ACT}").json()
        explained = elsewhere.get(f"/explain/http://{HOST}{ACT}/1997-06-01").json()

    assert described["title"] == "The Transport Act 1985"
    assert explained["status"] == 302
