"""The sheet of a workbook → lines of CSV: the same text, at the row numbers of the sheet."""

from __future__ import annotations

import csv
import datetime as dt
import io
import time
import tracemalloc
import zipfile
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from ginuri.files.spreadsheets.workbooks import open_workbook
from ginuri.files.tables.heading import HeadingReader
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.verdicts import Finding
from tests.spreadsheets import MAIN, made, saved, written

MIB = 1024 * 1024
AT = dt.datetime.fromisoformat


def _rows(content: bytes) -> list[list[str]]:
    lines = [line.decode() for line in open_workbook(content, HeadingReader()).lines(HeadingReader())]
    return list(csv.reader((lines[0].removeprefix("\ufeff"), *lines[1:]), strict=True))


def _cell(value: Any, code: str | None = None) -> str:
    [[text]] = _rows(written([[value]], {"A1": code} if code else None))
    return text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Well", "Well"),
        ("Huérfano 井戸 🕳", "Huérfano 井戸 🕳"),
        (' Well, "deep"\nand wide ', ' Well, "deep"\nand wide '),
        ("0017", "0017"),
        (17, "17"),
        (17.0, "17"),
        (-17, "-17"),
        (0.5, "0.5"),
        (0.1 + 0.2, "0.3"),
        (1e-7, "1e-07"),
        (2**40, "1099511627776"),
        (1e300, "1e+300"),
        (True, "true"),
        (False, "false"),
        (dt.date(1997, 6, 1), "1997-06-01"),
        (AT("1997-06-01T12:30:15"), "1997-06-01T12:30:15Z"),
        (AT("1900-01-01"), "1900-01-01"),
        (AT("1900-03-01"), "1900-03-01"),
        (AT("9999-12-31"), "9999-12-31"),
        (dt.time(12, 30), "12:30:00"),
        ("#N/A", "#N/A"),
    ],
)
def test_a_cell_gives_the_same_text_as_in_csv(value: Any, text: str) -> None:
    assert _cell(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [("=not a formula", "=not a formula"), ("_x005F_x0041_ _x0041_", "_x0041_ A")]
)
def test_a_text_cell_stays_a_text_even_if_it_resembles_another(value: str, text: str) -> None:
    assert _rows(made(f'<row><c t="str"><v>{value}</v></c></row>')) == [[text]]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("General", "35582"),
        ("0", "35582"),
        ("0000000", "0035582"),
        ("0.00", "35582"),
        ("#,##0.00 [$USD]", "35582"),
        ('0 "days"', "35582"),
        (r"0 \d", "35582"),
        ("[Red]0", "35582"),
        ("[h]:mm:ss", "35582"),
        ("0.00E+00", "35582"),
        ("yyyy-mm-dd", "1997-06-01"),
        ("d/m/yy h:mm", "1997-06-01"),
        ("[$-409]mmmm d, yyyy;@", "1997-06-01"),
        ("[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "1997-06-01"),
        ("mm-dd-yy", "1997-06-01"),
    ],
)
def test_a_number_formatted_as_a_date_is_read_as_one(code: str, text: str) -> None:
    assert _cell(35582, code) == text


def test_a_calendar_may_start_in_1904() -> None:
    book = Workbook()
    assert book.active is not None
    book.epoch = AT("1904-01-01")
    book.active.append([AT("1997-06-01")])

    assert _rows(saved(book)) == [["1997-06-01"]]


def test_rows_keep_their_numbers_and_get_as_many_cells_as_the_heading() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["B1"], sheet["C1"] = "identifier", "title", "location"
    sheet["A4"], sheet["D5"] = "x", "stray"

    assert _rows(saved(book)) == [
        ["identifier", "title", "location"],
        [],
        [],
        ["x", "", ""],
        ["", "", "", "stray"],
    ]


def test_formulas_have_their_last_computed_value() -> None:
    rows = (
        '<row><c><f>1+1</f><v>2</v></c><c t="str"><f>A1&amp;""</f><v>a</v></c>'
        '<c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>'
    )

    assert _rows(made(rows)) == [["2", "a", "#DIV/0!"]]


def test_an_empty_result_of_a_formula_is_an_empty_cell() -> None:
    assert _rows(made('<row><c><v>1</v></c><c t="str"><f>""</f><v></v></c></row>')) == [["1"]]


def test_a_formula_that_was_never_computed_is_refused_with_its_cell() -> None:
    with pytest.raises(UnreadableFile, match=r"The formula in B2 has no result\. Open the file"):
        _rows(written([["identifier", "title"], ["x", '="We"&"ll"']]))


def test_runs_of_text_are_joined_without_phonetic_guides() -> None:
    bold = CellRichText("Well ", TextBlock(InlineFont(b=True), "17"))
    strings = (
        f'<sst xmlns="{MAIN}"><si><r><t>東</t></r><r><t>京</t></r>'
        '<rPh sb="0" eb="1"><t>とう</t></rPh></si></sst>'
    )

    assert _cell(bold) == "Well 17"
    assert _rows(made('<row><c t="s"><v>0</v></c></row>', strings=strings)) == [["東京"]]


