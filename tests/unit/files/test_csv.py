"""CSV: the fields as columns, one row a representation; a bad row never stops a good one."""

from __future__ import annotations

import codecs
import time
import tracemalloc
from collections.abc import Sequence
from typing import Any

import pytest

from ginuri.files.formats import fault_of_reading, read_lines, reader_for
from ginuri.files.lines import MOST_LINE_BYTES
from ginuri.files.options import UploadOptions
from ginuri.files.tables.cells import MOST_COLUMNS
from ginuri.files.tables.delimited import read_delimited
from ginuri.files.tables.heading import UnusableHeading
from ginuri.registration.rows import Row, combine
from ginuri.registration.verdicts import Level, Verdict
from ginuri.registry.record.serialization import Path
from ginuri.registry.record.statements import FIRST
from tests.builders import short

WELL = "uri-gin/azgs/doc/well"


def _read(text: str | bytes) -> list[Row]:
    """Read a table, and return every row except a heading without a finding."""
    raw = text.encode() if isinstance(text, str) else text
    try:
        rows = list(read_delimited(raw.splitlines(keepends=True)))
    except UnusableHeading as error:
        return [Row(error.line, None, findings=error.findings)]
    return [row for row in rows if row.identifier is not None or row.findings]


def _broken(rows: Sequence[Row]) -> list[tuple[int, str, str]]:
    return [
        (row.line, finding.field, finding.rule)
        for row in rows
        for finding in row.findings
        if finding.level is Level.REFUSED
    ]


def _warned(rows: Sequence[Row]) -> list[tuple[int, str, str]]:
    return [
        (row.line, finding.field, finding.rule)
        for row in rows
        for finding in row.findings
        if finding.level is Level.WARNED
    ]


def _states(*columns: tuple[str, str]) -> dict[Path, Any]:
    names, cells = zip(("identifier", WELL), *columns, strict=True)
    [row] = _read(",".join(names) + "\n" + ",".join(cells) + "\n")
    assert row.findings == ()
    return {path: value for path, value in short(row.statements).items() if path[-1] not in {FIRST, "status"}}


def _form(key: str, **values: Any) -> dict[Path, Any]:
    return {("representations", key, name): value for name, value in values.items()}


LOCATED = {"location": "https://a.example/", "file": None}


@pytest.mark.parametrize(
    ("columns", "statements"),
    [
        ([("title", "Well")], {("title", ""): "Well"}),
        (
            [("title@de", "Brunnen"), ("title@pt-BR", "Poço")],
            {("title", "de"): "Brunnen", ("title", "pt-BR"): "Poço"},
        ),
        ([("title", "Well"), ("title@de", "Brunnen")], {("title", ""): "Well", ("title", "de"): "Brunnen"}),
        ([("description@en", '"Deep, and wide"')], {("description", "en"): "Deep, and wide"}),
        ([("kind", "thing")], {("kind",): "thing"}),
        ([("part_of", "http://geon.org/uri-gin/azgs/doc/")], {("part_of",): "uri-gin/azgs/doc/"}),
        ([("properties.county", "Imperial")], {("properties", "county"): "Imperial"}),
        ([("properties.dc.type", "Spring")], {("properties", "dc.type"): "Spring"}),
        ([("Properties.isVersionOf", "1")], {("properties", "isVersionOf"): "1"}),
        (
            [("links.license", "https://a.example/by/4.0/")],
            {("links", "license"): [{"rel": "license", "href": "https://a.example/by/4.0/"}]},
        ),
        (
            [("links", '"[{""rel"": ""up"", ""href"": ""https://a.example/""}]"')],
            {("links", "up"): [{"rel": "up", "href": "https://a.example/"}]},
        ),
        ([("location", "https://a.example/")], _form("form   ", **LOCATED)),
        (
            [("location", "https://a.example/"), ("media_type", "text/html"), ("language", "de")],
            _form("form text/html de ", media_type="text/html", language="de", **LOCATED),
        ),
        (
            [("part", ".pdf"), ("file", "maps/well.pdf"), ("role", "canonical default"), ("quality", "0.5")],
            _form(
                "part .pdf",
                part=".pdf",
                file="maps/well.pdf",
                location=None,
                role=["canonical", "default"],
                quality=0.5,
            ),
        ),
        (
            [("location", "https://a.example/"), ("status_code", "307")],
            _form("form   ", status_code=307, **LOCATED),
        ),
        (
            [("profile", "https://a.example/profile")],
            _form("form   https://a.example/profile", profile="https://a.example/profile"),
        ),
    ],
)
def test_a_column_maps_to_a_field(columns: list[tuple[str, str]], statements: dict[Path, Any]) -> None:
    assert _states(*columns) == statements


