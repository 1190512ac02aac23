"""Rows that a person does not see are registered with a warning, or as the upload says."""

from __future__ import annotations

import pytest
from openpyxl import Workbook

from ginuri.files.guesses.sheets import find_hidden_rows
from ginuri.files.options import UploadOptions, write_options
from tests.spreadsheets import document_of, made, saved
from tests.steward import Report, settled

DOC = "uri-gin/azgs/doc/"
NO_OPTIONS = UploadOptions()


def _workbook(*, filtered: str = "") -> bytes:
    """Make a workbook with a title above the heading, whose rows 1, 5, 6, 8 and 9 are hidden."""
    book = Workbook()
    sheet = book.worksheets[0]
    for row in (["Wells of 2011"], [], ["identifier", "title"]):
        sheet.append(row)
    for number in range(4, 10):
        sheet.append([f"{DOC}{number}", f"Well {number}"] if number != 8 else [])
    for number in (1, 5, 6, 8, 9):
        sheet.row_dimensions[number].hidden = True
    if filtered:
        sheet.auto_filter.ref = filtered
        sheet.auto_filter.add_filter_column(1, ["Well 4"])
    return saved(book)


def _text(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


_ODS = document_of(
    '<table:table-row table:visibility="collapse"><table:table-cell><text:p>Wells</text:p></table:table-cell>'
    "</table:table-row><table:table-row/>"
    "<table:table-row><table:table-cell><text:p>identifier</text:p></table:table-cell></table:table-row>"
    f"<table:table-row><table:table-cell><text:p>{DOC}4</text:p></table:table-cell></table:table-row>"
    '<table:table-row table:visibility="filter" table:number-rows-repeated="2">'
    f"<table:table-cell><text:p>{DOC}5</text:p></table:table-cell></table:table-row>"
    '<table:table-row table:visibility="collapse" table:number-rows-repeated="2"><table:table-cell/>'
    "</table:table-row>"
    '<table:table-row table:visibility="collapse">'
    f"<table:table-cell><text:p>{DOC}9</text:p></table:table-cell></table:table-row>"
)
_FLAT = (
    f'<row r="3">{_text("identifier")}</row><row r="4">{_text(f"{DOC}4")}</row>'
    f'<row r="5" ht="0">{_text(f"{DOC}5")}</row><row r="6" ht="0.0">{_text(f"{DOC}6")}</row>'
    f'<row r="7" ht="0.5">{_text(f"{DOC}7")}</row><row r="9" hidden="true">{_text(f"{DOC}9")}</row>'
)
FILES = pytest.mark.parametrize(("name", "content"), [("wells.xlsx", _workbook()), ("wells.ods", _ODS)])


def _upload(name: str, content: bytes, choice: str = "") -> tuple[Report, list[tuple[str, str]]]:
    options = write_options(UploadOptions(hidden_rows=choice))
    report = settled().upload(f"uri-gin/azgs/{name}", content, **options)
    findings = [finding for verdict in report.verdicts for finding in verdict.findings]
    return report, [
        (finding["level"], finding["message"]) for finding in findings if finding["rule"] == "hidden rows"
    ]


@FILES
def test_hidden_rows_are_registered_with_a_warning(name: str, content: bytes) -> None:
    report, [(level, message)] = _upload(name, content)

    assert {f"{DOC}5", f"{DOC}9"} <= {each.identifier for each in report.verdicts}
    assert level == "warned"
    assert message == (
        "3 hidden rows are registered like any other: 5, 6, 9. Upload the file again with --hidden-rows "
        "leave-out to leave them out, or with --hidden-rows register to register them without this warning."
    )


@FILES
def test_hidden_rows_are_left_out_on_request(name: str, content: bytes) -> None:
    report, [(level, message)] = _upload(name, content, "leave-out")

    registered = {each.identifier: each.lines for each in report.verdicts if each.verdict == "registered"}
    assert registered[f"{DOC}4"] == (4,)
    assert not {f"{DOC}5", f"{DOC}6", f"{DOC}9"} & registered.keys()
    assert (level, message) == ("warned", "3 hidden rows are left out: 5, 6, 9.")


@FILES
def test_hidden_rows_are_registered_silently_on_request(name: str, content: bytes) -> None:
    report, warnings = _upload(name, content, "register")

    assert f"{DOC}9" in {each.identifier for each in report.verdicts}
    assert warnings == []


def test_lines_keep_their_numbers_without_hidden_rows() -> None:
    report, _ = _upload("wells.xlsx", _workbook(), "leave-out")

    assert [each.lines for each in report.verdicts if each.identifier] == [(4,), (7,)]


def test_an_unknown_choice_for_hidden_rows_is_refused() -> None:
    report, _ = _upload("wells.xlsx", _workbook(), "show")

    [verdict] = report.verdicts
    assert verdict.broken == [("", "hidden-rows")]
    assert verdict.findings[0]["message"] == "The value must be one of: register, leave-out."


@pytest.mark.parametrize(
    ("name", "content", "filtered"),
    [
        ("wells.xlsx", _workbook(), 0),
        ("wells.xlsx", _workbook(filtered="A3:B6"), 2),
        ("wells.ods", _ODS, 2),
        ("wells.xlsx", made(_FLAT), 0),
    ],
)
def test_hidden_rows_are_found_with_those_of_a_filter(name: str, content: bytes, filtered: int) -> None:
    hidden = find_hidden_rows(name, content, NO_OPTIONS)

    assert hidden is not None
    assert (hidden.number, hidden.filtered, list(hidden.lines)) == (3, filtered, [5, 6, 9])


def test_hidden_rows_of_several_sheets_are_named_with_their_sheet() -> None:
    book = Workbook()
    for name in ("Wells", "Maps", "Notes"):
        sheet = book.create_sheet(name)
        sheet.append(["identifier" if name != "Notes" else "x", "title"])
        for number in range(3):
            sheet.append([f"{DOC}{name}{number}", "x"])
        sheet.row_dimensions[3].hidden = True
    options = UploadOptions(sheet="Wells/Maps")

    report = settled().upload("uri-gin/azgs/wells.xlsx", saved(book), **write_options(options))
    hidden = find_hidden_rows("wells.xlsx", saved(book), options)

    messages = [finding["message"] for verdict in report.verdicts for finding in verdict.findings]
    named = [text for text in messages if "hidden row is registered like any other: 3." in text]
    assert [text.partition(":")[0] for text in named] == ["Sheet 'Wells'", "Sheet 'Maps'"]
    assert hidden is not None
    assert (hidden.number, list(hidden.lines)) == (2, [3])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("wells.csv", b"identifier,title\n"),
        ("wells.xlsx", b"no workbook"),
        ("wells.jsonl", b"{}"),
    ],
)
def test_other_files_have_no_hidden_rows(name: str, content: bytes) -> None:
    assert find_hidden_rows(name, content, NO_OPTIONS) is None
