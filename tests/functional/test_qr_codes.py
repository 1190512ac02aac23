"""Does a page have the QR code of its identifier, cached as long as it stays the same?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ginuri.descriptions.html.qr_code import draw_qr_code
from ginuri.registry.model import RecordType
from tests.builders import MAP
from tests.front import HOST, Front
from tests.resolving import Service

AUTHORITY, WITHHELD, RETIRED = "uri-gin/azgs/", "uri-gin/azgs/withheld", "uri-gin/azgs/retired"
FORM, VERSION = f"{MAP}m.pdf", f"{MAP}1997-06-01"
CITED = "http://resources.usgin.org"


@pytest.fixture
def front(tmp_path: Path) -> Front:
    """Identifiers of each sort, cited on the first host that their authority trusts."""
    service = Service()
    service.register(
        AUTHORITY,
        second=1,
        record=str(RecordType.AUTHORITY),
        title={"en": "AZGS"},
        trusted_hosts=["resources.usgin.org"],
    )
    form = {"part": "m.pdf", "media_type": "application/pdf", "location": "https://a.example/m.pdf"}
    version = {"valid_from": "1997-06-01", "media_type": "text/html", "location": "https://a.example/1"}
    service.register(MAP, title={"en": "Map"}, representations=[form, version])
    service.register(WITHHELD, status="withheld", reason="A court.")
    service.register(RETIRED, status="retired", reason="Lost.")
    return Front(service.registry, tmp_path)


@pytest.mark.parametrize("name", [AUTHORITY, MAP, FORM, VERSION, WITHHELD, RETIRED])
def test_the_code_contains_the_cited_uri(front: Front, name: str) -> None:
    answer = front.ask(f"/qr.svg/{name}")

    assert (answer.status, answer.headers["Content-Type"]) == (200, "image/svg+xml")
    assert answer.content == draw_qr_code(f"{CITED}/{name}")


def test_the_code_of_a_host_has_its_address(front: Front) -> None:
    assert front.ask(f"/qr.svg/http://{HOST}/").content == draw_qr_code(f"http://{HOST}/")


@pytest.mark.parametrize("path", ["/about/", f"/about/{AUTHORITY}", f"/about/{MAP}", f"/about/{WITHHELD}"])
def test_a_page_may_load_its_code(front: Front, path: str) -> None:
    page = front.ask(path, headers={"Accept": "text/html"})

    [source] = re.findall('<img src="([^"]*)"', page.content.decode())
    directives = page.headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "img-src 'self'"} <= set(directives)
    assert front.ask(source).status == 200


def test_a_code_is_cached_for_a_day_and_revalidated_by_tag(front: Front) -> None:
    answer = front.ask(f"/qr.svg/{MAP}")
    known = front.ask(f"/qr.svg/{MAP}", headers={"If-None-Match": answer.headers["ETag"]})

    assert answer.headers["Cache-Control"] == "max-age=86400, stale-if-error=86400"
    assert not answer.headers["ETag"].startswith("W/")
    assert (known.status, known.content) == (304, b"")
    assert front.ask(f"/qr.svg/{MAP}", "HEAD").headers == answer.headers


def test_another_spelling_leads_to_the_code_of_the_normal_form(front: Front) -> None:
    answer = front.ask("/qr.svg/uri-gin/%61zgs/")

    assert (answer.status, answer.headers["Location"]) == (301, f"/qr.svg/{AUTHORITY}")


@pytest.mark.parametrize(
    ("name", "status"),
    [
        (f"{AUTHORITY}none", 404),
        ("nope/x", 404),
        ("http://other.example/1", 404),
        ("uri-gin//azgs", 400),
        (f"{AUTHORITY}{'x' * 1024}", 400),
    ],
)
def test_an_identifier_without_a_description_has_no_code(front: Front, name: str, status: int) -> None:
    code = front.ask(f"/qr.svg/{name}")

    assert (code.status, front.ask(f"/about/{name}").status) == (status, status)
    assert front.ask(f"/qr.svg/{name}", headers={"Accept": "text/html"}).content.startswith(b"<!doctype")


@pytest.mark.parametrize("longest", [f"http://{'h' * 253}/{'x' * 1024}"])
def test_the_longest_uri_of_an_identifier_fits_into_a_code(longest: str) -> None:
    assert draw_qr_code(longest).startswith(b"<svg ")