@pytest.mark.parametrize(
    ("column", "field"),
    [
        ("id", "identifier"),
        ("uri", "identifier"),
        ("URI", "identifier"),
        ("Identifier", "identifier"),
        (" identifier ", "identifier"),
    ],
)
def test_the_identifier_has_several_names(column: str, field: str) -> None:
    [row] = _read(f"{column},title\n{WELL},Well\n")

    assert field == "identifier"
    assert (str(row.identifier), row.findings) == (WELL, ())


@pytest.mark.parametrize("column", ["target", "url", "URL", "Target", "location", "Location"])
def test_the_location_has_several_names(column: str) -> None:
    assert _states((column, "https://a.example/")) == _form("form   ", **LOCATED)


@pytest.mark.parametrize(
    ("column", "tag"), [("label", ""), ("Label", ""), ("Title", ""), ("label@de", "de"), ("Title@de", "de")]
)
def test_the_title_has_several_names(column: str, tag: str) -> None:
    assert _states((column, "Brunnen")) == {("title", tag): "Brunnen"}


def test_two_columns_are_a_registry() -> None:
    rows = _read(f"id,target\n{WELL}1,https://a.example/1\n{WELL}2,https://a.example/2\n")

    assert [(row.line, str(row.identifier), row.findings) for row in rows] == [
        (2, f"{WELL}1", ()),
        (3, f"{WELL}2", ()),
    ]


def test_an_empty_cell_is_absent() -> None:
    assert _states(("title", "Well"), ("reason", ""), ("location", "  ")) == {("title", ""): "Well"}


@pytest.mark.parametrize(
    ("column", "path"),
    [
        ("reason", ("reason",)),
        ("title@de", ("title", "de")),
        ("properties.county", ("properties", "county")),
        ("links", ("links",)),
        ("links.license", ("links", "license")),
        ("representations", ("representations",)),
        ("location", ("representations", "form   ", "location")),
    ],
)
def test_a_dash_clears(column: str, path: Path) -> None:
    assert _states((column, "-")) == {path: None}


def test_a_row_may_span_several_lines() -> None:
    [first, second] = _read(f'identifier,description\n{WELL}1,"Well\nof the ""survey"""\n{WELL}2,Well\n')

    assert (first.line, short(first.statements)["description", ""]) == (2, 'Well\nof the "survey"')
    assert second.line == 4


def test_blank_rows_are_skipped_but_counted() -> None:
    [row] = _read(f"identifier,title\r\n\r\n,\r\n{WELL},Well\r\n")

    assert (row.line, row.findings) == (4, ())


def test_a_byte_order_mark_is_no_part_of_the_heading() -> None:
    [row] = _read(codecs.BOM_UTF8 + f"identifier,title\n{WELL},Well\n".encode())

    assert str(row.identifier) == WELL


# As spreadsheets write them.


