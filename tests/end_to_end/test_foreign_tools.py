"""Foreign tools that check HTTP, links and interfaces find no fault in the running stack.

docs/reference/conformance.md gives the reason for each accepted finding.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from httplint import HttpRequestLinter, HttpResponseLinter, levels
from signposting import find_signposting_http
from signposting.linkset import find_signposting_linkset

from infra.local import ROOT
from tests.end_to_end.rows import ACT, AUTHOR, FIRST, LARGE, LICENSE, MAP, NOTE, OLD, REPORT, ROWS

if TYPE_CHECKING:
    import httpx
    from httplint.note import Note

    from infra.local.stack import Stack

IMAGE = f"{MAP}map.pdf"
GONE, NOTHING, MALFORMED = f"{ROWS}map/gone/", f"{ROWS}map/nothing/", f"{ROWS}/map"
PAGE = {"Accept": "text/html"}
CROSS_ORIGIN = {"Origin": "https://viewer.example", "Access-Control-Request-Method": "GET"}
CITED = "http://id.example.org"

# The accepted findings: the note, and its only statuses.
KEPT: Mapping[str, set[int]] = {
    "CORS_PREFLIGHT_ONLY": {204},
    "CSP_UNSAFE_INLINE": {200, 206},
    "HEADER_SHOULD_NOT_BE_IN_304": {304},
    "STATUS_BAD_REQUEST": {400},
    "VARY_COMPLEX": {302, 303, 400},
}
KINDS: Sequence[tuple[int, str, str, Mapping[str, str]]] = [
    (200, "GET", f"/{IMAGE}", {}),
    (200, "HEAD", f"/{IMAGE}", {}),
    (200, "GET", f"/{NOTE}", {}),
    (200, "GET", f"/{NOTE}.zip", {}),
    (200, "GET", f"/{ACT}/{FIRST}", {}),
    (200, "GET", f"/timemap.link/{ACT}", {}),
    (200, "GET", f"/timemap.json/{ACT}", {}),
    (200, "GET", f"/timemap/{ACT}", PAGE),
    (200, "GET", "/", {}),
    (200, "GET", f"/about/{MAP}", {}),
    (200, "HEAD", f"/about/{MAP}", {}),
    (200, "GET", f"/about/{MAP}", {"Accept": "application/ld+json"}),
    (200, "GET", f"/about.jsonld/{MAP}", {}),
    (200, "GET", f"/about.ttl/{MAP}", {}),
    (200, "GET", f"/about.rdf/{MAP}", {}),
    (200, "GET", f"/about.nt/{MAP}", {}),
    (200, "GET", f"/about.json/{MAP}", {}),
    (200, "GET", f"/about.geojson/{MAP}", {}),
    (200, "GET", f"/about.linkset/{MAP}", {}),
    (200, "GET", f"/about.links/{MAP}", {}),
    (200, "GET", f"/explain/{MAP}", {}),
    (200, "GET", f"/explain/{MAP}", PAGE),
    (200, "GET", "/openapi.json", {}),
    (200, "GET", f"/members/{ROWS}", PAGE),
    (200, "GET", f"/members/{ROWS}", {}),
    (200, "GET", f"/members.csv/{ROWS}", {}),
    (200, "GET", f"/members.geojson/{ROWS}", {}),
    (200, "GET", f"/uri-res/N2Ns?{MAP}", {}),
    (200, "GET", "/robots.txt", {}),
    (200, "GET", "/opensearch.xml", {}),
    (200, "POST", "/resolve", {"Content-Type": "application/json"}),
    (204, "OPTIONS", f"/{MAP}", {}),
    (204, "OPTIONS", f"/{MAP}", {**CROSS_ORIGIN, "Access-Control-Request-Headers": "accept-profile"}),
    (204, "OPTIONS", "/resolve", {**CROSS_ORIGIN, "Access-Control-Request-Headers": "content-type"}),
    (206, "GET", f"/{IMAGE}", {"Range": "bytes=0-9"}),
    (300, "GET", f"/{ROWS}map/either", {}),
    (300, "GET", f"/{ROWS}doc/TWIN", PAGE),
    (301, "GET", f"/{ROWS}map/synonym", {}),
    (301, "GET", "/uri-gin/rows/m%61p/", {}),
    (301, "GET", "/about/uri-gin/rows/m%61p/", {}),
    (302, "GET", f"/{REPORT}", {}),
    (302, "GET", f"/{OLD}17", {}),
    (302, "GET", f"/resolve?uri={MAP}", {}),
    (302, "GET", f"/{ACT}", {}),
    (302, "GET", f"/{ACT}/current", {}),
    (303, "GET", f"/{MAP}", {}),
    (303, "GET", f"/{ROWS}", PAGE),
    (303, "GET", f"/about/{IMAGE}", {}),
    (304, "GET", f"/{IMAGE}", {"If-None-Match": "*"}),
    (304, "GET", f"/about/{MAP}", {"If-None-Match": "*"}),
    (304, "GET", f"/about/{MAP}", {**PAGE, "If-None-Match": "*"}),
    (304, "HEAD", f"/about.ttl/{MAP}", {"If-None-Match": "*"}),
    (304, "GET", f"/about.linkset/{MAP}", {"If-None-Match": "*"}),
    (304, "GET", f"/members/{ROWS}", {"If-None-Match": "*"}),
    (304, "GET", f"/timemap/{ACT}", {"If-None-Match": "*"}),
    (304, "GET", "/openapi.json", {"If-None-Match": "*"}),
    (307, "GET", f"/{LARGE}", {}),
    (307, "GET", "/uri-gin/away/1", {}),
    (308, "GET", f"/{ROWS}map/many/to308.txt", {}),
    (400, "GET", f"/{MALFORMED}", {}),
    (400, "GET", f"/{MALFORMED}", PAGE),
    (400, "GET", f"/{ACT}", {"Accept-Datetime": "1997"}),
    (400, "GET", "/resolve", {}),
    (404, "GET", f"/{NOTHING}", {}),
    (404, "GET", f"/{NOTHING}", PAGE),
    (404, "HEAD", f"/{NOTHING}", {}),
    (404, "GET", f"/about.html/{NOTHING}", {}),
    (405, "DELETE", f"/{MAP}", {}),
    (405, "PUT", "/resolve", {}),
    (406, "GET", f"/{REPORT}", {"Accept": "image/png"}),
    (406, "GET", f"/about/{MAP}", {"Accept": "image/png"}),
    (410, "GET", f"/{GONE}", {}),
    (410, "GET", f"/{GONE}", PAGE),
    (412, "GET", f"/{IMAGE}", {"If-Match": '"another"'}),
    (412, "GET", f"/about/{MAP}", {"If-Match": '"another"'}),
    (412, "GET", f"/members/{ROWS}", {**PAGE, "If-Match": '"another"'}),
    (416, "GET", f"/{IMAGE}", {"Range": "bytes=9999-"}),
]  # fmt: skip
# Half of the names that schemathesis requests are known; slashes are sent unescaped, which OpenAPI cannot
# express.
KNOWN = [
    "uri-gin/",
    ACT,
    f"{ACT}/{FIRST}",
    ROWS,
    MAP,
    IMAGE,
    NOTE,
    REPORT,
    GONE,
    f"{OLD}17",
    f"{ROWS}map/either",
    "uri-gin/away/1",
]
SCHEMATHESIS = f"""
hooks = "slashes"
[dictionaries.identifiers]
values = {json.dumps(KNOWN)}
[parameters]
"path.identifier" = {{ dictionary = "identifiers", probability = 0.5 }}
"query.uri" = {{ dictionary = "identifiers", probability = 0.5 }}
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", 400, 404, 410]
[checks.negative_data_rejection]
expected-statuses = [400, 404, 405, 406, 413, 422]
"""
SLASHES = """
import schemathesis

