"""Does every format show the status as in the table, and hide everything withheld?"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from ginuri.descriptions.rdf.vocabulary import PREFIXES
from ginuri.i18n import labels
from ginuri.i18n.catalogue import spoken_languages
from ginuri.i18n.translation import translate
from ginuri.identifiers.service_paths import TIMEMAP_TYPES, description_path, members_path, timemap_path
from ginuri.registry.model import Status
from ginuri.registry.statuses import LIFECYCLE_FIELDS, STATUSES
from ginuri.resolution.descriptions.formats import FORMATS, LIST_FORMATS
from ginuri.urn_services.decision import Service
from tests.answers import Answer
from tests.front import HOST, Front
from tests.line_breaks import unbroken
from tests.steward import Steward, settled

SECRET = "Quokka"  # noqa: S105  not a password
"""A text in every statement about withheld identifiers."""
DOC = "uri-gin/azgs/doc/"
THING, DOCUMENT, OTHER = f"{DOC}78/", f"{DOC}79", f"{DOC}80/"
COLLECTION = f"{DOC}all/"
WHO = "https://court.example/orders/7"
DAY = "2012-01-01"
"""The day on which an embargo ends, after the day of the tests."""
LIFECYCLE = {"successor": OTHER, "requested_by": WHO, "until": DAY}
KEY = "uri-gin/azgs/maps.jsonl"
_RDF = [each for each in FORMATS if each in {"jsonld", "ttl", "rdf", "nt"}]


def _line(identifier: str, **fields: object) -> str:
    return f"{json.dumps({'identifier': identifier, **fields})}\n"


def _stated(identifier: str) -> str:
    elsewhere = f"https://{SECRET.lower()}.example/"
    return _line(
        identifier,
        title={"en": f"A {SECRET} map", "es": f"Un mapa {SECRET}"},
        description=f"{SECRET} country.",
        part_of=COLLECTION,
        properties={"creator": SECRET, "type": "Image", "alternative": SECRET},
        links=[{"rel": "license", "href": elsewhere}],
        triples=f'<http://a.example/{identifier}> <http://purl.org/dc/terms/abstract> "{SECRET}" .',
        representations=[
            {"part": ".pdf" if identifier == DOCUMENT else f"{SECRET}.pdf", "location": f"{elsewhere}a.pdf"},
            {"valid_from": "1997-06-01", "media_type": "text/html", "location": f"{elsewhere}1997"},
            {"valid_from": "2005-06-01", "media_type": "text/html", "location": f"{elsewhere}2005"},
        ],
    )


def _steward() -> Steward:
    steward = settled()
    around = _line(COLLECTION, title="All maps") + _line(OTHER, title="Another map")
    report = steward.upload(KEY, around + _stated(THING) + _stated(DOCUMENT))
    assert report.refused == {}
    return steward


def _withhold(steward: Steward, **fields: object) -> None:
    fields = {"status": "withheld", "reason": "By order of a court.", "requested_by": WHO, **fields}
    report = steward.upload(KEY, _line(THING, **fields) + _line(DOCUMENT, **fields))
    assert report.refused == {}


@pytest.fixture(scope="module")
def withheld(tmp_path_factory: pytest.TempPathFactory) -> Front:
    steward = _steward()
    _withhold(steward)
    return Front(steward.memory, tmp_path_factory.mktemp("published"))


@pytest.fixture(scope="module")
def withheld_since(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """Return the identifiers that were withheld after the last run of publish."""
    steward = _steward()
    front = Front(steward.memory, tmp_path_factory.mktemp("published"))
    _withhold(steward)
    return front


@pytest.fixture(scope="module")
def of_status(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Status], Front]:
    fronts: dict[Status, Front] = {}

    def front(status: Status) -> Front:
        if status not in fronts:
            steward = _steward()
            fields = {name: LIFECYCLE[name] for name in STATUSES[status].fields}
            report = steward.upload(KEY, _line(THING, status=status, reason="For a reason.", **fields))
            assert report.refused == {}
            fronts[status] = Front(steward.memory, tmp_path_factory.mktemp(status))
        return fronts[status]

    return front


def test_every_lifecycle_field_has_an_example() -> None:
    assert LIFECYCLE.keys() == LIFECYCLE_FIELDS


@pytest.mark.parametrize("status", Status)
def test_each_status_is_answered_as_the_table_states(
    of_status: Callable[[Status], Front], status: Status
) -> None:
    answer = STATUSES[status].answer

    asked = of_status(status).ask(f"/{THING}")

    assert asked.status == answer if answer else asked.status < 400


@pytest.mark.parametrize("language", spoken_languages())
@pytest.mark.parametrize("status", Status)
@pytest.mark.untraced
def test_a_page_shows_the_status_in_the_language_of_its_reader(
    of_status: Callable[[Status], Front], status: Status, language: str
) -> None:
    page = (
        of_status(status).ask(f"/about.html/{THING}", headers={"Accept-Language": language}).content.decode()
    )
    notice = translate(labels.status_note(status, DAY), language)
    name = translate(labels.status_name(status), language)

    assert notice in page
    assert (f"<strong>{name}.</strong>" in page) == bool(notice)
    assert (f"<title>{name}: " in page) == bool(notice)


@pytest.mark.parametrize("language", spoken_languages())
@pytest.mark.parametrize("status", [status for status in Status if not STATUSES[status].leads_on])
def test_an_error_is_explained_in_the_language_of_its_reader(
    of_status: Callable[[Status], Front], status: Status, language: str
) -> None:
    asked = of_status(status).ask(f"/{THING}", headers={"Accept": "text/html", "Accept-Language": language})

    assert f'<html lang="{language}"' in asked.content.decode()
    assert "For a reason." in asked.content.decode()


@pytest.mark.parametrize("extension", _RDF)
@pytest.mark.parametrize("status", Status)
def test_every_rdf_format_has_the_registered_term_of_a_status(
    of_status: Callable[[Status], Front], status: Status, extension: str
) -> None:
    document = of_status(status).ask(f"/about.{extension}/{THING}").content.decode()
    prefix, _, name = STATUSES[status].term.partition(":")

    assert STATUSES[status].term in document or f"{PREFIXES[prefix]}{name}" in document
    assert (re.search(r"owl:deprecated|owl#deprecated", document) is not None) == STATUSES[
        status
    ].is_deprecated


@pytest.mark.parametrize("extension", LIST_FORMATS)
@pytest.mark.parametrize("status", Status)
@pytest.mark.untraced
def test_every_format_of_a_list_shows_the_status(
    of_status: Callable[[Status], Front], status: Status, extension: str
) -> None:
    document = of_status(status).ask(members_path(DOC, extension=extension)).content.decode()
    term = STATUSES[status].term.partition(":")[2]

    assert any(each in document for each in (term, f'"{status}"', f",{status},", f">{status}<")) or (
        extension == "html" and STATUSES[status].notice == ""
    )


@pytest.mark.parametrize("status", Status)
def test_json_and_searches_have_the_status(of_status: Callable[[Status], Front], status: Status) -> None:
    front = of_status(status)
    found = json.loads(front.ask("/search", query=f"q=78&status={status}").content)

    assert json.loads(front.ask(f"/about.json/{THING}").content)["status"] == status
    assert [(each["identifier"], each["status"]) for each in found["results"]] == [(THING, status)]


@pytest.mark.parametrize("status", Status)
def test_a_citation_mentions_a_status_with_a_notice(
    of_status: Callable[[Status], Front], status: Status
) -> None:
    citation = of_status(status).ask(f"/about.erc/{THING}").content.decode()

    assert (f"\nstatus: {status}\n" in citation) == bool(STATUSES[status].notice)
    assert all(OTHER in citation for name in STATUSES[status].fields if name == "successor")


@pytest.mark.parametrize("status", Status)
def test_a_sitemap_has_only_resolving_identifiers(
    of_status: Callable[[Status], Front], status: Status
) -> None:
    sitemap = gzip.decompress(of_status(status).ask("/sitemaps/1.xml.gz").content).decode()

    assert (f"/{THING}<" in sitemap) == STATUSES[status].leads_on


@pytest.mark.parametrize("status", Status)
def test_only_the_right_statuses_have_a_lifecycle_field(
    of_status: Callable[[Status], Front], status: Status
) -> None:
    document = json.loads(of_status(status).ask(f"/about.json/{THING}").content)

    assert LIFECYCLE_FIELDS & document.keys() == STATUSES[status].fields


def _names(name: str) -> Iterator[str]:
    """Return an identifier and the names below it: parts, documents, versions."""
    yield name
    yield from (f"{name}{below}" for below in (f"{SECRET}.pdf", SECRET) if name.endswith("/"))
    yield from (f"{name}{below}" for below in (".pdf",) if not name.endswith("/"))
    yield from (f"{name.rstrip('/')}/{version}" for version in ("1997-06-01", "current"))


NAMES = [name for one in (THING, DOCUMENT) for name in _names(one)]


def _paths() -> Iterator[str]:
    yield from (f"/{name}" for name in NAMES)
    for name in (THING, DOCUMENT, COLLECTION, DOC, "uri-gin/azgs/"):
        yield from (description_path(name, extension=each) for each in ("", *FORMATS))
        yield from (members_path(name, extension=each) for each in ("", *LIST_FORMATS))
        yield from (timemap_path(name, extension=each) for each in TIMEMAP_TYPES)
        yield f"/explain/{name}"
    yield from (
        "/feed.atom",
        "/sitemap.xml",
        "/sitemaps/1.xml.gz",
        "/registry",
        "/registry.jsonl.gz",
        "/registry.tests.json",
    )


def _gone(answer: Answer) -> bool:
    content = answer.content
    text = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode()
    return SECRET.lower() not in f"{text}{answer.headers}".lower()


@pytest.mark.parametrize("language", spoken_languages())
@pytest.mark.parametrize("accept", ["text/html", "application/json", "application/linkset+json", "*/*"])
@pytest.mark.untraced
def test_a_withheld_identifier_is_shown_nowhere(withheld: Front, accept: str, language: str) -> None:
    headers = {"Accept": accept, "Accept-Language": language}
    # A client that names a part knows its name already.
    asked = {path: withheld.ask(path, headers=headers) for path in _paths() if SECRET not in path}

    assert {path for path, answer in asked.items() if not _gone(answer)} == set()


def test_a_valid_identifier_is_shown_for_the_same_requests(of_status: Callable[[Status], Front]) -> None:
    front = of_status(Status.VALID)
    told = {path for path in _paths() if not _gone(front.ask(path))}

    assert told >= {f"/{name}" for name in NAMES if not name.endswith("/current")}
    assert told >= {description_path(THING, extension=each) for each in FORMATS}
    assert told >= {members_path(COLLECTION, extension=each) for each in LIST_FORMATS}
    assert "/registry.jsonl.gz" in told


@pytest.mark.parametrize("name", NAMES)
def test_a_withheld_identifier_and_its_parts_get_only_the_refusal(withheld: Front, name: str) -> None:
    asked = withheld.ask(f"/{quote(name)}")

    assert asked.status == 451
    assert "Location" not in asked.headers
    assert asked.linked("blocked-by") == [f"http://{HOST}/"]
    assert asked.problem["detail"] == (
        f"{name} is withheld for legal reasons. Requested by: {WHO}. Reason: By order of a court."
    )


@pytest.mark.parametrize("service", Service)
def test_a_resolution_service_reveals_no_data_of_a_withheld_identifier(
    withheld: Front, service: Service
) -> None:
    asked = withheld.ask_by_the_edge(f"/uri-res/{service}", THING)

    assert _gone(asked)
    assert asked.status == (303 if service is Service.DESCRIPTION else asked.status)


def test_lookups_titles_and_searches_do_not_find_a_withheld_title(
    withheld: Front, withheld_since: Front
) -> None:
    for front in (withheld, withheld_since):
        listed = front.ask("/resolve", "POST", body=json.dumps([THING, f"{DOCUMENT}.pdf"]))
        titled = front.ask(f"/{DOC}", query=f"title=A+{SECRET}+map")
        searched = json.loads(front.ask("/search", query=f"q={SECRET}").content)

        assert [each["status"] for each in json.loads(listed.content)] == [451, 451]
        assert _gone(listed)
        assert titled.status == 404
        assert (searched["total"], searched["results"]) == (0, [])


def test_a_withheld_identifier_stays_in_lists_and_in_published_files(withheld: Front) -> None:
    members = json.loads(withheld.ask(members_path(COLLECTION, extension="json")).content)["members"]
    published = gzip.decompress(withheld.ask("/registry.jsonl.gz").content).decode().splitlines()

    assert {each["identifier"]: each["status"] for each in members} == {
        DOCUMENT: "withheld",
        THING: "withheld",
    }
    assert json.loads(next(each for each in published if f'"{THING}"' in each)) == {
        "record": "resource",
        "identifier": THING,
        "reason": "By order of a court.",
        "requested_by": WHO,
        "status": "withheld",
    }


# RFC 7725 §4: the link identifies the entity that implements the block, not the one that demands it.
@pytest.mark.parametrize("accept", ["text/html", "application/problem+json"])
@pytest.mark.parametrize("who", [WHO, "The High Court of Arizona", None])
def test_the_block_links_this_service_and_the_body_names_the_requester(
    tmp_path: Path, who: str | None, accept: str
) -> None:
    steward = _steward()
    _withhold(steward, requested_by=who)
    front = Front(steward.memory, tmp_path)
    answer = front.ask(f"/{THING}", headers={"Accept": accept})
    description = front.ask(description_path(THING, extension="html"))

    assert answer.status == 451
    assert answer.linked("blocked-by") == [f"http://{HOST}/"]
    for shown in (answer, description):
        text = unbroken(shown.content.decode())
        assert ("Requested by" in text) == (who is not None)
        assert (who or "") in text


def test_the_steward_can_read_everything(tmp_path: Path) -> None:
    steward = _steward()
    before = steward.exported("uri-gin/azgs/")
    _withhold(steward)
    withheld = steward.exported("uri-gin/azgs/")
    report = steward.upload(KEY, _line(THING, status="valid") + _line(DOCUMENT, status="valid"))

    assert sum(SECRET in line for line in before) == sum(SECRET in line for line in withheld)
    assert report.refused == {}
    assert Front(steward.memory, tmp_path).ask(f"/{THING}").status == 303


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.WITHHELD])
def test_a_withheld_identifier_changes_to_the_allowed_statuses_without_a_warning(status: Status) -> None:
    steward = _steward()
    _withhold(steward)
    fields = {name: LIFECYCLE[name] for name in STATUSES[status].fields}

    (verdict,) = steward.upload(KEY, _line(THING, status=status, reason="Again.", **fields)).verdicts

    warned = ("status", "following") in verdict.warned
    assert warned == (status not in STATUSES[Status.WITHHELD].following)
    assert verdict.verdict == "changed"


def test_a_snapshot_without_a_withheld_identifier_does_not_reveal_it(tmp_path: Path) -> None:
    steward = _steward()
    _withhold(steward)
    names = (COLLECTION, OTHER, *(f"{DOC}{number}/" for number in range(100, 130)))
    steward.upload(KEY, "".join(_line(name, title="A map") for name in names))
    steward.upload(KEY, "".join(_line(name) for name in names), snapshot=DOC)

    assert Front(steward.memory, tmp_path).ask(f"/{THING}").status == 451


def test_only_a_withheld_record_states_who_requested_it() -> None:
    steward = _steward()

    report = steward.upload(KEY, _line(OTHER, requested_by=WHO))

    assert report.refused == {(1,): [("requested_by", "status")]}
