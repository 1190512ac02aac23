"""Does an embargo hide all that it should until its day, and nothing from then on?"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ginuri.identifiers import parse
from ginuri.identifiers.service_paths import TIMEMAP_TYPES, description_path, members_path, timemap_path
from ginuri.registry.model import Status
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.descriptions.formats import FORMATS, LIST_FORMATS
from ginuri.resolution.outcomes import Embargoed, SeeRepresentation
from ginuri.resolution.versions.as_of import decide_then
from ginuri.urn_services.decision import Service
from tests.answers import Answer
from tests.front import Front
from tests.steward import Steward, line, settled

SECRET = "Quokka"  # noqa: S105  not a password
DAY = "2027-03-01"
END = datetime(2027, 3, 1, tzinfo=UTC)
LAST = END - timedelta(milliseconds=1)
"""The last millisecond of the embargo."""
DOC, BOX = "uri-gin/azgs/doc/", "ark:12345/x8"
THING, DOCUMENT, COLLECTION, RULED = f"{DOC}78/", f"{DOC}79", f"{DOC}all/", f"{DOC}ruled/"
KEY = "uri-gin/azgs/maps.jsonl"
EMBARGO = {"status": "embargoed", "until": DAY, "reason": "The article is not out yet."}
NAMES = (
    *(THING, f"{THING}{SECRET}.pdf", f"{THING}{SECRET}", f"{THING}1997-06-01", f"{THING}current"),
    *(DOCUMENT, f"{DOCUMENT}.pdf", f"{DOCUMENT}/1997-06-01", f"{RULED}5"),
)


def _record(identifier: str, **fields: Any) -> str:
    elsewhere = f"https://{SECRET.lower()}.example/"
    stated = {
        "title": "A map",
        "description": f"{SECRET} country.",
        "part_of": COLLECTION,
        "spatial": [-110.3, 31.5],
        "properties": {"creator": SECRET, "type": "Image", "source": elsewhere},
        "links": [{"rel": "license", "href": elsewhere}],
        "representations": [
            {"part": ".pdf" if identifier == DOCUMENT else f"{SECRET}.pdf", "location": f"{elsewhere}a.pdf"},
            {"valid_from": "1997-06-01", "media_type": "text/html", "location": f"{elsewhere}1997"},
            {"valid_from": "2005-06-01", "media_type": "text/html", "location": f"{elsewhere}2005"},
        ],
    }
    return line(identifier, **stated, **fields)


def _steward(**fields: Any) -> Steward:
    steward = settled()
    rule = {"record": "rule", "title": "Maps", "location": f"https://{SECRET.lower()}.example/{{+rest}}"}
    lines = (line(COLLECTION, title="All maps"), line(RULED, **rule, **fields))
    report = steward.upload(KEY, "".join((*lines, _record(THING, **fields), _record(DOCUMENT, **fields))))
    assert report.refused == {}
    return steward


@pytest.fixture(scope="module")
def steward() -> Steward:
    return _steward(**EMBARGO)


@pytest.fixture(scope="module")
def before(steward: Steward, tmp_path_factory: pytest.TempPathFactory) -> Front:
    return Front(steward.memory, tmp_path_factory.mktemp("before"), now=LAST)


@pytest.fixture(scope="module")
def after(steward: Steward, tmp_path_factory: pytest.TempPathFactory) -> Front:
    return Front(steward.memory, tmp_path_factory.mktemp("after"), now=END)


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Front:
    steward = _steward(**{**EMBARGO, "until": "2001-01-01"})
    return Front(steward.memory, tmp_path_factory.mktemp("ended"), now=END)


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Front:
    steward = _steward(reason=EMBARGO["reason"])
    return Front(steward.memory, tmp_path_factory.mktemp("valid"), now=END)


def _paths() -> Iterator[str]:
    yield from (f"/{name}" for name in NAMES)
    for name in (THING, DOCUMENT, COLLECTION, RULED, DOC, "uri-gin/azgs/"):
        yield from (description_path(name, extension=each) for each in ("", *FORMATS))
        yield from (members_path(name, extension=each) for each in ("", *LIST_FORMATS))
        yield from (timemap_path(name, extension=each) for each in TIMEMAP_TYPES)
        yield f"/explain/{name}"
    yield from (
        "/",
        "/suggest",
        "/feed.atom",
        "/sitemaps/1.xml.gz",
        "/registry",
        "/registry.jsonl.gz",
        "/registry.tests.json",
    )


def _text(answer: Answer) -> str:
    content = answer.content
    text = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode()
    return f"{text}{answer.headers}".lower()


@pytest.mark.parametrize("name", NAMES)
def test_an_embargo_ends_at_midnight(before: Front, after: Front, name: str) -> None:
    assert before.ask(f"/{name}").status == 403
    assert after.ask(f"/{name}").status in {302, 303}


def test_a_remembered_record_opens_at_midnight(steward: Steward, tmp_path: Path) -> None:
    front = Front(steward.memory, tmp_path, now=LAST)
    asked = [front.ask(f"/{THING}").status for _ in range(3)]

    front.now = END

    assert asked == [403, 403, 403]
    assert [front.ask(f"/{THING}").status for _ in range(3)] == [303, 303, 303]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("accept", ["application/json", "text/html"])
def test_the_response_names_the_reason_and_the_day(before: Front, accept: str, language: str) -> None:
    asked = before.ask(f"/{THING}", headers={"Accept": accept, "Accept-Language": language})
    page = before.ask(f"/about.html/{THING}", headers={"Accept-Language": language}).content.decode()

    for content in (asked.content.decode(), page):
        assert DAY in content
        assert "The article is not out yet." in content
    assert "A map" in page


def test_the_problem_explains_the_embargo(before: Front) -> None:
    problem = before.ask(f"/{THING}", headers={"Accept": "application/json"}).problem

    assert (problem["title"], problem["status"]) == ("This identifier is embargoed", 403)
    assert problem["detail"] == (
        f"{THING} is embargoed until {DAY} (midnight UTC). Reason: The article is not out yet."
    )


@pytest.mark.parametrize("accept", ["text/html", "application/json", "application/linkset+json", "*/*"])
@pytest.mark.untraced
def test_no_response_shows_embargoed_content(before: Front, accept: str) -> None:
    # A client that names a part knows its name.
    asked = {path: before.ask(path, headers={"Accept": accept}) for path in _paths() if SECRET not in path}

    assert {path for path, answer in asked.items() if SECRET.lower() in _text(answer)} == set()


@pytest.mark.parametrize("service", Service)
def test_no_resolution_service_shows_embargoed_content(before: Front, service: Service) -> None:
    assert SECRET.lower() not in _text(before.ask_by_the_edge(f"/uri-res/{service}", THING))


def test_a_list_of_identifiers_gets_403_for_each_embargoed_one(before: Front, after: Front) -> None:
    body = json.dumps([THING, f"{DOCUMENT}.pdf", f"{RULED}5"])
    listed = before.ask("/resolve", "POST", body=body)

    assert [each["status"] for each in json.loads(listed.content)] == [403, 403, 403]
    assert SECRET.lower() not in _text(listed)
    assert [each["status"] for each in json.loads(after.ask("/resolve", "POST", body=body).content)] == [
        *(303, 302, 302)
    ]


@pytest.mark.parametrize("path", [*_paths(), *(f"/uri-res/N2L?{name}" for name in NAMES)])
@pytest.mark.untraced
def test_an_embargo_that_ended_leaves_no_trace(ended: Front, valid: Front, path: str) -> None:
    where, _, query = path.partition("?")
    opened, always = (front.ask_by_the_edge(where, query) for front in (ended, valid))

    assert (opened.status, opened.headers, _text(opened)) == (always.status, always.headers, _text(always))


@pytest.mark.parametrize(
    ("left", "seconds"), [(timedelta(days=9), 30), (timedelta(seconds=12), 12), (timedelta(seconds=0.9), 0)]
)
@pytest.mark.parametrize("path", [f"/{THING}", f"/{THING}{SECRET}.pdf", f"/about.ttl/{THING}", f"/{RULED}5"])
def test_no_cache_keeps_a_response_beyond_the_embargo(
    steward: Steward, tmp_path: Path, path: str, left: timedelta, seconds: int
) -> None:
    answer = Front(steward.memory, tmp_path, now=END - left).ask(path)

    assert answer.headers["Cache-Control"] == (f"max-age={seconds}" if seconds else "no-store")
    assert "Last-Modified" not in answer.headers


def test_a_conditional_request_gets_the_new_description_after_midnight(
    steward: Steward, tmp_path: Path
) -> None:
    front, path = Front(steward.memory, tmp_path, now=END - timedelta(days=1)), f"/about.json/{THING}"
    tag = front.ask(path).headers["ETag"]
    unchanged = front.ask(path, headers={"If-None-Match": tag})
    front.now = END

    assert unchanged.status == 304
    assert front.ask(path, headers={"If-None-Match": tag}).status == 200


def test_published_files_follow_the_day(before: Front, after: Front) -> None:
    files = [gzip.decompress(front.ask("/registry.jsonl.gz").content).decode() for front in (before, after)]
    maps = [gzip.decompress(front.ask("/sitemaps/1.xml.gz").content).decode() for front in (before, after)]
    shown = json.loads(next(each for each in files[0].splitlines() if f'"{THING}"' in each))

    assert shown == {"record": "resource", "identifier": THING, "title": "A map", **EMBARGO}
    assert ["embargoed" in file for file in files] == [True, False]
    assert [f"/{THING}<" in file for file in maps] == [False, True]
    assert f"/{THING}</loc><lastmod>{DAY}" in maps[1]


def test_a_search_shows_the_status_of_the_day(before: Front, after: Front) -> None:
    searched = [json.loads(front.ask("/search", query="q=map").content) for front in (before, after)]
    statuses = [{each["identifier"]: each["status"] for each in every["results"]} for every in searched]

    assert [each[THING] for each in statuses] == ["embargoed", "valid"]


@pytest.mark.parametrize(("text", "number"), [(SECRET, 0), ("map", 2), ("79", 1)])
def test_a_search_finds_a_new_embargo_by_shown_words(tmp_path: Path, text: str, number: int) -> None:
    steward = _steward()
    renamed = line(THING, title=f"A {SECRET} map") + line(DOCUMENT, title=f"A {SECRET} map")
    steward.upload(KEY, renamed)
    front = Front(steward.memory, tmp_path, now=LAST)
    steward.upload(KEY, "".join(line(name, title="A map", **EMBARGO) for name in (THING, DOCUMENT)))

    results = json.loads(front.ask("/search", query=f"q={text}").content)["results"]

    assert len([each for each in results if each["identifier"] in {THING, DOCUMENT}]) == number


def test_an_ark_below_an_embargoed_one_is_embargoed(tmp_path: Path) -> None:
    steward = settled()
    steward.upload("_host/arks.jsonl", line("ark:12345/", record="namespace", title="ARKs"))
    whole = [{"media_type": "text/html", "location": "https://photos.example.org/x8"}]
    report = steward.upload("ark:12345/a.jsonl", line(BOX, title="A box", representations=whole, **EMBARGO))
    front = Front(steward.memory, tmp_path, now=LAST)
    asked = front.ask(f"/{BOX}/c3")
    front.now = END

    assert report.refused == {}
    assert asked.status == 403
    assert front.ask(f"/{BOX}/c3").headers["Location"] == "https://photos.example.org/x8/c3"


def test_the_history_decides_by_the_requested_day(steward: Steward) -> None:
    days = ("2027-02-28", DAY)

    decided = [decide_then(parse(f"{DOCUMENT}.pdf"), steward.memory, day) for day in days]

    assert [type(each) for each in decided] == [Embargoed, SeeRepresentation]


def test_the_steward_can_export_an_embargoed_record(steward: Steward) -> None:
    kept = next(
        each for each in map(json.loads, steward.exported("uri-gin/azgs/")) if each["identifier"] == THING
    )

    assert {name: kept[name] for name in EMBARGO} == EMBARGO
    assert len(kept["representations"]) == 3


def test_an_embargo_needs_its_day() -> None:
    report = _steward().upload(KEY, line(THING, status="embargoed"))
    (verdict,) = report.verdicts

    assert report.refused == {(1,): [("until", "status")]}
    assert verdict.verdict == "refused"


def test_the_embargo_of_a_rule_needs_its_day() -> None:
    rule = {"record": "rule", "location": "https://a.example/{+rest}", "status": "embargoed"}

    assert _steward().upload(KEY, line(f"{DOC}new/", **rule)).refused == {(1,): [("until", "status")]}


@pytest.mark.parametrize("status", [status for status in Status if not STATUSES[status].ends])
def test_only_an_embargo_has_an_end(status: Status) -> None:
    report = _steward().upload(KEY, line(THING, status=status, until=DAY))

    assert ("until", "status") in report.refused[1,]


@pytest.mark.parametrize("day", ["tomorrow", "2027-02-30", "01/03/2027", "prospective"])
def test_an_embargo_ends_on_a_calendar_day(day: str) -> None:
    assert (1,) in _steward().upload(KEY, line(THING, status="embargoed", until=day)).refused


def test_an_embargo_may_move_to_another_day(tmp_path: Path) -> None:
    steward = _steward(**EMBARGO)
    report = steward.upload(KEY, line(THING, until="2027-04-01"))
    front = Front(steward.memory, tmp_path, now=END)

    assert [verdict.verdict for verdict in report.verdicts] == ["changed"]
    assert front.ask(f"/{THING}").status == 403
    front.now = datetime(2027, 4, 1, tzinfo=UTC)
    assert front.ask(f"/{THING}").status == 303


@pytest.mark.parametrize("fields", [{"status": "valid"}, {"until": "2001-01-01"}])
def test_an_upload_may_end_an_embargo_at_once(tmp_path: Path, fields: dict[str, Any]) -> None:
    steward = _steward(**EMBARGO)

    report = steward.upload(KEY, line(THING, **fields))

    assert report.refused == {}
    assert Front(steward.memory, tmp_path, now=LAST).ask(f"/{THING}").status == 303


def test_a_snapshot_without_an_embargoed_identifier_retires_it_after_its_day(tmp_path: Path) -> None:
    def left_out(day: str) -> Steward:
        steward = _steward(status="embargoed", until=day)
        names = (COLLECTION, *(f"{DOC}{number}/" for number in range(100, 130)))
        rest = "".join(line(name, title="A map") for name in names)
        steward.upload(KEY, rest)
        steward.upload(KEY, rest, snapshot=DOC)
        return steward

    passed, running = left_out("2001-01-01"), left_out("2999-01-01")

    assert Front(passed.memory, tmp_path / "a", now=END).ask(f"/{THING}").status == 410
    assert Front(running.memory, tmp_path / "b", now=END).ask(f"/{THING}").status == 403