def test_the_first_sheet_that_is_shown_is_read() -> None:
    book = Workbook()
    first = book.active
    assert first is not None
    first.append(["hidden"])
    first.sheet_state = "hidden"
    book.create_chartsheet("chart")
    book.create_sheet("second").append(["shown"])
    book.create_sheet("third").append(["not read"])

    assert _rows(saved(book)) == [["shown"]]


def test_cell_references_are_optional_and_names_may_have_a_prefix() -> None:
    sheet = (
        f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData><x:row>'
        '<x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c>'
        "<x:c><x:v>2</x:v></x:c></x:row><x:row><x:c><x:v>3</x:v></x:c></x:row></x:sheetData></x:worksheet>"
    )

    assert _rows(made(sheet=sheet)) == [["a", "2"], ["3", ""]]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('<c t="s"><v>7</v></c>', []),
        ('<c t="s"><v>x</v></c>', []),
        ('<c s="99"><v>7</v></c>', ["7"]),
        ("<c><v>seven</v></c>", ["seven"]),
        ("<c><v>12345678901234567890</v></c>", ["12345678901234567890"]),
        ('<c t="d"><v>1997-06-01T00:00:00</v></c>', ["1997-06-01"]),
        ('<c t="str"><v>a_x000D_b_xD800_</v></c>', ["a\rb_xD800_"]),
        ("<c><v>1</v></c><junk><v>2</v></junk><c><v>3</v></c>", ["1", "3"]),
    ],
)
def test_odd_cells_are_read_as_their_most_likely_value(cell: str, text: list[str]) -> None:
    rows = _rows(made(f'<row r="1"><c t="str"><v>h</v></c></row><row r="2">{cell}</row>'))

    assert rows[1:] == ([text] if text else [])


@given(
    st.lists(
        st.lists(st.none() | st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"])), max_size=4),
        max_size=4,
    )
)
def test_workbooks_of_other_libraries_are_read(rows: list[list[str | None]]) -> None:
    # openpyxl reads texts that look like a formula or an escape as one.
    texts = [[text and f"_{text.replace('_', ' ')}" for text in row] for row in rows]

    heard = _rows(written([["heading"], *texts]))

    stripped = [_without_end(row) for row in heard[1:]]
    assert stripped == _without_end([_without_end([text or "" for text in row]) for row in texts])


def _without_end(row: list[Any]) -> list[Any]:
    while row and not row[-1]:
        row = row[:-1]
    return row


# Workbooks that are refused as a whole.

ROW = "<row><c><v>1</v></c></row>"
DEEP = "<a>" * 100
DOCTYPE = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("content", "rule", "way_out"),
    [
        (b"identifier,title\n", "xlsx", "Save it as an Excel workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "xlsx", "without a password"),
        (written([["a"]])[:-30], "xlsx", "damaged"),
        (made(ROW, method=zipfile.ZIP_BZIP2), "xlsx", "packed in a way"),
        (made(book="<workbook/>", workbook=f'<workbook xmlns="{MAIN}"/>'), "xlsx", "no visible sheet"),
        (made(sheet="<worksheet>"), "xlsx", "damaged"),
        (made(sheet="no XML"), "xlsx", "damaged"),
        (made(sheet='<?xml version="1.0" encoding="x-none"?><a/>'), "xlsx", "damaged"),
        (made(sheet=f"{DOCTYPE}<worksheet>&b;</worksheet>"), "XML", "declares a document type"),
        (made(ROW, styles=f"{DOCTYPE}<a/>"), "XML", "declares a document type"),
        (made(DEEP), "XML", "nested too deep"),
        (made(f'<row r="{"1" * 2 * MIB}"/>'), "XML", "a tag that is too long"),
        (made('<row r="2"><c><v>1</v></c></row><row r="2"/>'), "xlsx", "not in order"),
        (made('<row><c r="nowhere"><v>1</v></c></row>'), "xlsx", "no valid position"),
        (made('<row r="1048577"><c><v>1</v></c></row>'), "size", "at most 1,048,576 rows"),
        (made('<row><c r="ALM1"><v>1</v></c></row>'), "columns", "at most 1,000 columns"),
        (made('<row><c r="XFD1"><v>1</v></c></row>'), "columns", "at most 1,000 columns"),
        (made('<row><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>'), "columns", "in order"),
    ],
)
def test_a_file_without_a_sheet_is_refused_with_the_remedy(content: bytes, rule: str, way_out: str) -> None:
    with pytest.raises(UnreadableFile, match=way_out) as refused:
        list(open_workbook(content, HeadingReader()).lines(HeadingReader()))

    assert refused.value.rule == rule


def _many_parts() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as package:
        for number in range(20_000):
            package.writestr(str(number), "")
    return content.getvalue()


def _lying() -> bytes:
    # The directory states a size of a kilobyte.
    content = bytearray(made(sheet="<a>" + " " * 100 * MIB))
    entry = content.rindex(b"xl/sheet.xml") - 46
    content[entry + 24 : entry + 28] = (1024).to_bytes(4, "little")
    return bytes(content)


def _one_text_in_many_cells() -> bytes:
    strings = f'<sst xmlns="{MAIN}"><si><t>{"x" * 10 * MIB}</t></si></sst>'
    return made('<row><c t="s"><v>0</v></c></row>' * 1_000, strings=strings)


def _tag() -> bytes:
    names = " ".join(f"a{number}=''" for number in range(1_000_000))
    return made(sheet=f"<a {names}/>")


@pytest.mark.parametrize(
    ("name", "make", "rule"),
    [
        ("a sheet of 100 MiB", lambda: made(sheet=" " * 100 * MIB), "size"),
        ("strings of 100 MiB", lambda: made(ROW, strings=" " * 100 * MIB), "size"),
        ("a directory that lies", _lying, "xlsx"),
        ("a directory of 20,000 parts", _many_parts, "xlsx"),
        ("a row of 300,000 cells", lambda: made(f"<row>{'<c><v>1</v></c>' * 300_000}</row>"), "columns"),
        ("one text in many cells", _one_text_in_many_cells, "size"),
        ("a tag of a million names", _tag, "XML"),
    ],
)
def test_a_zip_bomb_is_refused_within_little_memory(name: str, make: Any, rule: str) -> None:
    content = make()
    assert len(content) < 4 * MIB or name.startswith("a tag"), name
    tracemalloc.start()

    with pytest.raises(UnreadableFile) as refused:
        for _ in open_workbook(content, HeadingReader()).lines(HeadingReader()):
            pass

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refused.value.rule == rule
    assert peak < 24 * MIB


def _with_sheets(number: int, parts: Sequence[str]) -> bytes:
    """Return a workbook that names so many sheets, with these parts in turn."""
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    targets = "".join(
        f'<Relationship Id="{at}" Type="{relation}/worksheet" Target="{at}.xml"/>' for at in range(len(parts))
    )
    sheets = "".join(f'<sheet name="S{at}" r:id="{at % len(parts)}"/>' for at in range(number))
    named = {
        "workbook": f'<workbook xmlns="{MAIN}" xmlns:r="{relation}"><sheets>{sheets}</sheets></workbook>',
        "_rels/workbook.xml.rels": f"<Relationships>{targets}</Relationships>",
        **{str(at): f"<worksheet><sheetData>{part}</sheetData></worksheet>" for at, part in enumerate(parts)},
    }
    content = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(made())) as old,
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        new.writestr("_rels/.rels", old.read("_rels/.rels"))
        for name, text in named.items():
            new.writestr(f"xl/{name}" if name.endswith(".rels") else f"xl/{name}.xml", text)
    return content.getvalue()


