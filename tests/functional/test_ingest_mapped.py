"""Columns with other names are mapped to fields, for tables and for JSON lines."""

from __future__ import annotations

import pytest

from ginuri.files.options import UploadOptions, write_options
from tests.steward import LINES, TABLE, Report, Steward, settled

WELL = "uri-gin/azgs/doc/1"
MAP = "identifier=Link,title@de=Titel, properties.county=County,links.license=Lizenz"


def _upload(steward: Steward, key: str, content: str, columns: str) -> Report:
    return steward.deliver(steward.put(key, content, **write_options(UploadOptions(columns=columns))))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_columns_are_read_as_their_mapped_fields(separator: str) -> None:
    steward = settled()
    rows = [
        ["Link", "Titel", "County", "Lizenz", "colour"],
        [WELL, "Brunnen", "Cochise", "https://a.b/", "red"],
    ]
    content = "".join(f"{separator.join(row)}\n" for row in rows)

    report = _upload(steward, TABLE, content, MAP)

    values = steward.values(WELL) or {}
    assert report.refused == {}
    assert report.verdicts[0].warned == [("colour", "unknown column")]
    assert (values["title"], values["properties"]) == ({"de": "Brunnen"}, {"county": "Cochise"})
    assert values["links"] == {"license": [{"rel": "license", "href": "https://a.b/"}]}


def test_members_of_objects_are_read_as_the_fields_they_map_to() -> None:
    steward = settled()
    content = f'{{"Link": "{WELL}", "title": {{"en": "Well"}}, "Titel": "Brunnen", "County": "Cochise"}}\n'

    report = _upload(steward, LINES, content, "identifier=Link,title@de=Titel,properties.county=County")

    values = steward.values(WELL) or {}
    assert report.refused == {}
    assert (values["title"], values["properties"]) == ({"en": "Well", "de": "Brunnen"}, {"county": "Cochise"})


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ("identifer=Link", "Did you mean identifier?"),
        ("colour=Link", "The fields are: "),
        ("identifier", "identifier=uri"),
        ("identifier=", "identifier=uri"),
        ("identifier=Link,title=Link", "twice"),
        ("title=a,title=b", "twice"),
    ],
)
@pytest.mark.parametrize("key", [TABLE, LINES])
def test_an_invalid_mapping_refuses_the_file_once(key: str, columns: str, told: str) -> None:
    report = _upload(settled(), key, f"Link,title\n{WELL},Well\n{WELL}2,Well\n", columns)

    [verdict] = report.verdicts
    assert [rule for _, rule in verdict.broken] == ["map"]
    assert told in verdict.findings[0]["message"]


def test_a_mapping_of_a_missing_column_is_refused_with_the_existing_ones() -> None:
    report = _upload(settled(), TABLE, f"identifier,Name\n{WELL},Well\n", "title=label")

    assert report.refused == {(1,): [("title", "map")]}
    assert "'identifier', 'Name'" in report.verdicts[0].findings[0]["message"]


def test_a_mapping_of_uris_is_ignored_for_tables() -> None:
    columns = "http://a.example/{+rest}=uri-gin/azgs/{+rest}"

    assert _upload(settled(), TABLE, f"identifier,title\n{WELL},Well\n", columns).counts == {"registered": 1}


TITLED = "\ufeffWells of Arizona;;\r\n\r\nLink;Titel;Status\r\n"


def test_refused_rows_keep_titles_and_heading_and_can_be_corrected_there() -> None:
    steward = settled()
    good, bad = f"{WELL};Brunnen;Valid\r\n", f"{WELL}2;=1+1;gone\r\n"

    report = _upload(steward, TABLE, f"{TITLED}{good}{bad}", "identifier=link,title=titel")

    assert report.refused == {(5,): [("status", "enum")]}
    assert (report.refused_lines or b"").decode() == f"{TITLED}{WELL}2;'=1+1;gone\r\n"
    corrected = (report.refused_lines or b"").replace(b"gone", b"Retired")
    again = steward.deliver(steward.put(TABLE, corrected, map="identifier=link,title=titel"))
    assert again.counts == {"registered": 1}
    assert (steward.values(f"{WELL}2") or {})["title"] == {"": "=1+1"}


def test_a_snapshot_with_an_unusable_heading_retires_nothing() -> None:
    steward = settled()
    steward.upload(TABLE, f"identifier,title\n{WELL},Well\n")
    table = "Wells\n\nPersistent ID,Name\n" + "".join(f"{WELL}{number},Well\n" for number in range(50))

    options = write_options(UploadOptions(snapshot="uri-gin/azgs/", is_many=True))
    report = steward.deliver(steward.put(TABLE, table, **options))

    assert report.refused == {(3,): [("identifier", "heading")]}
    assert (report.counts, report.whole["refused_lines"]) == ({"refused": 1}, None)
    assert "status" not in (steward.values(WELL) or {})
