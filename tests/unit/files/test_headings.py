"""The heading of a table: found below titles, in any spelling, and refused once if it is incomplete."""

from __future__ import annotations

import shlex
import time

import pytest

from ginuri.files.formats import read_lines, reader_for
from ginuri.files.mapping.columns import ColumnMapping, read_columns, write_map_option
from ginuri.files.options import UploadOptions
from ginuri.files.schema.fields import REPRESENTATION_FIELDS
from ginuri.files.tables.delimited import read_delimited
from ginuri.files.tables.heading import HeadingReader, UnusableHeading
from ginuri.files.tables.proposals import propose_fields
from ginuri.registration.rows import Row
from ginuri.registry.metadata.fields import FIELDS
from tests.builders import short
from tests.spreadsheets import written

WELL = "uri-gin/azgs/doc/well"


def _read(text: str, name: str = "wells.csv", columns: str = "") -> list[Row]:
    return _rows(text.encode(), name, columns)


def _rows(content: bytes, name: str, columns: str = "") -> list[Row]:
    options = UploadOptions(columns=columns)
    reader = reader_for(name, options)
    assert reader is not None
    rows = reader(read_lines(name, [content], options))
    return [row for row in rows if row.identifier is not None or row.findings]


def _refusal(text: str, columns: str = "") -> UnusableHeading:
    with pytest.raises(UnusableHeading) as raised:
        _read(text, columns=columns)
    return raised.value


@pytest.mark.parametrize(
    "above",
    [
        "Wells of Arizona\n",
        "\n\n",
        "Wells of Arizona;;\n;;\n",
        '"Wells of Arizona, ""2026""";;\nContact: wells@example.org;;https://example.org/;\n\n',
        "sep=;\nWells\n",
        'The 3" wells; and others\n',
        "\n".join(["Notes"] * 19) + "\n",
    ],
)
def test_the_heading_is_found_below_titles_and_lines_keep_their_numbers(above: str) -> None:
    [row] = _read(f"{above}Identifier;Title;properties.depth\n{WELL};Well;17\n")

    assert (str(row.identifier), row.line, row.findings) == (WELL, above.count("\n") + 2, ())
    assert short(row.statements) == {("title", ""): "Well", ("properties", "depth"): "17"}


def test_the_first_of_two_possible_headings_is_used() -> None:
    first, second = _read(f"identifier,title\n{WELL},id\nidentifier,title\n")

    assert (str(first.identifier), first.line) == (WELL, 2)
    assert (second.line, second.findings[0].field) == (3, "identifier")


def test_a_later_row_with_values_is_no_heading() -> None:
    assert _refusal(f"Code,Name\n{WELL},URI\n").line == 1


def test_a_heading_must_be_within_the_first_twenty_rows() -> None:
    assert _refusal("Notes\n" * 20 + f"identifier,title\n{WELL},Well\n").line == 1


def test_a_mapped_heading_is_found_below_titles_too() -> None:
    [row] = _read(
        f"Wells\n\nPersistent ID;Name\n{WELL};Well\n", columns="identifier=persistent_id,title=Name"
    )

    assert (row.line, short(row.statements)) == (4, {("title", ""): "Well"})


def test_rows_are_as_wide_as_the_heading_and_not_the_title() -> None:
    titles: list[list[str | None]] = [["Wells", None, None, None, "2026"], [None], ["Wells", "2026"]]
    rows = _rows(written([*titles, ["ID", "Label", "Url"], [WELL], [f"{WELL}2", "Two"]]), "wells.xlsx")

    assert [(row.line, str(row.identifier), row.findings) for row in rows] == [
        (5, WELL, ()),
        (6, f"{WELL}2", ()),
    ]


@pytest.mark.parametrize("field", sorted({*FIELDS, *REPRESENTATION_FIELDS}))
@pytest.mark.parametrize("between", [" ", "-", "_", "  ", ""])
def test_blanks_hyphens_underscores_and_capitals_do_not_matter(field: str, between: str) -> None:
    names = [between.join(field.split("_")).title(), f" {between.join(field.upper().split('_'))} "]

    assert HeadingReader().fields(names) == [field, field]


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("Title @DE", "title@DE"),
        ("Links.license", "links.license"),
        ("PROPERTIES.Well depth", "properties.Well depth"),
        ("Media\nType", "media_type"),
        ("Media\u00a0Type", "media_type"),
        ("media\u2011type", "media_type"),
        ("No.", "No."),
        ("title_de", "title@de"),
        ("title_id", "title_id"),
    ],
)
def test_the_suffix_after_a_name_is_kept(name: str, field: str) -> None:
    assert HeadingReader().fields([name]) == [field]


def test_a_column_with_the_mapped_name_precedes_similar_ones() -> None:
    reader = HeadingReader(ColumnMapping({"name": "title"}))

    assert reader.fields(["Name", "name"]) == ["Name", "title"]
    assert reader.fields(["NAME"]) == ["title"]


@pytest.mark.parametrize(
    ("columns", "named"),
    [("id,Media Type,media_type", "'Media Type', 'media_type'"), ("uri,URL,Location", "'URL', 'Location'")],
)
def test_two_columns_that_are_one_field_are_both_named(columns: str, named: str) -> None:
    refusal = _refusal(f"{columns}\n")

    assert str(refusal).startswith(f"The columns {named} are all the field")


