"""Tables of geoconnex as registrations, or the reasons for refusing a row."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.entries import ConvertedEntry, Outcome
from ginuri.migration.geoconnex import import_geoconnex

G = "https://geoconnex.us"
H = "http://geoconnex.us"
B = "https://b.example"
METADATA = b'{"dataset_description": "Dams", "contact_email": "a@b.example", "dataset_documentation_link": "https://b.example/dams"}'


def _outcomes(*rows: str, metadata: bytes = b"") -> list[Outcome]:
    table = "\n".join(["id,target", *rows]).encode()
    files = {"ref/dams/dams.csv": table} | ({"ref/dams/metadata.json": metadata} if metadata else {})
    return list(import_geoconnex(files))


def _import(*rows: str, metadata: bytes = b"") -> list[list[dict[str, Any]] | str]:
    return [
        [dict(line) for line in each.registrations] if isinstance(each, ConvertedEntry) else str(each.reason)
        for each in _outcomes(*rows, metadata=metadata)
    ]


def test_a_row_is_a_resource_with_its_target() -> None:
    assert _import(f"{G}/ref/dams/1, {B}/1") == [[{"identifier": f"{H}/ref/dams/1", "location": f"{B}/1"}]]


def test_a_row_with_two_slashes_and_a_dollar_is_a_rule() -> None:
    [lines] = _import(f"{G}//usgs/gnis/([0-9_]+).*$, {B}/$1")

    assert lines == [
        {
            "record": "rule",
            "identifier": f"{H}/usgs/gnis/",
            "location": f"{B}/{{+id}}",
            "pattern": "{id:[0-9_]}[{+rest}]",
        }
    ]


def test_an_expression_of_names_is_resources() -> None:
    [lines] = _import(f"{G}//ref/a/?$,{B}/")

    assert [each["identifier"] for each in lines if isinstance(each, dict)] == [f"{H}/ref/a", f"{H}/ref/a/"]


def test_a_table_with_a_description_is_a_resource_with_parts() -> None:
    first, second = _import(f"{G}/ref/dams/1,{B}/1", f"{G}/ref/dams/2,{B}/2", metadata=METADATA)

    assert isinstance(first, list)
    assert first[0] == {
        "identifier": f"{H}/ref/dams",
        "kind": "thing",
        "title": "Dams",
        "contact": "mailto:a@b.example",
        "links": [{"rel": "describedby", "href": f"{B}/dams"}],
    }
    assert isinstance(second, list)
    assert [first[1]["part_of"], second[0]["part_of"]] == [f"{H}/ref/dams"] * 2


@pytest.mark.parametrize(
    "rows",
    [
        (f"{G}/ref/dams,{B}/", f"{G}/ref/dams/1,{B}/1"),  # a row has this name
        (f"{G}/1,{B}/1",),
        (f"{G}/ref/1,{B}/1", f"{G}/iow/1,{B}/2"),
        (f"{G}/ref/dams/1,{B}/1", f"https://other.example/ref/dams/2,{B}/2"),
    ],
)
def test_a_table_without_a_folder_of_its_own_is_no_resource(rows: tuple[str, ...]) -> None:
    lines = [line for each in _import(*rows, metadata=METADATA) for line in each]

    assert all("title" not in line for line in lines)


def test_a_repeated_row_is_left_out_with_a_remark() -> None:
    _, second = _outcomes(f"{G}/ref/1,{B}/1", f"{G}/ref/1,{B}/1")

    assert isinstance(second, ConvertedEntry)
    assert (second.registrations, len(second.remarks)) == ([], 1)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (f"{G}/ref/1,{B}/2", "has the same name and another target"),
        (f"{G}/ref/2,ftp://b.example/", "is not a URL that starts with"),
        (f"{G}/ref/a b,{B}/", "must be percent-encoded"),
        (f"ref/1,{B}/", "is not an identifier"),
        (f"{G}//ref/(?=ab)(.*)$,{B}/$1", "cannot look ahead"),
    ],
)
def test_a_row_without_equivalent_is_refused(row: str, why: str) -> None:
    _, told = _import(f"{G}/ref/1,{B}/1", row)

    assert isinstance(told, str)
    assert why in told


@pytest.mark.parametrize(
    ("table", "why"), [(b"a,b\n1,2\n", "is not a table of geoconnex"), (b"\xff", "not UTF-8")]
)
def test_a_file_without_its_columns_is_unreadable(table: bytes, why: str) -> None:
    with pytest.raises(UnreadableFile, match=why):
        list(import_geoconnex({"a.csv": table}))