@schemathesis.hook
def before_call(context, case, kwargs):
    if "identifier" in (case.path_parameters or {}):
        case.path_parameters["identifier"] = case.path_parameters["identifier"].replace("%2F", "/")
"""


def _lint(answer: httpx.Response) -> HttpResponseLinter:
    """Pass an exchange to httplint, byte for byte."""
    asked = answer.request
    request, response = HttpRequestLinter(), HttpResponseLinter()
    request.process_request_topline(asked.method.encode(), str(asked.url).encode(), b"1.1")
    request.process_headers(asked.headers.raw)
    request.feed_content(asked.content)
    request.finish_content(complete=True)
    response.request, response.base_uri = request, str(asked.url)
    response.is_head_response = asked.method == "HEAD"
    response.process_response_topline(b"1.1", str(answer.status_code).encode(), answer.reason_phrase.encode())
    response.process_headers(answer.headers.raw)
    response.feed_content(answer.content)
    response.finish_content(complete=True)
    return response


def _faults(notes: Iterable[Note]) -> Iterator[str]:
    for note in notes:
        if note.level in {levels.BAD, levels.WARN}:
            yield type(note).__name__
        yield from _faults(note.subnotes)


@pytest.mark.parametrize(("status", "method", "path", "headers"), KINDS)
def test_httplint_finds_no_fault_in_any_kind_of_answer(
    asking: httpx.Client, status: int, method: str, path: str, headers: Mapping[str, str]
) -> None:
    answer = asking.request(
        method, path, headers=headers, content=json.dumps([MAP]) if method == "POST" else None
    )

    faults = list(_faults(_lint(answer).notes))

    assert answer.status_code == status
    assert [fault for fault in faults if status not in KEPT.get(fault, ())] == []


def test_every_accepted_finding_of_httplint_is_explained() -> None:
    explained = (ROOT / "docs" / "reference" / "conformance.md").read_text(encoding="utf-8")

    assert [note for note in KEPT if f"`{note}`" not in explained] == []


LISTED = [f"about/{MAP}", f"about.jsonld/{MAP}", f"members/{ROWS}", f"timemap/{ACT}", "openapi.json"]


@pytest.mark.parametrize("path", [IMAGE, NOTE, MAP, NOTHING, *LISTED])
def test_redbot_finds_no_fault_with_conditions_and_ranges(rows: Stack, path: str) -> None:
    told = _run("redbot.cli", "-o", "har", f"{rows.service}/{path}")

    notes = list(_told_by_redbot(json.loads(told.stdout)["log"]["entries"]))
    good = {note["note_id"] for note in notes if note["level"] == "GOOD"}
    assert {note["note_id"] for note in notes if note["level"] in {"BAD", "WARN"}} <= KEPT.keys()
    expected = {"RANGE_CORRECT", "INM_304", "IMS_304"} if path in {IMAGE, NOTE} else {"INM_304"}
    assert path in {MAP, NOTHING} or expected <= good


def _told_by_redbot(entries: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for entry in entries:
        for note in entry["_red_messages"]:
            yield note
            yield from note.get("subnotes", ())


@pytest.mark.filterwarnings(
    "ignore:410 Gone:UserWarning"
)  # the finding reports a continuation, which is correct
@pytest.mark.parametrize("path", [MAP, IMAGE, NOTE, ROWS, f"{ROWS}person/Smith/", GONE])
def test_signposting_finds_the_citation_and_the_metadata_of_an_identifier(rows: Stack, path: str) -> None:
    found = find_signposting_http(f"{rows.service}/{path}")

    linkset = next(each for each in found.linksets if each.type == "application/linkset+json")
    assert found.citeAs.target.startswith(f"{CITED}/{path.rstrip('/')}")
    assert found.describedBy
    assert find_signposting_linkset(linkset.target).signposts


def test_signposting_finds_level_two_in_the_linkset_of_a_landing_page(rows: Stack) -> None:
    landing = find_signposting_http(f"{rows.service}/about/{MAP}")

    for linkset in landing.linksets:
        told = find_signposting_linkset(linkset.target)
        (page,) = [each for each in told.other_contexts if "/about/" in each]
        of_page, of_item = told.for_context(page), told.for_context(f"{CITED}/{IMAGE}")

        assert of_page.citeAs.target == f"{CITED}/{MAP}"
        assert {each.target for each in of_page.types} == {"https://schema.org/AboutPage"}
        assert all(each.type for each in of_page.describedBy)
        assert {(each.target, each.type) for each in of_page.items} >= {
            (f"{CITED}/{IMAGE}", "application/pdf")
        }
        assert of_item.collection.target == page
        of_map = told.for_context(f"{CITED}/{MAP}")
        assert ({each.target for each in of_map.authors}, of_map.license.target) == ({AUTHOR}, LICENSE)


def test_signposting_finds_the_same_in_either_form_of_a_linkset(rows: Stack) -> None:
    as_json, as_text = (
        find_signposting_linkset(f"{rows.service}/about.{form}/{MAP}") for form in ("linkset", "links")
    )

    assert {str(each) for each in as_json.signposts} == {str(each) for each in as_text.signposts}


def test_schemathesis_finds_only_documented_answers(rows: Stack, tmp_path: Path) -> None:
    (tmp_path / "schemathesis.toml").write_text(SCHEMATHESIS, encoding="utf-8")
    (tmp_path / "slashes.py").write_text(SLASHES, encoding="utf-8")

    interface = f"{rows.service}/openapi.json"
    # The same examples each time; the examples that the tool itself discards are no finding about the
    # interface.
    how = ("--no-color", "--generation-deterministic", "--suppress-health-check=filter_too_much")
    others = "--exclude-path-regex=^/api/"  # test_stewards.py, with a token
    told = _run("schemathesis.cli", "run", *how, others, "--max-examples=3", interface, folder=tmp_path)

    assert told.returncode == 0, told.stdout


def _run(module: str, *arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a tool's command."""
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(  # noqa: S603  our own choice of tools
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
