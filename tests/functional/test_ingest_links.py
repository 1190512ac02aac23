"""A cell that shows one text and links to an address stands for the address, if the upload says so."""

from __future__ import annotations

from typing import Any

import pytest
from openpyxl import Workbook

from ginuri.files.guesses.sheets import LinkColumn, find_link_columns
from ginuri.files.options import UploadOptions, write_options
from ginuri.files.repairs.writer import write_repaired
from tests.spreadsheets import document_of, made, saved
from tests.steward import Report, Steward, settled

DOC = "uri-gin/azgs/doc/"
PLAIN = "https://a.example/reports/1.pdf"
MAPPED = "identifier=ID,location=Report"
NO_OPTIONS = UploadOptions(columns=MAPPED)
_ROWS = [
    (f"{DOC}1", "Report", PLAIN),
    (f"{DOC}2", "Report", "https://a.example/all.html#2"),
    (f"{DOC}3", "Mail", "mailto:jane@a.example"),
    (f"{DOC}4", "File", "file:///C:/reports/4.pdf"),
    (f"{DOC}5", "https://a.example/5/", "https://a.example/5"),
    (f"{DOC}6", "Sheet", "#Other!A1"),
]


def _workbook() -> bytes:
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.append(["ID", "Report", "Note"])
    for identifier, text, target in _ROWS:
        sheet.append([identifier, text, "x"])
        sheet.cell(sheet.max_row, 2).hyperlink = target
    sheet.append([f"{DOC}7", "Report", "x"])
    sheet["C8"].hyperlink = "https://a.example/note"
    return saved(book)


def _cell(text: str, target: str = "") -> str:
    link = f'<text:a xlink:href="{target}" xlink:type="simple">{text}</text:a>' if target else text
    return f'<table:table-cell office:value-type="string"><text:p>{link}</text:p></table:table-cell>'


def _document() -> bytes:
    rows = [_cell("ID") + _cell("Report") + _cell("Note")]
    rows += [_cell(identifier) + _cell(text, target) + _cell("x") for identifier, text, target in _ROWS]
    rows += [_cell(f"{DOC}7") + _cell("Report") + _cell("x", "https://a.example/note")]
    return document_of("".join(f"<table:table-row>{row}</table:table-row>" for row in rows))


FILES = pytest.mark.parametrize(
    ("name", "content"), [("wells.xlsx", _workbook()), ("wells.ods", _document())]
)


def _upload(steward: Steward, name: str, content: bytes, links: str) -> Report:
    options = write_options(UploadOptions(columns=MAPPED, links=links))
    return steward.upload(f"uri-gin/azgs/{name}", content, **options)


def _location(steward: Steward, number: int) -> Any:
    forms = (steward.values(f"{DOC}{number}") or {}).get("representations", {})
    return next((form["location"] for form in forms.values()), None)


@FILES
def test_a_cell_becomes_the_address_of_its_link(name: str, content: bytes) -> None:
    steward = settled()

    report = _upload(steward, name, content, "report")

    assert _location(steward, 1) == PLAIN
    assert _location(steward, 2) == "https://a.example/all.html#2"
    assert _location(steward, 5) == "https://a.example/5"
    assert set(report.refused) == {(4,), (5,), (7,), (8,)}


@FILES
def test_links_to_files_and_mail_are_never_taken(name: str, content: bytes) -> None:
    report = _upload(settled(), name, content, "Report")

    refused = [finding["value"] for each in report.verdicts for finding in each.findings]
    assert {"Mail", "File", "Sheet"} <= set(refused)
    assert not any("mailto" in value or "file:" in value for value in refused)


@FILES
def test_links_are_ignored_unless_the_upload_names_their_column(name: str, content: bytes) -> None:
    steward = settled()

    report = _upload(steward, name, content, "")

    assert (2,) in report.refused
    assert _location(steward, 5) == "https://a.example/5/"


@FILES
def test_columns_with_links_are_found_with_a_sample(name: str, content: bytes) -> None:
    assert find_link_columns(name, content, NO_OPTIONS) == [
        LinkColumn("Report", 2, 2, "Report", PLAIN),
        LinkColumn("Note", 1, 8, "x", "https://a.example/note"),
    ]


