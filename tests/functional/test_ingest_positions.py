"""Every finding names its cell: the line, and the column by its name in the file."""

from __future__ import annotations

from collections.abc import Mapping

from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.report import page_key
from ginuri.ingest.collaborators import Limits
from tests.spreadsheets import written
from tests.steward import LINES, TABLE, Report, Steward, line, settled

WELL = "uri-gin/azgs/doc/1"
HTTP = "https://a.example/"
MAP = "identifier=Persistent ID,location=Link,title@de=Titel,links.license=Licence"

Cells = Mapping[tuple[str, str], tuple[int | None, str]]
"""Line and column by the field and the rule of a finding."""


def _cells(report: Report) -> Cells:
    return {
        (finding["field"], finding["rule"]): (finding["line"], finding["column"])
        for verdict in report.whole["verdicts"]
        for finding in verdict["findings"]
    }


def _table(steward: Steward, *rows: str, columns: str = "") -> Report:
    content = "".join(f"{row}\n" for row in rows)
    return steward.deliver(steward.put(TABLE, content, **write_options(UploadOptions(columns=columns))))


def test_the_bad_cell_is_named_among_several_rows_of_one_identifier() -> None:
    rows = ("identifier,Title,media_type,URL", f"{WELL},Well,text/html,{HTTP}", f"{WELL},,text/csv,htp:/b")

    report = _table(settled(), *rows)

    assert report.verdicts[0].lines == (2, 3)
    assert _cells(report) == {("location", "value_error"): (3, "URL")}


def test_a_mapped_column_keeps_the_heading_of_the_file() -> None:
    rows = (
        "Persistent ID;Titel;Link;Licence",
        f"{WELL};Brunnen;htp:/b;https://a.example/by",
        f"{WELL};;{HTTP};by",
    )

    cells = _cells(_table(settled(), *rows, columns=MAP))

    assert cells["location", "value_error"] == (2, "Link")
    assert cells["links.0.href", "value_error"] == (3, "Licence")


def test_a_finding_on_combined_rows_has_its_cell_too() -> None:
    rows = (
        "ID,title,url,status,reason,successor",
        f"{WELL},Well,{HTTP},,,",
        f"{WELL},,,valid,,{WELL}0",
        "uri-gin/azgs/doc/2,,https://a.example/2,,,",
        "uri-gin/azgs/doc/3,Well,,,,",
        "uri-gin/azgs/doc/3,Other,,,,",
        "uri-gin/usgin/doc/3,Well,,,,",
    )

    cells = _cells(_table(settled(), *rows))

    assert cells["successor", "status"] == (3, "successor")
    assert cells["title", "missing"] == (4, "title")
    assert cells["title", "one value"] == (6, "title")
    assert cells["identifier", "folder"] == (7, "ID")


def test_a_finding_on_several_rows_names_no_single_line() -> None:
    rows = ("ID,label", f"{WELL},Well", f"{WELL},Well")

    cells = _cells(_table(settled(), "id,url", *(f"{name},{HTTP}" for name in (WELL, WELL))))
    of_lines = _cells(_table(settled(), *rows[:1], *(row.replace("azgs", "usgin") for row in rows[1:])))

    assert cells["title", "missing"] == (None, "")
    assert of_lines["identifier", "folder"] == (None, "ID")


def test_columns_are_named_by_their_heading() -> None:
    cells = _cells(_table(settled(), "identifier,colour,title@de,title@e_n", f"{WELL},red,Brunnen,Well"))

    assert cells["colour", "unknown column"] == (1, "colour")
    assert cells["title.e_n", "value_error"] == (2, "title@e_n")


def test_members_of_an_object_are_named_by_their_path() -> None:
    steward = settled()
    form = {"part": "a.pdf", "location": "htp:/b"}
    lines = (
        f'{{"uri": "{WELL}", "label": "Well", "url": "htp:/b"}}\n',
        line("uri-gin/azgs/doc/2", representations=[form]),
        line("uri-gin/azgs/doc/3", successor=WELL, status="valid"),
        '{"title": "none"}\n',
        "{\n",
    )

    report = steward.upload(LINES, "".join(lines))
    of_alias = _cells(settled().upload(LINES, f'{{"uri": "{WELL}", "url": "{HTTP}"}}\n'))

    assert _cells(report) == {
        ("location", "value_error"): (1, "url"),
        ("representations.0.location", "value_error"): (2, "representations.0.location"),
        ("successor", "status"): (3, "successor"),
        ("identifier", "required"): (4, ""),
        ("", "JSON"): (5, ""),
    }
    assert of_alias["title", "missing"] == (1, "")


def test_a_mapped_member_keeps_its_name() -> None:
    options = write_options(UploadOptions(columns="identifier=Link,title@de=Titel,successor=Next"))
    content = f'{{"Link": "{WELL}", "Titel": 5.5, "Next": "{WELL}0", "title": {{"e_n": ""}}}}\n'
    steward = settled()

    cells = _cells(steward.deliver(steward.put(LINES, content, **options)))
    valid = f'{{"Link": "{WELL}", "Titel": "Brunnen", "Next": "{WELL}0"}}\n'
    successor = _cells(steward.deliver(steward.put(LINES, valid, **options)))

    assert cells["title.e_n", "string_too_short"] == (1, "title.e_n")
    assert successor["successor", "status"] == (1, "Next")


def test_a_file_in_parts_names_the_same_cells() -> None:
    rows = [f"uri-gin/azgs/doc/{number},Well,{HTTP}{number},valid,{WELL}0" for number in range(9)]
    rows[7] = f"{WELL}7,Well,htp:/b,,"
    steward = settled()
    steward.limits = Limits(task_rows=2, chunk_rows=2)

    report = steward.upload(
        TABLE, "\n".join(["Name,title,URL,status,successor", *rows]).replace("Name", "ID")
    )

    findings = [
        (verdict["lines"], finding) for verdict in report.whole["verdicts"] for finding in verdict["findings"]
    ]
    assert {(finding["field"], finding["column"]) for _, finding in findings} == {
        ("successor", "successor"),
        ("location", "URL"),
    }
    assert all(lines == [finding["line"]] for lines, finding in findings)
    assert len(findings) == len(rows)


def test_a_spreadsheet_finding_has_the_heading_and_the_sheets_line_number() -> None:
    rows = [["id", "title", "Web"], [], [WELL, "Well", "htp:/b"]]
    steward = settled()

    report = steward.deliver(
        steward.put(
            "uri-gin/azgs/wells.xlsx", written(rows), **write_options(UploadOptions(columns="location=Web"))
        )
    )

    assert _cells(report) == {("location", "value_error"): (3, "Web")}


def test_the_page_names_the_cell_if_the_line_has_several() -> None:
    steward = settled()
    upload = steward.put(TABLE, f"identifier,title,URL\n{WELL},Well,{HTTP}\n{WELL},,htp:/b\n")

    steward.deliver(upload)

    page = steward.files.reports[page_key(upload.key, upload.version)].decode()
    assert "<strong>C3 · URL</strong>" in page
