"""Fields made from columns by templates: in tables and in JSON lines."""

from __future__ import annotations

import pytest

from ginuri.files.options import UploadOptions, write_options
from tests.steward import LINES, TABLE, Report, Steward, settled

MAP = "identifier=uri-gin/azgs/doc/{ID},location=https://doi.org/{DOI},spatial=POINT({lon} {lat}),title=Name"
MADE = "uri-gin/azgs/doc/17"


def _upload(steward: Steward, key: str, content: str, columns: str) -> Report:
    return steward.deliver(steward.put(key, content, **write_options(UploadOptions(columns=columns))))


@pytest.mark.parametrize(
    ("key", "content"),
    [
        (TABLE, "ID;Name;DOI;lon;lat\n17;Well;doi:10.5066/P9ABC;-110,3;31,5\n"),
        (TABLE, "Wells of Arizona\n\nid,name,doi,LON,Lat\n17,Well,10.5066/P9ABC,-110.3,31.5\n"),
        (LINES, '{"ID": 17, "Name": "Well", "DOI": "10.5066/P9ABC", "lon": -110.3, "lat": 31.5}\n'),
    ],
)
def test_fields_are_made_from_columns_by_templates(key: str, content: str) -> None:
    steward = settled()

    report = _upload(steward, key, content, MAP)

    values = steward.values(MADE) or {}
    [form] = values["representations"].values()
    assert (report.refused, report.counts) == ({}, {"registered": 1})
    assert (values["title"], form["location"]) == ({"": "Well"}, "https://doi.org/10.5066/P9ABC")
    assert values["spatial"]["coordinates"] == [-110.3, 31.5]


def test_a_row_with_an_empty_value_is_refused_and_names_the_column() -> None:
    report = _upload(
        settled(), TABLE, "ID,DOI,lon,lat,Name\n,10.1/x,,,Well\n17,,,,Well\n18,10.1/x,,,W\n", MAP
    )

    assert report.refused == {(2,): [("identifier", "empty")], (3,): [("location", "empty")]}
    assert report.counts == {"refused": 2, "registered": 1}
    assert [verdict.findings[0]["column"] for verdict in report.verdicts if verdict.findings] == ["ID", "DOI"]


@pytest.mark.parametrize(
    ("key", "content"),
    [
        (TABLE, "Link \na//b\n"),
        ("uri-gin/azgs/wells.jsonl", '{"Link": "a//b"}\n'),
    ],
)
def test_a_finding_on_a_made_field_names_the_cell_to_correct(key: str, content: str) -> None:
    report = _upload(settled(), key, content, "identifier=uri-gin/azgs/{+Link}")

    [finding] = report.verdicts[-1].findings
    assert (finding["field"], finding["column"]) == ("identifier", "Link")
    assert (finding["value"], finding["suggestion"]) == ("a//b", "a/b")
    assert finding["message"].endswith("Did you mean a/b?")


def test_a_correction_of_several_cells_names_their_columns() -> None:
    report = _upload(
        settled(), TABLE, "Folder,Link\na//b,c//d\n", "identifier=uri-gin/azgs/{+Folder}/{+Link}"
    )

    [finding] = report.verdicts[-1].findings
    assert finding["column"] == "uri-gin/azgs/{+Folder}/{+Link}"
    assert finding["message"].endswith(
        "Did you mean uri-gin/azgs/a/b/c/d? The value is made from the columns 'Folder', 'Link'. Correct "
        "their cells, or the template uri-gin/azgs/{+Folder}/{+Link}."
    )
    assert finding["suggestion"] is None


def test_a_template_of_a_missing_column_refuses_the_file_once() -> None:
    report = _upload(
        settled(), TABLE, "ID,Name\n17,Well\n", "identifier=uri-gin/azgs/doc/{Number},title=Name"
    )

    assert report.refused == {(1,): [("identifier", "map")]}


def test_a_column_with_the_name_of_a_template_is_that_column() -> None:
    steward = settled()

    report = _upload(steward, TABLE, f"identifier,Name {{en}},en\n{MADE},Well,x\n", "title@en=Name {en}")

    assert report.refused == {}
    assert (steward.values(MADE) or {})["title"] == {"en": "Well"}


def test_another_name_of_a_made_field_is_no_field() -> None:
    steward = settled()

    report = _upload(steward, TABLE, "Code,ID\n17,4711\n", "identifier=uri-gin/azgs/doc/{Code}")

    assert report.refused == {}
    assert steward.values(MADE) is not None


@pytest.mark.parametrize("name", ["title", "Title"])
def test_a_template_may_read_the_column_of_its_own_field(name: str) -> None:
    steward = settled()

    _upload(
        steward, TABLE, f"identifier,{name},County\n{MADE},Well,Cochise\n", f"title={{{name}}} ({{County}})"
    )

    assert (steward.values(MADE) or {})["title"] == {"": "Well (Cochise)"}


def test_a_made_field_and_a_column_of_its_name_are_refused() -> None:
    report = _upload(
        settled(), TABLE, f"identifier,location,DOI\n{MADE},,10.1/x\n", "location=https://doi.org/{DOI}"
    )

    assert report.refused == {(1,): [("location", "heading")]}