@pytest.mark.parametrize(
    "heading",
    [
        "identifier;title;properties.depth",
        "Title;ID;properties.depth",
        "\ufeffidentifier;title;properties.depth",
        '"identifier";"title";"properties.depth"',
        "identifier\ttitle\tproperties.depth",
        "sep=;\nidentifier;title;properties.depth",
        "\ufeffsep=;\r\nidentifier;title;properties.depth",
        "identifier|title|properties.depth",
        '"sep=|"\nidentifier|title|properties.depth',
        "SEP=\t\nidentifier\ttitle\tproperties.depth",
        "sep=,\nidentifier,title,properties.depth",
        "sep=;;;\nidentifier;title;properties.depth",
    ],
)
def test_the_separator_of_cells_is_detected(heading: str) -> None:
    separator = next(each for each in ";\t|," if each in heading.splitlines()[-1])
    first = ("Well 1, and 2", WELL) if heading.startswith("Title") else (WELL, "Well 1, and 2")
    cells = [f'"{cell}"' if separator in cell else cell for cell in (*first, "1,5")]

    [row] = _read(f"{heading}\n{separator.join(cells).replace('1,5', '1.5')}\n")

    assert (row.line, row.findings) == (len(heading.splitlines()) + 1, ())
    assert short(row.statements) == {("title", ""): "Well 1, and 2", ("properties", "depth"): "1.5"}


def test_a_separator_within_quotes_does_not_separate() -> None:
    [row] = _read(f'identifier,"properties.a;b;c;d"\n{WELL},x\n')

    assert short(row.statements) == {("properties", "a;b;c;d"): "x"}


def test_a_bad_heading_below_a_separator_line_has_its_line_number() -> None:
    rows = _read(f"sep=;\nname;title\n{WELL};Well\n")

    assert _broken(rows) == [(2, "identifier", "heading")]


