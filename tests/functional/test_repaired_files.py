"""The uploaded file with all corrections, which is beside its report."""

from __future__ import annotations

import gzip
import json
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from ginuri.cli.choices.corrections import find_corrections
from ginuri.cli.main import main
from ginuri.cli.uploads.report_text import describe
from ginuri.files.options import REGISTRATIONS, UploadOptions, write_options
from ginuri.files.repairs.cell_corrections import (
    MOST_BYTES,
    MOST_CORRECTED,
    MOST_SPREADSHEET_BYTES,
    CellCorrections,
    fits,
)
from ginuri.files.reports.report import page_key, report_key
from ginuri.registration.verdicts import at, refuse, suggest
from tests.spreadsheets import open_document, workbook, written
from tests.stacks import MemoryStack
from tests.steward import Steward, settled

UNDER = ("--under", "uri-gin/azgs/")
ROWS = 'id;"Title";url\r\nuri-gin/azgs/doc/1;"A";www.example.org/é\r\nuri-gin/azgs/doc/2;B;n/a\r\n'
TABLE = ROWS.encode("utf-8-sig")
LINES = b'{"identifier": "uri-gin/azgs/doc/1", "title": "A", "location": "htp://a.example/"}\n{\n'
SHEET = written([["id", "title", "url"], ["uri-gin/azgs/doc/1", "Well", "www.example.org"]])
TWO_SHEETS = {
    "Wells": [["id", "title", "url"], ["uri-gin/azgs/doc/1", "Well", "www.example.org"]],
    "Maps": [["Maps"], ["url", "title", "id"], ["www.example.org", "Map", "uri-gin/azgs/doc/2"]],
}
OBJECT = {"id": "uri-gin/azgs/doc/1", "title_es": "Pozo", "url": "www.example.org"}
FEATURE = {"type": "Feature", "properties": {"title": "A", "url": "htp://a.example/"}, "geometry": None}
FEATURES = {"type": "FeatureCollection", "features": [{**FEATURE, "id": "uri-gin/azgs//doc/1"}]}
FILES = {
    "a.csv": (TABLE, UploadOptions()),
    "a.jsonl": (LINES, UploadOptions()),
    "a.xlsx": (SHEET, UploadOptions()),
    "b.xlsx": (workbook(TWO_SHEETS), UploadOptions(sheet="*")),
    "c.xlsx": (workbook(TWO_SHEETS), UploadOptions(sheet="Maps/Wells")),
    "a.ods": (open_document(TWO_SHEETS), UploadOptions(sheet="Maps")),
    "b.ods": (open_document(TWO_SHEETS), UploadOptions(sheet="*")),
    "a.json": (json.dumps([OBJECT], indent=1).encode(), UploadOptions(read_as=REGISTRATIONS)),
    "a.geojson": (json.dumps(FEATURES).encode(), UploadOptions(read_as=REGISTRATIONS)),
    "d.csv": (
        b"ID,title,DOI\n1,A,doi:10.1234/x y.\n",
        UploadOptions(columns="identifier=uri-gin/azgs/doc/{ID},location=https://doi.org/{DOI}"),
    ),
    "twice.csv": (
        b"identifier,title,url\nuri-gin/AZGS/doc 1,A,https://a.example\n",
        UploadOptions(columns="location=url"),
    ),
    "twice.jsonl": (b'{"id": "uri-gin/AZGS/doc 1", "title": "A"}\n', UploadOptions()),
}


def _upload(name: str, content: bytes, **options: str) -> tuple[Steward, dict[str, Any], str]:
    """Upload a file, and return its report and its page."""
    steward = settled()
    upload = steward.put(f"uri-gin/azgs/{name}", content, **options)
    steward.deliver(upload)
    reports = steward.files.reports
    page = reports[page_key(upload.key, upload.version)].decode()
    return steward, json.loads(reports[report_key(upload.key, upload.version)]), page


@pytest.mark.parametrize("name", FILES)
def test_the_corrected_file_is_the_same_everywhere(name: str, tmp_path: Path) -> None:
    content, options = FILES[name]
    (tmp_path / name).write_bytes(content)
    output, reading = tmp_path / f"out-{name}", write_options(options)
    stated = [text for option, value in reading.items() for text in (f"--{option}", unquote(value))]
    command = ["repair", str(tmp_path / name), *UNDER, "--output", str(output), *stated]
    CliRunner().invoke(main, [*command, "--yes"], catch_exceptions=False)

    steward, report, page = _upload(name, content, **reading)
    offered = find_corrections(f"uri-gin/azgs/{name}", content, options)

    assert report["repaired_file"] == f"uri-gin/azgs/{name}/v3.repaired{Path(name).suffix}"
    assert steward.files.reports[report["repaired_file"]] == output.read_bytes()
    assert offered is not None
    assert offered.body == output.read_bytes()
    assert f'<a class="act main" href="./v3.repaired{Path(name).suffix}" download>' in page


