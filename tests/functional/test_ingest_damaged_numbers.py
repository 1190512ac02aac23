"""An identifier that a spreadsheet took for a number or a date is refused, unless it is registered."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from ginuri.files.options import UploadOptions, write_options
from ginuri.ingest.collaborators import Limits
from tests.spreadsheets import document_of, made, written
from tests.steward import LINES, TABLE, Report, recent, settled

WELL = "uri-gin/azgs/doc/"
MADE = write_options(UploadOptions(columns=f"identifier={WELL}{{ID}},title=Title"))
RULE = [("identifier", "damaged number")]
_STYLES = (
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="##0.0E+0"/></numFmts><cellXfs><xf/>'
    '<xf numFmtId="11"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>'
)


def _text(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


def _workbook(cell: str, other: str = "Well") -> bytes:
    rows = (_text("ID") + _text("Title"), cell + (other if other.startswith("<") else _text(other)))
    return made("".join(f"<row>{row}</row>" for row in rows), styles=_STYLES)


def _document(attributes: str, shown: str) -> bytes:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    heading = cell.format("ID") + cell.format("Title")
    row = f"<table:table-cell {attributes}><text:p>{shown}</text:p></table:table-cell>{cell.format('Well')}"
    return document_of(
        f"<table:table-row>{heading}</table:table-row><table:table-row>{row}</table:table-row>"
    )


def _upload(name: str, content: str | bytes, **options: Any) -> Report:
    return recent().upload(f"uri-gin/azgs/{name}", content, **(options or MADE))


def _number(value: str, style: int = 0) -> str:
    return f'<c s="{style}"><v>{value}</v></c>'


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (_number("100000", style=1), "took this for a number"),
        (_number("100000", style=3), "took this for a number"),
        (_number("1.23E+20"), "took this for a number"),
        (_number("1.23456789012345E+15"), "took this for a number"),
        (_number("1234567890123450"), "only 15 digits"),
        (_number("46054", style=2), "took this for a date"),
        ('<c t="d"><v>2026-02-01</v></c>', "took this for a date"),
        (f'<c t="str"><f>A1</f><v>{"9" * 3}/1.23E+20</v></c>', "took this for a number"),
    ],
)
def test_a_damaged_cell_of_a_workbook_is_refused(cell: str, words: str) -> None:
    report = _upload("wells.xlsx", _workbook(cell))

    [verdict] = [each for each in report.verdicts if each.verdict == "refused"]
    [finding] = [finding for finding in verdict.findings if finding["level"] == "refused"]
    assert (verdict.lines, verdict.broken) == ((2,), RULE)
    assert finding["column"] == "ID"
    assert words in finding["message"]
    assert finding["message"].endswith("Format the column as text, and type the identifier again.")


@pytest.mark.parametrize(
    ("attributes", "shown"),
    [
        ('office:value-type="float" office:value="100000"', "1.00E+05"),
        ('office:value-type="float" office:value="1.23E+020"', "123000000000000000000"),
        ('office:value-type="float" office:value="1234567890123450"', "1234567890123450"),
        ('office:value-type="date" office:date-value="2026-02-01"', "01.02.26"),
        ('office:value-type="string" table:formula="of:=[.A1]"', "1.23E+20"),
    ],
)
def test_a_damaged_cell_of_an_open_document_is_refused(attributes: str, shown: str) -> None:
    report = _upload("wells.ods", _document(attributes, shown))

    assert report.refused == {(2,): RULE}


@pytest.mark.parametrize(
    "cell",
    [
        _number("100000"),
        _number("123456789012"),
        _number("1234567890123456"),
        _number("17.5"),
        _text("1E5"),
        _text("1.23E+11"),
        _text("1234567890123450"),
        _text("2026-02-01"),
        '<c t="str"><f>A1</f><v>W-1E5</v></c>',
    ],
)
def test_numbers_and_texts_of_a_workbook_are_registered(cell: str) -> None:
    report = _upload("wells.xlsx", _workbook(cell))

    assert report.counts["registered"] == 1


def test_damaged_cells_of_other_columns_are_registered() -> None:
    report = _upload("wells.xlsx", _workbook(_number("7"), _number("46054", style=2)))

    assert report.counts == {"registered": 1}


@pytest.mark.parametrize(
    "last",
    [
        *("1E5", "1E+05", "1e+05", "1.23E+11", "1,23E+11", "12.3E+10", "1.00E-05"),
        *("1.23E+11/", "well-1.23E+11", "1.23E%2B11", "1,001", "1%2C234%2C567"),
    ],
)
def test_a_damaged_number_in_a_text_is_refused(last: str) -> None:
    report = recent().upload(TABLE, f'identifier,title\n"{WELL}{last}",Well\n')

    [verdict] = [each for each in report.verdicts if each.verdict == "refused"]
    [finding] = [finding for finding in verdict.findings if finding["level"] == "refused"]
    assert (verdict.lines, verdict.broken, finding["column"]) == ((2,), RULE, "identifier")
    assert "Format the column as text, type the identifier again, and save the file." in finding["message"]


@pytest.mark.parametrize(
    "last", ["E5", "W-1%2C001", "1234e56", "12E5", "12E-4", "W1E5", "1E5W", "1E5.pdf", "2e", "1.5"]
)
def test_other_identifiers_with_an_e_are_registered(last: str) -> None:
    report = recent().upload(TABLE, f"identifier,title\n{WELL}{last},Well\n")

    assert report.counts["registered"] == 1


def test_damaged_numbers_of_mapped_columns_are_refused() -> None:
    table = "ID;Title\n1,23E+11;Well\n"

    assert recent().upload(TABLE, table, **MADE).refused == {(2,): RULE}


def test_a_registered_identifier_is_not_damaged() -> None:
    steward = recent()
    steward.upload(LINES, f'{{"identifier": "{WELL}1E5", "title": "Well"}}\n')

    report = steward.upload(TABLE, f"identifier,title\n{WELL}1E5,New title\n{WELL}2E5,Well\n")

    assert report.counts == {"changed": 1, "refused": 1}
    assert report.refused == {(3,): RULE}


def test_a_registered_word_is_not_a_total() -> None:
    steward = recent()
    steward.upload(LINES, f'{{"identifier": "{WELL}Max", "title": "Well"}}\n')

    report = steward.upload(TABLE, "ID,title\nMax,New title\nTotal,3\n", map=f"identifier={WELL}{{ID}}")

    assert report.counts == {"changed": 1, "refused": 1}
    assert report.refused == {(3,): [("identifier", "no name")]}


def test_damaged_numbers_are_refused_in_parts_of_a_file() -> None:
    steward = recent()
    steward.limits = Limits(cut_seconds=0, chunk_rows=1, task_rows=1)
    rows: list[list[Any]] = [["identifier", "title"], *([f"{WELL}{number}", "Well"] for number in range(3))]
    rows.insert(2, [date(2026, 2, 1), "Well"])
    rows += [[1e300, "Well"]]
    options = UploadOptions(columns=f"identifier={WELL}{{identifier}}")

    report = steward.upload("uri-gin/azgs/wells.xlsx", written(rows), **write_options(options))

    assert {lines for lines, broken in report.refused.items() if broken == RULE} == {(3,), (6,)}


def test_earlier_uploads_are_delivered_again_with_damaged_numbers() -> None:
    report = settled().upload(TABLE, f"identifier,title\n{WELL}1E5,Well\n")

    assert report.counts == {"registered": 1}
