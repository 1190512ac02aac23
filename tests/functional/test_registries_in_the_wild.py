"""Real registries: each gets the right report, and an export of the same bytes."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ginuri.files.formats import SUFFIXES
from ginuri.files.options import UploadOptions, write_options
from ginuri.memory import MemoryContentStore
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from tests.builders import rest_event
from tests.steward import Report, Steward, line, settled

pytestmark = pytest.mark.untraced

AUTHORITIES = ("aasg", "cadoggr", "cgi")
SPRINGS, MODELS = "usgin/ca_thermalsprings.csv", "usgin/ngds_contentmodels.jsonl"
OF_SPRINGS = ",".join(
    f"properties.{name}={name}" for name in ("type", "county", "latitude", "longitude", "source")
)
OF_MODELS = (
    "properties.issued=date,part_of=isVersionOf,properties.hasVersion=versions,representations=mappings"
)
VOCABULARIES = {
    "contacttype": ("contacttype", 37),
    "faulttype": ("faulttype", 25),
    "simplelithology": ("lithology", 266),
}
"""The classes of names in each vocabulary, and the number of subjects, the scheme included."""
ELSEWHERE = {
    "iow__links__links": 12,
    "ref__counties__counties": 1499,
    "ref__states__states": 56,
    "wwdh__snotel__snotel": 910,
}
"""The number of names that begin with a host of their own."""
GNIS = "https://edits.nationalmap.gov/apps/gaz-domestic/public/summary/"
NO_REGISTRIES = {
    "negotiation/languages-sample.jsonl",
    "negotiation/media-types-sample.jsonl",
    "usgin/real-ginuris-sample.tsv",
}
"""Requests, and a list of names with remarks."""


def _steward() -> Steward:
    steward = settled()
    hosts = "".join(line(f"uri-gin/{name}/", record="authority") for name in AUTHORITIES)
    assert steward.upload("_host/more.jsonl", hosts).refused == {}
    return steward


def _upload(steward: Steward, key: str, content: str | bytes, columns: str = "") -> Report:
    return steward.deliver(steward.put(key, content, **write_options(UploadOptions(columns=columns))))


def _broken(report: Report) -> Counter[tuple[str, str]]:
    return Counter(broken for each in report.verdicts for broken in each.broken)


def _comes_back(steward: Steward) -> list[str]:
    """Export, load into an empty registry, export again: the same bytes, which are returned."""
    exports = {folder: steward.exported(folder) for folder in ("_host/", "uri-gin/")}
    fresh = Steward()
    for (key, _), body in steward.files.uploads.items():
        fresh.put(f"{key}.file" if key.endswith(SUFFIXES) else key, body)
    for folder, lines in exports.items():
        assert fresh.upload(f"{folder}export.jsonl", "".join(lines)).refused == {}
    assert {folder: fresh.exported(folder) for folder in exports} == exports
    return exports["uri-gin/"]


def test_every_file_that_looks_like_a_registry_is_tried_here(shared_data: Path) -> None:
    found = {
        path.relative_to(shared_data).as_posix()
        for path in shared_data.rglob("*")
        if path.name.endswith(SUFFIXES)
    }

    assert found - NO_REGISTRIES == {
        SPRINGS,
        MODELS,
        "geoconnex/bulk__gnis__gnis.csv",
        *(f"geoconnex/{name}.csv" for name in ELSEWHERE),
        *(f"skos/geosciml__{name}.ttl" for name in VOCABULARIES),
    }


@pytest.mark.parametrize(("columns", "unmapped"), [("", 5), (OF_SPRINGS, 0)])
def test_three_contradicting_rows_of_the_springs_are_refused(
    shared_data: Path, columns: str, unmapped: int
) -> None:
    steward = _steward()

    report = _upload(steward, "uri-gin/cadoggr/springs.csv", (shared_data / SPRINGS).read_bytes(), columns)

    assert report.counts["registered"] == 292
    assert list(report.refused) == [(82, 88, 89)]
    assert {field for field, _ in report.refused[82, 88, 89]} >= {"title", "description"}
    warned = [each for verdict in report.verdicts for each in verdict.warned]
    assert warned.count(("identifier", "resource type")) == 292
    assert sum(rule == "unknown column" for _, rule in warned) == unmapped
    assert len(_comes_back(steward)) == 293  # and a type


def test_contradicting_rows_come_back_as_a_file_and_register_after_correction(
    shared_data: Path,
) -> None:
    steward = _steward()
    refused = _upload(steward, "uri-gin/cadoggr/springs.csv", (shared_data / SPRINGS).read_bytes())
    assert refused.refused_lines is not None
    heading, first, *others = refused.refused_lines.decode().splitlines()
    assert len(others) == 2

    again = _upload(steward, "uri-gin/cadoggr/springs.csv", f"{heading}\n{first}\n")

    assert again.counts["registered"] == 1
    assert len(_comes_back(steward)) == 294


def test_content_models_report_their_members_that_are_no_fields(shared_data: Path) -> None:
    report = _upload(_steward(), "uri-gin/aasg/models.jsonl", (shared_data / MODELS).read_bytes())

    assert report.counts == {"refused": 93}
    assert _broken(report) == {
        ("versions", "unknown field"): 36,
        ("mappings", "unknown field"): 93,
        ("date", "unknown field"): 57,
        ("isVersionOf", "unknown field"): 57,
    }


def test_content_models_register_after_the_suggested_renaming(shared_data: Path) -> None:
    steward, content = _steward(), (shared_data / MODELS).read_text(encoding="utf-8")
    mapped = _upload(steward, "uri-gin/aasg/models.jsonl", content, OF_MODELS)
    assert mapped.counts["registered"] == 36
    assert {field.rpartition(".")[2] for field, _ in _broken(mapped)} == {"type", "target"}

    renamed = "".join(f"{json.dumps(_renamed(json.loads(each)))}\n" for each in content.splitlines())
    report = _upload(steward, "uri-gin/aasg/models.jsonl", renamed, OF_MODELS)

    assert report.refused == {}
    assert report.counts["registered"] == 57
    assert len(_comes_back(steward)) == 93 + 1


def _renamed(model: dict[str, Any]) -> dict[str, Any]:
    forms = {(each["type"], each["target"]): each for each in model["mappings"]}
    many = Counter(kind for kind, _ in forms)
    # Several services of one type differ by a part.
    model["mappings"] = [
        {"media_type": kind, "location": target} | ({"part": f"{number}.xml"} if many[kind] > 1 else {})
        for number, (kind, target) in enumerate(forms)
    ]
    return model


@pytest.mark.parametrize("name", VOCABULARIES)
def test_a_vocabulary_is_registered_under_its_mapped_names(shared_data: Path, name: str) -> None:
    steward, content = _steward(), (shared_data / "skos" / f"geosciml__{name}.ttl").read_bytes()
    concepts, subjects = VOCABULARIES[name]
    key = f"uri-gin/cgi/{name}.ttl"
    assert _broken(_upload(steward, key, content)) == {("", "map"): 1}
    mapping = (
        f"http://resource.geosciml.org/classifierscheme/cgi/2016.01/{name}=uri-gin/cgi/{concepts}/ "
        f"http://resource.geosciml.org/classifier/cgi/{concepts}/{{+rest}}=uri-gin/cgi/{concepts}/{{+rest}}"
    )

    report = _upload(steward, key, content, mapping)

    assert report.refused == {}
    assert report.counts["registered"] == subjects
    assert len(_comes_back(steward)) == subjects + 1


@pytest.mark.parametrize("name", ELSEWHERE)
def test_names_under_a_foreign_host_are_refused_line_by_line(shared_data: Path, name: str) -> None:
    steward = _steward()

    content = (shared_data / "geoconnex" / f"{name}.csv").read_bytes()
    report = _upload(steward, "uri-gin/usgin/names.csv", content)

    assert report.counts == {"refused": ELSEWHERE[name]}
    assert _broken(report) == {("identifier", "folder"): ELSEWHERE[name]}
    assert [each.lines for each in report.verdicts] == [(number + 2,) for number in range(ELSEWHERE[name])]
    assert len(_comes_back(steward)) == 1


GEOCONNEX = "geoconnex.us"


def _on_its_host(shared_data: Path, name: str, steward: Steward) -> Report:
    steward.upload("_host/geoconnex.jsonl", line(f"https://{GEOCONNEX}/", record="host"))
    return _upload(
        steward, f"{GEOCONNEX}/{name}.csv", (shared_data / "geoconnex" / f"{name}.csv").read_bytes()
    )


@pytest.mark.parametrize("name", ELSEWHERE)
def test_all_identifiers_of_geoconnex_register_from_the_folder_of_its_host(
    shared_data: Path, name: str
) -> None:
    steward = _steward()

    report = _on_its_host(shared_data, name, steward)

    # The counts show the accepted share: all of it, without titles.
    assert report.counts == {"registered": ELSEWHERE[name], "warned": ELSEWHERE[name]}
    warned = Counter(each for verdict in report.verdicts for each in verdict.warned)
    assert warned == {("title", "missing"): ELSEWHERE[name]}
    folder = f"{GEOCONNEX}/{name.partition('__')[0]}/"
    assert len(steward.exported(folder)) == ELSEWHERE[name]
    fresh = _steward()
    fresh.upload("_host/geoconnex.jsonl", line(f"https://{GEOCONNEX}/", record="host"))
    assert fresh.upload(f"{folder}export.jsonl", "".join(steward.exported(folder))).refused == {}
    assert fresh.exported(folder) == steward.exported(folder)


def test_a_name_of_geoconnex_leads_to_the_location_in_its_table(shared_data: Path) -> None:
    steward = _steward()
    _on_its_host(shared_data, "ref__states__states", steward)
    finder = RememberingFinder(steward.memory, time.monotonic)
    event = rest_event("/ref/states/01", headers={"Host": GEOCONNEX})

    answer = resolve(
        read_request(event), finder, IdentifierResponses(MemoryContentStore(), "ids.example.org")
    ).response

    assert (answer.status, dict(answer.headers)["Location"]) == (
        302,
        "https://reference.geoconnex.us/collections/states/items/01",
    )


def test_the_doubled_slash_of_geoconnex_is_removed_as_in_published_names() -> None:
    steward = _steward()
    steward.upload("_host/geoconnex.jsonl", line(f"https://{GEOCONNEX}/", record="host"))
    table = (
        "id,target\n"
        f"https://{GEOCONNEX}//usgs/a,https://a.example/a\n"
        f"https://{GEOCONNEX}//usgs/gnis/(.*)$,https://a.example/$1\n"
        f"https://{GEOCONNEX}/usgs//b,https://a.example/b\n"
    )

    report = steward.upload(f"{GEOCONNEX}/usgs/names.csv", table)
    other = steward.upload(
        f"{GEOCONNEX}/other.csv", f"identifier,location\nhttps://{GEOCONNEX}//x,https://a.example/x\n"
    )

    warned = {each.lines: ("identifier", "two slashes") in each.warned for each in report.verdicts}
    assert warned == {(2,): True, (3,): True, (4,): False}
    assert [each.identifier for each in report.verdicts] == [
        f"//{GEOCONNEX}/usgs/a",
        f"//{GEOCONNEX}/usgs/gnis/",
        f"//{GEOCONNEX}/usgs//b",
    ]
    assert [each.identifier for each in other.verdicts] == [f"//{GEOCONNEX}//x"]


def test_the_expression_of_geoconnex_becomes_a_rule(shared_data: Path) -> None:
    steward = _steward()

    report = _on_its_host(shared_data, "bulk__gnis__gnis", steward)

    assert report.counts["registered"] == 1
    finder = RememberingFinder(steward.memory, time.monotonic)
    event = rest_event("/usgs/gnis/1234/more", headers={"Host": GEOCONNEX})
    answer = resolve(
        read_request(event), finder, IdentifierResponses(MemoryContentStore(), "ids.example.org")
    ).response
    assert (answer.status, dict(answer.headers)["Location"]) == (302, f"{GNIS}1234")


def test_an_expression_beyond_rules_is_refused_with_the_remedy() -> None:
    table = "id,target\nuri-gin/usgin/gnis/(?=ab)(.*)$,https://a.example/$1\n"

    report = _steward().upload("uri-gin/usgin/gnis.csv", table)

    assert report.refused == {(2,): [("identifier", "expression")]}
    assert "Write a rule" in report.verdicts[0].findings[0]["message"]