@pytest.mark.parametrize("name", FILES)
def test_a_corrected_file_needs_no_other_correction(name: str) -> None:
    content, options = FILES[name]
    reading = write_options(options)
    steward, report, _ = _upload(name, content, **reading)

    _, again, _ = _upload(name, steward.files.reports[report["repaired_file"]], **reading)

    assert "repaired_file" not in again
    assert not any(finding["suggestion"] for each in again["verdicts"] for finding in each["findings"])


def test_the_column_of_a_template_is_corrected() -> None:
    content, options = FILES["d.csv"]

    steward, report, _ = _upload("d.csv", content, **write_options(options))

    assert steward.files.reports[report["repaired_file"]] == b"ID,title,DOI\n1,A,10.1234/x y\n"


@pytest.mark.parametrize(
    "content",
    [
        b"identifier,title\nuri-gin/azgs/doc/1,A\n",
        b"identifier,title,location\nuri-gin/azgs/doc/1,A,C:\\a.pdf\n",
    ],
    ids=["nothing to correct", "no correction"],
)
def test_a_file_without_corrections_is_not_written_again(content: bytes) -> None:
    steward, report, page = _upload("a.csv", content)

    assert "repaired_file" not in report
    assert "Download with corrections" not in page
    assert not [name for name in steward.files.reports if "repaired" in name]


def test_a_correction_without_one_place_is_not_written() -> None:
    line = b'{"id": "uri-gin/azgs/doc/1", "title": "A", "web": {"url": "x"}, "web.url": "www.example.org"}'

    _, report, _ = _upload("a.jsonl", line, map="location=web.url")

    assert report["counts"]["refused"] == 1
    assert not {"repaired_file", "repair_command"} & report.keys()


def test_cells_on_a_page_have_the_letters_of_a_spreadsheet() -> None:
    _, _, table = _upload("a.csv", TABLE)
    _, _, sheet = _upload("a.xlsx", SHEET)
    _, _, lines = _upload("a.jsonl", LINES)

    assert "<strong>C2 · url</strong>" in table
    assert "<strong>C2 · url</strong>" in sheet
    assert "<strong>line 1 · location</strong>" in lines


def test_cells_of_several_sheets_have_no_letters() -> None:
    rows = [["id", "url"], ["uri-gin/azgs/doc/1", "www.example.org"]]
    other = [["url", "id"], ["www.example.org", "uri-gin/azgs/doc/2"]]

    _, report, page = _upload("a.xlsx", workbook({"Wells": rows, "Maps": other}), sheet="*")

    assert report["rows"] == 2
    assert " · url</strong>" in page
    assert "<strong>B" not in page


@pytest.mark.parametrize(("name", "most"), [("a.csv", MOST_BYTES), ("a.ods", MOST_SPREADSHEET_BYTES)])
def test_a_file_is_corrected_up_to_its_limit(name: str, most: int) -> None:
    assert fits(name, bytes(most))
    assert not fits(name, bytes(most + 1))


def test_a_report_on_a_file_above_the_limit_has_the_command() -> None:
    blank = b" " * 250_000 + b"\n"
    content = gzip.compress(TABLE + blank * (MOST_BYTES // len(blank) + 1))

    _, report, page = _upload("a b.csv.gz", content, dates="day-first")

    command = "ginuri repair 'a b.csv.gz' --under uri-gin/azgs/ --dates day-first"
    assert report["repair_command"] == command
    assert "repaired_file" not in report
    assert f"<code>{escape(command)}</code>" in page.replace("&#39;", "&#x27;")


def test_a_report_on_rdf_has_advice_on_its_corrections() -> None:
    document = "<http://id.example/uri-gin/azgs/doc/1>"
    graph = f"{document} <http://www.w3.org/ns/dcat#downloadURL> <http://https://a.example/> ."

    _, report, page = _upload("a.nt", graph.encode())

    words = "Corrections are not written into RDF: correct a.nt where it is made,"
    assert "repair_command" not in report
    assert words in page
    assert words in describe(report, MemoryStack(Steward()))


def test_more_corrections_than_the_limit_are_counted_as_incomplete() -> None:
    bad, corrections = suggest(refuse("status", "status", "gone", "No."), "retired"), CellCorrections()
    for line in range(1, MOST_CORRECTED + 1):
        corrections.add([at(bad, line, "Status")] * 2)

    assert (len(corrections.texts), corrections.is_complete) == (MOST_CORRECTED, True)
    corrections.add([at(bad, 0, "Status")])
    assert not corrections.is_complete