WELLS = "".join(f'<row><c t="str"><v>{text}</v></c></row>' for text in ("identifier", "x"))


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (_with_sheets(2, [WELLS, " " * 100 * MIB]), {"S1"}),
        (
            _with_sheets(9, [WELLS, *(" " * 20 * MIB + WELLS for _ in range(8))]),
            {f"S{at}" for at in range(1, 9)},
        ),
        (_with_sheets(3, [WELLS, "<a>" * 100, DOCTYPE]), {"S1", "S2"}),
    ],
    ids=["a sheet of 100 MiB", "sheets of 160 MiB", "damaged sheets"],
)
@pytest.mark.untraced
def test_a_zip_bomb_in_a_second_sheet_is_named_cheaply(content: bytes, names: set[str]) -> None:
    remarks: list[Finding] = []
    tracemalloc.start()
    started = time.process_time()

    lines = list(
        open_workbook(content, HeadingReader(), "", remarks.append).lines(HeadingReader(), remarks.append)
    )

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(lines) == 2
    assert {name for name in names if any(f"'{name}'" in str(remark.message) for remark in remarks)} == names
    assert peak < 12 * MIB
    assert time.process_time() - started < 10


def test_a_workbook_has_a_limited_number_of_sheets() -> None:
    with pytest.raises(UnreadableFile, match="at most 1,000 sheets"):
        open_workbook(_with_sheets(100_000, [WELLS]), HeadingReader())


@pytest.mark.parametrize(
    ("rows", "styles"),
    [
        ("<row/>" * 200_000, ""),
        ("<row><c/><c s='1'/></row>" * 100_000, ""),
        ("<a/>" * 200_000, ""),
        (ROW, "<cellXfs>" + "<xf/>" * 200_000 + "</cellXfs>"),
        (ROW, "<numFmts>" + "<numFmt numFmtId='7' formatCode='[[[[[[['/>" * 50_000 + "</numFmts>"),
    ],
    ids=["empty rows", "cells with a border", "elements", "styles", "formats"],
)
@pytest.mark.untraced
def test_empty_cells_are_skipped_however_many(rows: str, styles: str) -> None:
    content = made(rows, styles=f"<styleSheet>{styles}</styleSheet>")
    tracemalloc.start()
    started = time.process_time()

    lines = list(open_workbook(content, HeadingReader()).lines(HeadingReader()))

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(lines) <= 1
    assert peak < 12 * MIB
    assert time.process_time() - started < 20
