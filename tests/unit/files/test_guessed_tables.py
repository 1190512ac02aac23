"""Which columns of a table are taken for fields, and which folder its identifiers belong to."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from ginuri.files.guesses.candidates import Doubt
from ginuri.files.guesses.tables import TableGuess, guess_table
from ginuri.files.options import UploadOptions
from tests.spreadsheets import workbook

NAMED = (
    "uri-gin/azgs/well/1/,Well 1,https://example.org/1\nuri-gin/azgs/well/2/,Well 2,https://example.org/2\n"
)


def _guess(content: str | bytes, name: str = "wells.csv", **options: str) -> TableGuess:
    body = content.encode() if isinstance(content, str) else content
    guess = guess_table(name, body, UploadOptions(**options))  # type: ignore[arg-type]
    assert guess is not None
    return guess


@pytest.mark.parametrize(
    ("heading", "fields"),
    [
        ("identifier,title,location", {}),
        (
            "Persistent ID,Name,Web link",
            {"identifier": "Persistent ID", "title": "Name", "location": "Web link"},
        ),
        ("Código,Nombre,Enlace", {"title": "Nombre", "location": "Enlace", "identifier": "Código"}),
        ("Code,title,Where", {"identifier": "Code", "location": "Where"}),
    ],
)
def test_columns_are_guessed_by_their_names_then_by_their_values(
    heading: str, fields: Mapping[str, str]
) -> None:
    guess = _guess(f"{heading}\n{NAMED}")

    assert guess.proposal.sources() == fields
    assert guess.folders == {"uri-gin/azgs/": 2}


def test_the_heading_is_found_below_titles() -> None:
    guess = _guess(f"Arizona Geological Survey,,\n,,\nPID,Name,Link\n{NAMED}")

    assert (guess.sample.line, guess.identifiers) == (3, "PID")


def test_a_sheet_with_identifiers_is_found_behind_another() -> None:
    rows = [["PID", "Name"], ["uri-gin/azgs/well/1/", "Well 1"]]
    guess = _guess(workbook({"Read me": [["Wells of 2011"]], "Wells": rows}), "wells.xlsx")

    assert guess.proposal.sources() == {"identifier": "PID", "title": "Name"}
    assert guess.folders == {"uri-gin/azgs/": 1}


def test_a_stated_mapping_is_no_guess() -> None:
    guess = _guess(f"Code,Name,Link\n{NAMED}", columns="identifier=Code,title=Link")

    assert guess.proposal.sources() == {}
    assert guess.identifiers == "Code"


def test_a_stated_order_of_dates_leaves_the_columns_to_be_guessed() -> None:
    guess = _guess(f"PID,Name,Link\n{NAMED}", dates="day-first")

    assert guess.identifiers == "PID"


def test_identifiers_are_made_of_numbers_only_after_a_question() -> None:
    guess = _guess("ID,Name\n17,Well 17\n18,Well 18\n")

    assert (guess.identifiers, guess.folders) == ("", {})
    assert guess.made is not None
    assert guess.made.source == "{ID}"
    assert [question.doubt for question in guess.proposal.questions] == [Doubt.NUMBERS]


def test_a_column_called_identifier_may_have_other_texts_in_it() -> None:
    guess = _guess("identifier,title\nuri-gin/azgs/a,A\nTotal: 1,\nSource: AZGS,\n")

    assert (guess.identifiers, guess.folders) == ("identifier", {"uri-gin/azgs/": 1})


def test_a_column_called_identifier_may_have_names_of_other_schemes() -> None:
    guess = _guess("identifier,title\ndoi:10.5066/P9ABC,A\ndoi:10.5066/P9ABC,B\n")

    assert (guess.identifiers, guess.made) == ("identifier", None)


def test_features_have_the_members_that_an_upload_reads() -> None:
    feature = {
        "type": "Feature",
        "id": "uri-gin/azgs/a",
        "geometry": {"type": "Point", "coordinates": [1, 2]},
        "properties": {"Name": "A"},
    }
    guess = _guess(json.dumps({"type": "FeatureCollection", "features": [feature]}), "wells.geojson")

    assert guess.sample.names == ["Name", "spatial", "id"]
    assert guess.folders == {"uri-gin/azgs/": 1}


def test_a_single_object_is_no_table() -> None:
    assert guess_table("record.json", b'{"identifier": "uri-gin/azgs/a"}', UploadOptions()) is None


@pytest.mark.parametrize("name", ["results", "data", "items"])
def test_objects_in_a_member_are_a_table(name: str) -> None:
    answer = {"count": 1, name: [{"URI": "uri-gin/azgs/a", "title": "A"}]}

    guess = _guess(json.dumps(answer), "wells.json")

    assert guess.proposal.sources() == {"identifier": "URI"}
    assert guess.folders == {"uri-gin/azgs/": 1}


def test_json_lines_with_other_names_are_a_table() -> None:
    guess = _guess('{"pid": "uri-gin/azgs/a", "name": "A"}\n{"pid": "uri-gin/azgs/b"}\n', "wells.jsonl")

    assert guess.proposal.sources() == {"identifier": "pid", "title": "name"}


def test_the_row_of_formats_is_no_row() -> None:
    heading = "site_no\tstation_nm\tdec_lat_va\tdec_long_va"
    rows = ("15s\t50s\t16s\t16s", "1\tGila\t32.1\t-110.2", "2\tX\t33\t-111")
    proposal = _guess("\n".join((heading, *rows)), "sites.tsv").proposal

    assert proposal.sources()["spatial"] == "POINT({dec_long_va} {dec_lat_va})"


def test_identifiers_of_several_folders_are_counted() -> None:
    rows = "uri-gin/azgs/a,A\nuri-gin/azgs/b,B\nhttp://resources.usgin.org/uri-gin/usgin/c,C\n"
    guess = _guess(f"identifier,title\n{rows}")

    assert guess.folders == {"uri-gin/azgs/": 2, "uri-gin/usgin/": 1}


@pytest.mark.parametrize("name", ["map.pdf", "rows.jsonl", "graph.ttl"])
def test_only_tables_have_columns_to_guess(name: str) -> None:
    assert guess_table(name, b"{}", UploadOptions()) is None


@pytest.mark.parametrize("body", [b"", b"PK\x03\x04damaged", b"\n\n"])
def test_an_unreadable_table_has_no_guess(body: bytes) -> None:
    assert guess_table("wells.xlsx", body, UploadOptions()) is None