def test_a_separator_line_without_rows_has_no_heading() -> None:
    assert _broken(_read("sep=;\n")) == [(1, "", "heading")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_ends_are_read_even_within_quotes(end: str) -> None:
    text = end.join(("identifier;description", f'{WELL}1;"Well{end}of two lines"', f"{WELL}2;Well", ""))

    first, second = _read(text)

    assert (first.line, short(first.statements)["description", ""]) == (2, "Well\nof two lines")
    assert (second.line, second.findings) == (4, ())


# Headings.


@pytest.mark.parametrize("heading", ["name,title", "title", "identifer;title"])
def test_without_a_column_for_the_identifier_the_file_has_one_refusal(heading: str) -> None:
    assert _broken(_read(f"{heading}\n{WELL},Well\n{WELL}2,Well\n")) == [(1, "identifier", "heading")]


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_table_has_at_most_a_thousand_columns(separator: str) -> None:
    heading = ["identifier", *(f"properties.{number}" for number in range(MOST_COLUMNS))]
    cells = separator.join((WELL, *["x"] * MOST_COLUMNS))

    [wide] = _read(f"{separator.join(heading)}\n{cells}\n")

    assert MOST_COLUMNS == 1_000
    assert [(each.rule, each.value) for each in wide.findings] == [("columns", "1001")]
    assert "at most 1,000 are allowed" in str(wide.findings[0].message)


def test_a_million_columns_need_the_memory_of_one_line() -> None:
    heading = b"identifier" + b",a" * 1_000_000 + b"\n"
    lines = [heading, WELL.encode() + b"," * 1_000_000 + b"\n"]
    tracemalloc.start()

    with pytest.raises(UnusableHeading) as refused:
        list(read_delimited(lines))

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (refused.value.line, refused.value.rule) == (1, "columns")
    assert peak < 32 * 1024 * 1024


def test_an_empty_file_has_no_heading() -> None:
    assert _broken(_read("")) == [(1, "", "heading")]


@pytest.mark.parametrize(
    "heading", ["identifier,title,title", "identifier,id,title", "identifier,url,location"]
)
def test_two_columns_of_one_name_are_refused(heading: str) -> None:
    rows = _read(f"{heading}\n{WELL},a,b\n")

    assert [(line, rule) for line, _, rule in _broken(rows)] == [(1, "heading")]


@pytest.mark.parametrize("column", ["colour", "propertes.county", "title_no", "representations.part"])
def test_an_unknown_column_is_warned_about_once(column: str) -> None:
    rows = _read(f"identifier,title,{column}\n{WELL}1,Well,red\n{WELL}2,Well,red\n")

    assert _warned(rows) == [(1, column, "unknown column")]
    assert [short(row.statements) for row in rows[1:]] == [{("title", ""): "Well"}] * 2


def test_the_day_of_a_delegation_is_no_version() -> None:
    rows = _read("record,identifier,to,valid_from\ndelegation,uri-gin/azgs/doc/,uri-gin/usgin/,2027-01-01\n")

    assert short(rows[0].statements) == {("delegation", "to", "2027-01-01"): "uri-gin/usgin/"}


def test_a_delegation_is_an_ordinary_row() -> None:
    rows = _read(
        "record,identifier,answered_by\ndelegation,uri-gin/azgs/doc/,maps.example.org\n"
        "delegation,uri-gin/azgs/map/,-\n"
    )

    assert [short(row.statements) for row in rows] == [
        {("delegation", "answered_by"): "maps.example.org"},
        {("delegation", "answered_by"): None},
    ]


def test_a_record_of_no_known_type_is_refused_by_name() -> None:
    rows = _read(f"identifier,title,record\n{WELL}1,Well,vocabulary\n{WELL}2,Well,\n")

    assert [(line, field) for line, field, _ in _broken(rows)] == [(2, "record")]
    assert rows[0].findings[0].value == "vocabulary"


def test_empty_cells_beyond_the_heading_are_ignored() -> None:
    rows = _read(f"identifier,title,\n{WELL}1,Well,,,\n{WELL}2,Well,,,\n")

    assert [short(row.statements) for row in rows] == [{("title", ""): "Well"}] * 2
    assert _broken(rows) == []


def test_empty_cells_beyond_the_heading_in_one_row_refuse_it() -> None:
    rows = _read(f"identifier,title,part\n{WELL}1,Well,\n{WELL}2,Well, big,\n")

    assert _broken(rows) == [(3, "", "cells")]


def test_cells_that_are_missing_at_the_end_are_empty_with_a_warning() -> None:
    [row] = _read(f"identifier,title,location\n{WELL},Well\n")

    assert short(row.statements) == {("title", ""): "Well"}
    assert [(finding.level, finding.rule) for finding in row.findings] == [(Level.WARNED, "cells")]


def test_a_value_in_a_column_without_a_name_is_a_warning() -> None:
    [row] = _read(f"identifier,title,\n{WELL},Well,red\n")

    assert short(row.statements) == {("title", ""): "Well"}
    assert [(finding.level, finding.value) for finding in row.findings] == [(Level.WARNED, "red")]


@pytest.mark.parametrize(
    ("dates", "day"), [("day-first", "2027-04-03"), ("month-first", "2027-03-04"), ("", None)]
)
@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
def test_a_date_is_read_in_the_stated_order(name: str, dates: str, day: str | None) -> None:
    table = f"identifier,status,until\n{WELL},embargoed,3/4/2027\n"
    line = f'{{"identifier": "{WELL}", "status": "embargoed", "until": "3/4/2027"}}\n'
    options = UploadOptions(dates=dates)
    reader = reader_for(name, options)
    assert reader is not None

    *_, row = reader(read_lines(name, [(table if name.endswith("csv") else line).encode()], options))

    assert short(row.statements).get(("until",)) == day
    assert bool(row.findings) == (day is None)


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
@pytest.mark.parametrize(
    ("dates", "columns", "days"),
    [
        (
            "sampled=day-first,Issued=month-first",
            "properties.sampled=Sampled,until=Issued",
            ["2027-04-03", "2027-05-06"],
        ),
        ("month-first", "properties.sampled=Sampled,until={Issued}", ["3/4/2027", "2027-05-06"]),
        (
            "month-first,Issued=day-first",
            "properties.sampled=Sampled,until={Issued}",
            ["3/4/2027", "2027-06-05"],
        ),
    ],
)
def test_dates_are_read_in_the_order_of_their_column(
    name: str, dates: str, columns: str, days: list[str | None]
) -> None:
    table = f"identifier,status,Sampled,Issued\n{WELL},embargoed,3/4/2027,5/6/2027\n"
    line = f'{{"identifier": "{WELL}", "status": "embargoed", "Sampled": "3/4/2027", "Issued": "5/6/2027"}}\n'
    options = UploadOptions(dates=dates, columns=columns)
    reader = reader_for(name, options)
    assert reader is not None

    *_, row = reader(read_lines(name, [(table if name.endswith("csv") else line).encode()], options))

    read = short(row.statements)
    assert [read.get(("properties", "sampled")), read.get(("until",))] == days


def test_dates_of_nested_representations_are_read_in_the_stated_order() -> None:
    form = '{"location": "https://example.org/", "valid_from": "3/4/2024"}'
    options = UploadOptions(dates="day-first")
    reader = reader_for("x.jsonl", options)
    assert reader is not None

    [row] = reader([f'{{"identifier": "{WELL}", "representations": [{form}]}}\n'.encode()])

    assert row.findings == ()
    assert "2024-04-03" in short(row.statements).values()


def test_the_order_of_dates_in_a_missing_column_is_refused() -> None:
    options = UploadOptions(dates="Sampled=day-first")
    reader = reader_for("x.csv", options)
    assert reader is not None

    with pytest.raises(UnusableHeading) as caught:
        list(reader([b"identifier,until\n", f"{WELL},2027-01-02\n".encode()]))

    [finding] = caught.value.findings
    assert (finding.rule, finding.value) == ("dates", "Sampled")


@pytest.mark.parametrize(
    "dates",
    [
        "year-first",
        "Sampled",
        "=day-first",
        "Sampled=year-first",
        "a=day-first,a=day-first",
        "day-first,day-first",
    ],
)
def test_an_order_of_dates_that_cannot_be_read_is_refused(dates: str) -> None:
    finding = fault_of_reading("x.csv", UploadOptions(dates=dates))

    assert finding is not None
    assert finding.rule == "dates"


@pytest.mark.parametrize("text", ["10.5066/P9ABC", "doi:10.5066/P9ABC", "DOI 10.5066/P9ABC"])
def test_a_bare_doi_is_a_location(text: str) -> None:
    [row] = _read(f"identifier,location\n{WELL},{text}\n")

    assert row.findings == ()
    assert "https://doi.org/10.5066/P9ABC" in short(row.statements).values()


# Rows that cannot be read.


@pytest.mark.parametrize(
    ("row", "field", "rule"),
    [
        (b"uri-gin/azgs/doc/x,Well,a,b", "", "cells"),
        (b"uri-gin/azgs/doc/x,Well, Big,https://a.example/", "", "cells"),
        (b"uri-gin/azgs/doc/x,Well \xe9,a", "title", "UTF-8"),
        (b"uri-gin/azgs/doc/\xe9,Well,a", "identifier", "UTF-8"),
        (b'uri-gin/azgs/doc/x,"Well,a', "", "CSV"),
        (b'uri-gin/azgs/doc/x,"Well" Big,a', "", "CSV"),
        (b"uri-gin/azgs/doc/x," + b"W" * 2_000_000 + b",a", "", "CSV"),
        (b'uri-gin/azgs/doc/x,"' + b"W" * 2_000_000 + b'",a', "", "CSV"),
        (b",Well,a", "identifier", "required"),
        (b"-,Well,a", "identifier", "required"),
        (b"well,Well,a", "identifier", "URIscheme"),
        (b"uri-gin/azgs//x,Well,a", "identifier", "segment-nz"),
    ],
)
def test_a_bad_row_is_refused_by_its_line_and_good_ones_kept(row: bytes, field: str, rule: str) -> None:
    good = b"uri-gin/azgs/doc/%d,Good,why\n"

    rows = _read(b"identifier,title,reason\n" + good % 1 + row + b"\n" + good % 2 + good % 3)

    assert _broken(rows) == [(3, field, rule)]
    assert {row.line: str(row.identifier) for row in rows if not row.findings} == {
        2: "uri-gin/azgs/doc/1",
        4: "uri-gin/azgs/doc/2",
        5: "uri-gin/azgs/doc/3",
    }


@pytest.mark.parametrize(
    "cell",
    [
        "[" * 100_000,
        "[" * 980 + "]" * 980,
        "https://a.example/",
        '[{""rel"": ""up"", ""rel"": ""first"", ""href"": ""https://a.example/""}]',
        '[{""rel"": ""up"", ""href"": NaN}]',
    ],
)
def test_a_list_in_a_cell_obeys_the_rules_of_json_lines(cell: str) -> None:
    rows = _read(f'identifier,links\n{WELL},"{cell}"\n{WELL}2,\n')

    assert {(line, field.partition(".")[0]) for line, field, _ in _broken(rows)} == {(2, "links")}
    assert str(rows[-1].identifier) == f"{WELL}2"


def test_a_row_hidden_by_an_unclosed_quote_is_read() -> None:
    rows = _read(f'identifier,title\n{WELL}1,"Well\n{WELL}2,"Well"\n{WELL}3,Well\n')

    assert _broken(rows) == [(2, "", "CSV")]
    assert [str(row.identifier) for row in rows if not row.findings] == [f"{WELL}2", f"{WELL}3"]


def test_a_row_over_several_lines_has_a_limit_too() -> None:
    cell = "W" * 100_000 + "\n"
    lines = ",".join(f'"{cell}"' for _ in range(MOST_LINE_BYTES // 100_000 + 1))

    rows = _read(
        f"identifier,{','.join(f'properties.{n}' for n in range(3))}\n{WELL},{lines}\n{WELL}2,a,b,c\n"
    )

    assert (2, "", "CSV") in _broken(rows)
    assert str(rows[-1].identifier) == f"{WELL}2"


@pytest.mark.parametrize(
    "bad",
    [
        b"uri-gin/azgs/doc/well,Well \xe9,text/plain,https://a.example/,",
        b"uri-gin/azgs/doc/well,Well,text/plain,https://a.example/,,,",
        b"uri-gin/azgs/doc/well,Well,text/plain,https://a.example/,2011",
        b"uri-gin/azgs/doc/well,Well,text/plain,ftp://a.example/,",
    ],
)
def test_a_bad_row_refuses_the_other_rows_of_its_identifier(bad: bytes) -> None:
    heading, good = (
        b"identifier,title,media_type,location,valid_from\n",
        b",Well,text/html,https://a.example/,\n",
    )

    rows = _read(heading + WELL.encode() + good + bad + b"\n" + WELL.encode() + b"2" + good)

    pieces = list(combine(rows))
    [verdict] = [each for each in pieces if isinstance(each, Verdict)]
    assert (verdict.identifier, tuple(verdict.lines)) == (WELL, (2, 3))


@pytest.mark.parametrize(
    "text",
    [
        "identifier,title\n" + 'x","\n' * 6_000,
        "identifier," + ",".join(f"k{number}" for number in range(10_000)) + "\n",
        f"identifier,title\n{WELL}," + '"' * 100_001 + "\n",
    ],
    ids=["open quotes", "columns", "quotes"],
)
@pytest.mark.untraced
def test_reading_time_is_linear_in_the_size_of_the_file(text: str) -> None:
    started = time.process_time()

    rows = _read(text)

    assert rows
    assert time.process_time() - started < 3
    assert sum(len(str(finding.message)) for row in rows for finding in row.findings[:100]) < 20_000_000


@pytest.mark.parametrize("word", ["NA", "nan", "NULL", "\\N"])
def test_a_word_for_no_value_is_corrected_to_an_empty_cell(word: str) -> None:
    [_, row] = _read(f"identifier,title,note,properties.a\n{WELL},{word},{word},{word}\n")

    assert {(finding.field, finding.rule, finding.suggestion) for finding in row.findings} == {
        ("title", "missing value", ""),
        ("properties.a", "missing value", ""),
    }


def test_a_name_that_is_no_field_may_be_repeated() -> None:
    [heading, row] = _read(f"identifier,note,note,title\n{WELL},a,b,A\n")

    assert (heading.identifier, str(row.identifier)) == (None, WELL)
    assert {finding.level for finding in heading.findings} == {Level.WARNED}
