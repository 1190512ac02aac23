"""The guides below `/docs/`: they equal the documentation, and every call in them works."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
import yaml

from ginuri.web.pages.guides import list_guides
from infra.docs import CONTENTS as SITE
from infra.docs import FOLDER
from infra.guides import API, CONTENTS, Call, calls, files
from infra.openapi import WRITTEN
from tests.api_service import AZGS, ApiService
from tests.builders import MAP, register
from tests.front import HOST, Front
from tests.functional.test_front_page import registry
from tests.interface import answers
from tests.steward import line

BROWSER = {"Accept": "text/html"}
INTERFACE = yaml.safe_load(WRITTEN.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """The functions over a small registry, with the map whose citation the interface asks for."""
    registered = registry()
    register(registered, MAP, title={"en": "Geologic map of Huachuca Mountain N"})
    return Front(registered, tmp_path_factory.mktemp("published"))


def test_the_served_guides_are_those_of_the_documentation() -> None:
    written = files()

    assert {
        file: file.read_text(encoding="utf-8") for file in next(iter(written)).parent.iterdir()
    } == written, "write them anew with `make guides`"


def test_every_guide_is_a_page_of_the_site() -> None:
    pages = {str(page.relative_to(FOLDER).with_suffix("")) for page in SITE}

    assert {page for listed in CONTENTS.values() for page in listed} <= pages


@pytest.mark.parametrize("name", list_guides())
def test_the_summary_of_a_guide_is_a_whole_sentence(name: str) -> None:
    summary = list_guides()[name].summary

    assert summary.endswith(".")
    assert ". " not in summary


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_list_of_guides_links_each(front: Front, language: str) -> None:
    listed = front.ask("/docs/", headers={**BROWSER, "Accept-Language": language})

    text = listed.content.decode()
    assert (listed.status, listed.headers["Content-Language"]) == (200, language)
    assert {guide.path for guide in list_guides().values()} <= set(re.findall('href="([^"]*)"', text))


@pytest.mark.parametrize("name", list_guides())
def test_every_link_within_the_guides_leads_somewhere(front: Front, name: str) -> None:
    answer = front.ask(f"/docs/{name}/", headers=BROWSER)

    page = answer.content.decode()
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "max-age=3600, stale-if-error=86400")
    assert page.count("<h1") == 1
    for link in {unescape(link) for link in re.findall('<a[^>]* href="([^"]*)"', page)}:
        address, _, anchor = link.partition("#")
        address = address.partition("?")[0]
        if address and not address.startswith("/docs/"):
            continue
        target = front.ask(address, headers=BROWSER) if address else answer
        assert target.status == 200, link
        assert not anchor or f'id="{anchor}"' in target.content.decode(), link


@pytest.mark.parametrize(("path", "where"), [("/docs", "/docs/"), ("/docs/api", "/docs/api/")])
def test_a_guide_without_its_slash_is_redirected(front: Front, path: str, where: str) -> None:
    answer = front.ask(path, headers=BROWSER)

    assert (answer.status, answer.headers["Location"]) == (301, where)


@pytest.mark.parametrize("path", ["/docs/none/", "/docs/contents.json", "/docs/../frame"])
def test_other_paths_under_the_guides_are_not_found(front: Front, path: str) -> None:
    answer = front.ask(path, headers={"Accept": "application/json"})

    assert answer.status == 404
    assert [each["href"] for each in json.loads(answer.content)["advice"]] == ["/docs/"]


def test_the_interface_page_has_every_operation_and_an_example_call(front: Front) -> None:
    page = unescape(front.ask(f"/docs/{API}/", headers=BROWSER).content.decode())

    for call in calls(INTERFACE):
        assert f"<code>{call.method} {call.path}</code>" in page
        assert call.write_curl().replace("host.invalid", HOST) in page


def _documented(call: Call) -> set[int]:
    return {status for status, _ in answers(INTERFACE["paths"][call.path][call.method.lower()])}


@pytest.mark.parametrize("call", [call for call in calls(INTERFACE) if not call.is_with_token])
def test_every_call_on_the_page_gets_a_listed_answer(front: Front, call: Call) -> None:
    address, _, query = call.target.partition("?")

    answer = front.ask(address, call.method, query, body=call.body or None)

    assert answer.status in _documented(call)
    assert (
        answer.status < 400 or call.path == "/explain" or call.path.startswith(("/timemap", "/{identifier}"))
    )


@pytest.mark.parametrize("call", [call for call in calls(INTERFACE) if call.is_with_token])
def test_every_call_with_a_token_gets_a_listed_answer(call: Call) -> None:
    service = ApiService()
    service.steward.deliver(service.steward.put("uri-gin/azgs/a.jsonl", line(f"{AZGS}doc/map/dgm-50")))
    sent = b"identifier,title\n" if call.body.startswith("@") else call.body.encode()
    kind = {} if call.body.startswith("@") else {"content_type": "application/json"}

    answer = service.ask(call.method, call.target, sent, **kind)

    assert answer.status in _documented(call)
    # No upload of the example has this version, and no token this identifier.
    assert answer.status < 400 or (answer.status == 404 and re.search(r"\{(version|id)\}", call.path))


def _found(front: Front, query: str) -> list[str]:
    page = front.ask("/docs/", query=query, headers=BROWSER).content.decode()
    near = page.partition('<ul class="near"')[2].partition("</ul>")[0]
    return re.findall('<li><a href="([^"]*)"', near)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("q=undo+an+upload", "/docs/undo-an-upload/"),
        ("q=Statuses", "/docs/statuses/"),
        ("q=retire", "/docs/retire-identifiers/"),
    ],
)
def test_a_search_in_the_guides_finds_their_sections(front: Front, query: str, first: str) -> None:
    found = _found(front, query)

    assert any(path.startswith(first) for path in found[:5])
    for path in found[:3]:
        name, _, anchor = path.partition("#")
        page = front.ask(name, headers=BROWSER).content.decode()
        assert not anchor or f'id="{anchor}"' in page


def test_unknown_words_find_no_section_of_the_guides(front: Front) -> None:
    answered = front.ask("/docs/", query="q=quokka+%3Cscript%3E", headers=BROWSER)

    assert answered.status == 200
    assert "No section of the guides has all of these words." in answered.content.decode()
    assert "<script>" not in answered.content.decode()


def test_every_guide_has_the_search(front: Front) -> None:
    for path in ("/docs/", "/docs/search/"):
        assert 'action="/docs/"' in front.ask(path, headers=BROWSER).content.decode()