def test_a_column_for_links_must_exist() -> None:
    report = _upload(settled(), "wells.xlsx", _workbook(), "Report,Data")

    [verdict] = report.verdicts
    assert verdict.broken == [("", "links")]
    assert verdict.findings[0]["message"] == (
        "There is no column 'Data' to take links from. The columns are: 'ID', 'Report', 'Note'."
    )


def _formula(formula: str, attributes: str = 't="str"') -> str:
    return f"<c {attributes}><f>{formula}</f><v>Report</v></c>"


@pytest.mark.parametrize(
    ("formula", "target"),
    [
        (f'HYPERLINK("{PLAIN}","Report")', PLAIN),
        (f'_xlfn.HYPERLINK( "{PLAIN}" )', PLAIN),
        ('HYPERLINK("javascript:alert(1)","Report")', None),
        (f'HYPERLINK("{PLAIN}"&amp;A2,"Report")', None),
        ("A2", None),
    ],
)
def test_the_address_in_a_formula_is_a_link(formula: str, target: str | None) -> None:
    steward = settled()
    text = '<c t="inlineStr"><is><t>{}</t></is></c>'
    rows = f"<row>{text.format('ID')}{text.format('Report')}</row>"
    rows += f"<row>{text.format(f'{DOC}1')}{_formula(formula)}</row>"

    _upload(steward, "wells.xlsx", made(rows), "Report")

    assert _location(steward, 1) == target


def test_a_cell_with_two_links_keeps_its_text() -> None:
    both = _cell("One", PLAIN).replace(
        "</text:p>", '<text:a xlink:href="https://a.example/2">Two</text:a></text:p>'
    )
    rows = (_cell("ID") + _cell("Report"), _cell(f"{DOC}1") + both)
    content = document_of("".join(f"<table:table-row>{row}</table:table-row>" for row in rows))

    report = _upload(settled(), "wells.ods", content, "Report")

    assert (2,) in report.refused


def test_a_link_of_several_cells_belongs_to_each() -> None:
    book, steward = Workbook(), settled()
    sheet = book.worksheets[0]
    for identifier in ("ID", f"{DOC}1", f"{DOC}2"):
        sheet.append([identifier, "Report"])
    sheet["B2"].hyperlink = PLAIN
    sheet["B2"].hyperlink.ref, sheet["B2"].hyperlink.location = "B2:B3", "page"

    _upload(steward, "wells.xlsx", saved(book), "Report")

    assert _location(steward, 1) == _location(steward, 2) == f"{PLAIN}#page"


def test_the_text_of_a_link_is_not_repaired() -> None:
    options = UploadOptions(columns=MAPPED, links="Report")
    texts = {(2, "Report"): "https://b.example/1", (8, "Report"): "https://b.example/7"}

    _, cells = write_repaired("wells.xlsx", _workbook(), texts, options)

    assert cells == {(8, "Report")}


def test_a_sheet_with_too_many_links_is_refused() -> None:
    book = Workbook()
    book.worksheets[0].append(["ID", "Report"])
    book.worksheets[0]["B1"].hyperlink = PLAIN
    book.worksheets[0]["B1"].hyperlink.ref = "A1:XFD1048576"

    report = _upload(settled(), "wells.xlsx", saved(book), "Report")

    [verdict] = report.verdicts
    assert verdict.findings[0]["message"].startswith("A sheet may have at most 200,000 cells with links.")


def test_links_of_several_sheets_are_counted_together() -> None:
    book, steward = Workbook(), settled()
    for at, name in enumerate(("2011", "2012")):
        sheet = book.create_sheet(name)
        sheet.append(["ID", "Report"])
        sheet.append([f"{DOC}{name}", "Report"])
        sheet["B2"].hyperlink = f"https://a.example/{at}"
    options = UploadOptions(columns=MAPPED, links="Report", sheet="*")

    steward.upload("uri-gin/azgs/wells.xlsx", saved(book), **write_options(options))

    assert (_location(steward, 2011), _location(steward, 2012)) == (
        "https://a.example/0",
        "https://a.example/1",
    )
    assert find_link_columns("wells.xlsx", saved(book), options) == [
        LinkColumn("Report", 2, 2, "Report", "https://a.example/0")
    ]