@pytest.mark.parametrize(
    ("heading", "columns", "option"),
    [
        (
            "Persistent ID;Name;Link",
            "'Persistent ID', 'Name', 'Link'",
            '"identifier=Persistent ID,title=Name,location=Link"',
        ),
        ("Identificador,Nombre", "'Identificador', 'Nombre'", '"identifier=Identificador,title=Nombre"'),
        ("identifer\ttitle", "'identifer', 'title'", '"identifier=identifer"'),
        ("Site ID,Site name", "'Site ID', 'Site name'", '"identifier=Site ID,title=Site name"'),
        ('"ID, permanent",Name', "'ID, permanent', 'Name'", "'\"identifier=ID, permanent\",title=Name'"),
        ("PID ($),Name", "'PID ($)', 'Name'", "'identifier=PID ($),title=Name'"),
    ],
)
def test_without_an_identifier_column_a_mapping_is_proposed(heading: str, columns: str, option: str) -> None:
    table = f"Wells of Arizona\n\n{heading}\n{WELL},Well\n{WELL}2,Well\n"
    refusal = _refusal(table)

    assert refusal.line == 3
    assert str(refusal) == (
        f"Line 3 names the columns {columns}, but none of them `identifier`. Check this proposal, correct it "
        f"if needed, and upload the file again with it: --map {option}"
    )
    [_, proposal] = shlex.split(f"--map {option}")
    assert _read(table, columns=proposal) or heading.count(",") != 1


def test_a_proposal_keeps_the_existing_mapping() -> None:
    refusal = _refusal("PID,Name,Web\nx,y,z\n", "location=Web")

    assert str(refusal).endswith('--map "identifier=PID,title=Name,location=Web"')


def test_an_unrecognisable_heading_leads_to_a_question_for_the_identifier_column() -> None:
    assert str(_refusal("Colour,Depth\nred,17\n")) == (
        "Line 1 names the columns 'Colour', 'Depth', but none of them `identifier`. Call the column with the "
        'identifiers `identifier`, or upload the file again with its name: --map "identifier=…"'
    )


def test_a_table_without_a_heading_has_no_names_of_columns() -> None:
    assert str(_refusal(f"{WELL}1,Well\n{WELL}2,Well\n")) == (
        "The table has no column names: line 1 already has values, such as uri-gin/azgs/doc/well1. Insert a "
        "line with the names above it, such as identifier,title,location."
    )


def test_an_alternative_name_of_a_column_is_a_warning_with_mapping() -> None:
    [heading, _] = _read(f"identifier,Name,Colour,,\n{WELL},Well,red,,\n")

    assert [str(finding.message) for finding in heading.findings] == [
        (
            "The column 'Name' is not a field and is not registered. If it is the field `title`, upload the "
            'file again with --map "title=Name"; to keep it under its own name, call it properties.Name.'
        ),
        "The column 'Colour' is not a field and is not registered. To keep it, call it properties.Colour.",
    ]


@pytest.mark.parametrize(
    "columns",
    [
        {"identifier": "Persistent ID"},
        {"identifier": "ID, permanent", "title": 'The "name"'},
        {"title": "a=b"},
        {"title": "$HOME `x` \\ !"},
    ],
)
def test_a_proposed_option_is_read_as_the_mapping_that_it_proposes(columns: dict[str, str]) -> None:
    [name, text] = shlex.split(write_map_option(columns))

    assert name == "--map"
    assert read_columns(text) == ColumnMapping({column: field for field, column in columns.items()})


def test_every_column_is_proposed_for_one_field_and_the_reverse() -> None:
    assert propose_fields(["Name", "Nombre", "PID", "Handle"], ()) == {"title": "Name", "identifier": "PID"}
    assert propose_fields(["Name"], ["title"]) == {}


def test_a_heading_is_refused_quickly() -> None:
    row = ",".join(f"Unnamed column number {number}" for number in range(1_000))
    began = time.monotonic()

    _refusal(f"{row}\n" * 30)

    assert time.monotonic() - began < 10


def test_rows_read_before_are_skipped_below_titles_too() -> None:
    lines = [b"Wells\n", b"identifier,title\n", *(f"{WELL}{number},Well\n".encode() for number in range(3))]

    assert [row.line for row in read_delimited(lines, after=3)] == [4, 5]


def test_a_heading_in_another_encoding_is_reported_and_read_as_guessed() -> None:
    with pytest.raises(UnusableHeading) as raised:
        _rows(f"Identificador;Título\n{WELL};Pozo\n".encode("latin-1"), "wells.csv")

    encoding, heading = (str(finding.message) for finding in raised.value.findings)
    assert "in Windows-1252 it would be 'Identificador, Título'" in encoding
    assert heading.endswith('--map "identifier=Identificador,title=Título"')


def test_a_column_name_in_another_encoding_is_shown_readably() -> None:
    heading, _ = _rows(f"identifier,Höhe\n{WELL},17\n".encode("latin-1"), "wells.csv")

    assert "'Höhe'" in str(heading.findings[0].message)


def test_a_table_of_empty_lines_has_no_heading() -> None:
    assert str(_refusal("\n\n , \n")) == "The first line must name the columns."
