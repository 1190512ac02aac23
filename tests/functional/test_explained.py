"""The explanation of an answer, as a path that a person can follow, and requests with another answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import unescape
from typing import Any
from urllib.parse import quote, unquote

import pytest

from ginuri.i18n.catalogue import spoken_languages
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.statements import FIRST
from ginuri.web.response import LARGEST_BODY
from infra.catalogues import SOURCES, extract
from tests.builders import MAP, PUT, keyed, register, stamp
from tests.front import HOST, Front

BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"
ACT = "uri-gin/azgs/doc/act"
REPORT = "uri-gin/azgs/doc/report"
NOTE = "uri-gin/azgs/doc/note"
SHEET = "uri-gin/azgs/doc/sheet"
TABLE = "uri-gin/azgs/doc/table"
LAW = "uri-gin/azgs/doc/law"
LARGE = "uri-gin/azgs/doc/large"
OPEN = "uri-gin/azgs/doc/open"
DATA = "uri-gin/azgs/vocabulary/"
# The explained requests: a path after `/explain/`, a query, and headers; every sentence occurs in one.
ENGLISH_MARK = '<span lang="en"'
CASES: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "a thing": (MAP, "", {}),
    "a thing, nothing preferred": (MAP, "Accept=", {}),
    "a thing, as data": (MAP, "Accept=text%2Fturtle", {}),
    "a thing, as a browser asks": (MAP, "", {"Accept": BROWSER, "Accept-Language": "es, en;q=0.5"}),
    "one format preferred, others refused": (MAP, "Accept=image%2Ftiff%2C%20image%2Fpng%3Bq%3D0", {}),
    "a profile": (MAP, "Accept-Profile=%3Chttps%3A%2F%2Fprofiles.example%2Fgis%3E", {}),
    "a refused profile": (TABLE, "Accept-Profile=%3Chttps%3A%2F%2Fprofiles.example%2Fgis%3E%3Bq%3D0", {}),
    "a parameter": (SHEET, "Accept=text%2Fhtml%3Bcharset%3Dutf-8%2C%20%2A%2F%2A%3Bq%3D0.1", {}),
    "data in a browser": (DATA, f"Accept={quote(BROWSER, safe='')}", {}),
    "a query argument": (MAP, "_mediatype=image%2Ftiff", {}),
    "a document": (REPORT, "", {}),
    "a document, nothing acceptable": (REPORT, "Accept=image%2Fpng", {}),
    "a document in two languages": (NOTE, "", {}),
    "a file": (f"{MAP}m.pdf", "", {}),
    "a timegate": (ACT, "Accept-Datetime=Sun%2C%2006%20Nov%201994%2008%3A49%3A37%20GMT", {}),
    "a timegate of one version": (LAW, "", {}),
    "a large file": (f"{LARGE}.tif", "", {}),
    "a version that is none": (f"{ACT}/1850-01-01", "", {}),
    "a description": ("uri-gin/azgs/", "", {}),
    "with a query": ("uri-gin/azgs/old/7", "x=1", {}),
    "under a rule": ("uri-gin/azgs/old/7", "", {}),
    "registered under a rule": ("uri-gin/azgs/old/kept", "", {}),
    "under no rule": ("uri-gin/azgs/none/a/b", "", {}),
    "another writing": ("uri-gin/%61zgs/", "", {}),
    "retired": ("uri-gin/azgs/gone/", "", {}),
    "withheld": ("uri-gin/azgs/withheld/", "", {}),
    "not registered": ("uri-gin/azgs/doc/nothing/", "", {}),
    "an unregistered scheme": ("uri-soil/x/y", "", {}),
    "an unregistered scheme with an authority": ("uri-rock/", "", {}),
    "below a withheld ARK": ("ark:12345/x8/c3", "", {}),
    "another host answers": ("uri-gin/away/1", "", {}),
    "an unregistered host": ("http://other.example/1", "", {}),
    "a registered host": (f"http://{HOST}/doc/1", "", {}),
    "malformed": ("uri-gin/azgs//x", "", {}),
    "no scheme": ("ftp://example.org/x", "", {}),
    "a well-known scheme": ("doi:10.1000/182", "", {}),
    "an alias": ("uri-gin/azgs/synonym", "", {}),
    "a thing, with a document of the same name": (f"{REPORT}/", "", {}),
    "an alias of two": ("uri-gin/azgs/either", "", {}),
    "a language preferred": (NOTE, "Accept-Language=es", {}),
    "a range preferred": (MAP, "Accept=image%2F*%2C%20application%2Fpdf%3Bq%3D0.1", {}),
    "a format that is not stated": (OPEN, "Accept=image%2Fpng", {}),
    "a fallback": ("uri-moved/it/1", "", {}),
    "two preferences": (SHEET, "Accept=text%2Fhtml%2C%20text%2Fplain%3Bq%3D0.5&Accept-Language=es", {}),
}


WRITERS = (
    "explanation.py",
    "explanation_choice.py",
    "explanation_steps.py",
    "templates/explanation.html",
)


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """The functions with a registration for every sentence."""
    registry = MemoryRegistry()
    arguments = {"_mediatype": "media_type"}
    register(registry, f"//{HOST}/", record="host", title={"": "A host"}, query_arguments=arguments)
    register(registry, "uri-gin/", record="scheme", title={"": "Geoscience identifiers"})
    register(registry, "uri-moved/", record="scheme", fallback="legacy.example.net")
    register(registry, "uri-gin/azgs/", record="authority", title={"en": "Survey", "es": "Servicio"})
    register(registry, "uri-gin/away/", record="authority", answered_by="maps.example.org")
    forms = [
        _form("m.tif", "image/tiff", role=["canonical"]),
        _form("m.pdf", "application/pdf", role=["default"]),
        _form("m.json", "application/geo+json", profile="https://profiles.example/gis"),
    ]
    register(registry, MAP, title={"en": "A map", "es": "Un mapa"}, representations=forms)
    tables = [
        _form(".json", "application/json", role=["default"], profile="https://profiles.example/gis"),
        _form(".csv", "text/csv"),
    ]
    register(registry, TABLE, title={"": "A table"}, representations=tables)
    pages = [_form(".html", "text/html"), {"location": "https://data.example.org/open"}]
    turtle = [_form("all.ttl", "text/turtle")]
    register(registry, DATA, title={"": "A vocabulary"}, representations=turtle)
    register(registry, OPEN, title={"": "A page, and all else"}, representations=pages)
    register(registry, REPORT, title={"": "A report"}, representations=[_form(".pdf", "application/pdf")])
    register(registry, f"{REPORT}/", title={"": "What it reports on"})
    texts = [_form(f".{language}", "text/plain", language=language) for language in ("en", "es")]
    register(registry, NOTE, title={"": "A note"}, representations=texts)
    days = [_form(day, "text/html", valid_from=day) for day in ("1991-02-01", "1997-06-01")]
    register(registry, ACT, title={"": "An act"}, representations=days)
    register(
        registry,
        LAW,
        title={"": "A law"},
        representations=[_form("1991-02-01", "text/html", valid_from="1991-02-01")],
    )
    file = {
        "key": "l",
        "version": "v1",
        "length": LARGEST_BODY + 1,
        "sha256": "ab" * 32,
        "stored": PUT.format(0),
    }
    register(
        registry,
        LARGE,
        title={"": "Large"},
        dereference="content",
        representations=[{"media_type": "image/tiff", "part": ".tif", "file": file}],
    )
    register(registry, "uri-gin/azgs/gone/", status="retired", title={"": "Old"}, reason="Lost.")
    held: dict[str, Any] = {
        "title": {"": "A secret"},
        "representations": [_form("secret.pdf", "application/pdf")],
    }
    register(registry, "uri-gin/azgs/withheld/", status="withheld", reason="By order of a court.", **held)
    register(registry, "uri-gin/azgs/synonym", record="alias", stands_for=[MAP])
    register(registry, "uri-gin/azgs/either", record="alias", stands_for=[MAP, REPORT])
    sheets = [
        _form(f".{language}.{extension}", media_type, language=language)
        for language, extension, media_type in (
            ("en", "txt", "text/plain"),
            ("en", "html", "text/html"),
            ("es", "txt", "text/plain"),
            ("es", "html", "text/html"),
        )
    ]
    register(registry, SHEET, title={"": "A sheet"}, representations=sheets)
    register(registry, "uri-rock/azgs/", record="authority")
    register(registry, "ark:12345/x8", status="withheld", reason="By order of a court.")
    for prefix, pattern in (
        ("uri-gin/azgs/old/", "{id}"),
        ("uri-gin/azgs/none/", "{id}"),
        ("ark:12345/", "{id}"),
    ):
        place = ("rules", pattern)
        form = {FIRST: 0, "location": "https://data.example.org/{id}", "media_type": "text/html"}
        stated: dict[Any, Any] = {
            (*place, "representations", "form", name): value for name, value in form.items()
        }
        registry.write(apply(Record(prefix, {}), keyed(stated), stamp()))
    register(registry, "uri-gin/azgs/old/kept", title={"": "Kept"})
    return Front(registry, tmp_path_factory.mktemp("published"), MemoryContentStore())


def _form(part: str, media_type: str, **fields: Any) -> dict[str, Any]:
    return {"part": part, "media_type": media_type, "location": f"https://data.example.org/{part}", **fields}


def _page(front: Front, case: str, language: str = "en") -> str:
    path, query, headers = CASES[case]
    query = "&".join(filter(None, (query, f"lang={language}")))
    answer = front.ask(f"/explain/{path}", query=query, headers={**headers, "Accept": BROWSER})
    assert answer.status == 200
    return answer.content.decode()


def _told(front: Front, case: str) -> Mapping[str, Any]:
    path, query, headers = CASES[case]
    # A client of JSON cannot change the request on the page, so the test sends each alternative.
    tried = (f"{name}={quote(value, safe='')}" for name, value in headers.items())
    query = "&".join(filter(None, (query, *tried)))
    told: Mapping[str, Any] = json.loads(front.ask(f"/explain/{path}", query=query).content)
    return told


def _text(page: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", "", page)))


@pytest.mark.parametrize("language", spoken_languages())
def test_every_explanation_is_in_one_language(front: Front, language: str) -> None:
    for case in CASES:
        page = _page(front, case, language)
        assert f'<html lang="{language}">' in page
        assert ENGLISH_MARK not in page


def test_every_sentence_of_explanations_appears_in_one_of_them(front: Front) -> None:
    texts = [_text(_page(front, case)) for case in CASES]
    sentences = {
        form
        for entry in extract([SOURCES[0] / "web/pages" / name for name in WRITERS])
        if entry.id
        for form in ([entry.id] if isinstance(entry.id, str) else entry.id)
    }

    missing = {
        sentence
        for sentence in sentences
        if not any(
            re.search(".{0,200}?".join(map(re.escape, re.split(r"\{\w+\}", sentence))), text)
            for text in texts
        )
    }
    assert missing == set()


@pytest.mark.parametrize(
    ("case", "sentences"),
    [
        (
            "a thing, nothing preferred",
            ["Any format and any language will do.", "3 formats are available", "303 See Other"],
        ),
        ("a thing", ["You prefer no other, and it is the default."]),
        ("a range preferred", ["You prefer its format to the others.", "m.tif"]),
        ("a language preferred", ["You prefer its language to the others.", "note.es"]),
        ("a profile", ["It has the profile that you prefer.", "m.json"]),
        (
            "a refused profile",
            [
                "Profiles that are refused: https://profiles.example/gis.",
                "Formats with a profile that you refuse are left out.",
                "table.csv",
            ],
        ),
        ("a parameter", ["You prefer its format to the others.", "sheet.en.html"]),
        (
            "a format that is not stated",
            ["Its format is not stated, and you prefer none of the stated ones.", "Format not stated"],
        ),
        ("two preferences", ["Of all that you prefer together, it has most.", "sheet.es.html"]),
        ("data in a browser", ["Its own formats are data, and you prefer a web page to them."]),
        ("an alias", [f"It stands for {MAP}.", "301 Moved Permanently"]),
        ("an alias of two", ["It can mean 2 identifiers", "300 Multiple Choices"]),
        ("another writing", ["uri-gin/%61zgs/", "The normal form is uri-gin/azgs/."]),
        ("a file", ["It names a file", "It is the only one."]),
        ("a document, nothing acceptable", ["None of them is one that you take.", "406 Not Acceptable"]),
        ("under a rule", ["A rule applies", "{id}"]),
        ("registered under a rule", ["No rule is asked"]),
        ("not registered", ["The nearest registered name above it is Survey.", "404 Not Found"]),
        ("retired", ["Status: Retired.", "410 Gone"]),
        ("withheld", ["451 Unavailable For Legal Reasons"]),
        ("another host answers", ["maps.example.org answers for it.", "307 Temporary Redirect"]),
        ("malformed", ["It cannot be read as an identifier", "400 Bad Request"]),
    ],
)
def test_an_explanation_describes_the_outcome(front: Front, case: str, sentences: list[str]) -> None:
    text = _text(_page(front, case))

    assert [sentence for sentence in sentences if sentence not in text] == []


def test_the_faulty_part_is_marked(front: Front) -> None:
    assert "uri-gin/azgs/<mark>/</mark>x" in _page(front, "malformed")


def test_an_explanation_reveals_no_data_of_a_withheld_identifier(front: Front) -> None:
    page = _page(front, "withheld")

    assert "A secret" not in page
    assert "secret.pdf" not in page


@pytest.mark.parametrize("case", CASES)
def test_an_alternative_has_the_answer_that_it_promises(front: Front, case: str) -> None:
    told = _told(front, case)

    answers = [(told["status"], told["location"])]
    for alternative in told["alternatives"]:
        ((header, value),) = alternative["change"].items()
        path, query, headers = CASES[case]
        if header == "identifier":
            path = value
        else:
            headers = {**headers, header: value}
        pairs = dict(pair.split("=") for pair in query.split("&") if pair)
        tried = {name: unquote(text) for name, text in pairs.items() if name.startswith("Accept")}
        own = "&".join(pair for pair in query.split("&") if not pair.startswith("Accept"))
        answer = front.ask(f"/{path}", query=own, headers={**tried, **headers})
        assert answer.status == alternative["status"]
        assert answer.headers.get("Location") == alternative["location"]
        answers.append((alternative["status"], alternative["location"]))
    assert len(set(answers)) == len(answers)


@pytest.mark.parametrize("case", ["a thing", "a profile", "a timegate", "under a rule", "with a query"])
def test_an_alternative_leads_to_its_own_explanation(front: Front, case: str) -> None:
    path, query, headers = CASES[case]
    answer = front.ask(f"/explain/{path}", query=f"{query}&lang=en", headers={**headers, "Accept": BROWSER})
    links = re.findall(r'<li><a href="(/explain/[^"]*)">', answer.content.decode().partition('id="tried"')[2])

    explained = []
    for link in links:
        where, _, asked = unescape(link).partition("?")
        explained.append(
            json.loads(front.ask(where, query=asked, headers={"Accept": "application/json"}).content)
        )
    assert len({(other["status"], other["location"]) for other in explained}) == len(links)


@pytest.mark.parametrize(
    ("path", "accept", "status"),
    [
        ("uri-gin/azgs/either", "text/html", 300),
        ("uri-gin/azgs/doc/nothing/", "text/html", 404),
        (REPORT, "text/html", 406),
        ("uri-gin/azgs/gone/", "text/html", 410),
        ("uri-gin/azgs/withheld/", "text/html", 451),
        ("uri-gin/azgs//x", "text/html", 400),
        ("uri-gin/azgs/%zz", "text/html", 400),
    ],
)
def test_an_answer_without_identifier_links_its_explanation_and_keeps_the_box(
    front: Front, path: str, accept: str, status: int
) -> None:
    answer = front.ask(f"/{path}", headers={"Accept": accept})
    page = answer.content.decode()
    [why] = re.findall('<a href="([^"]*)" rel="help"', page)

    explained = json.loads(front.ask(unescape(why), query=f"Accept={quote(accept, safe='')}").content)

    assert (answer.status, explained["status"]) == (status, status)
    assert f'name="q" value="{path}"' in page
