"""The uploaded file with all corrections, which is beside its report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ginuri.cli.main import main
from ginuri.files.repairs.cell_corrections import (
    MOST_BYTES,
    MOST_CORRECTED,
    MOST_PACKED_BYTES,
    CellCorrections,
    is_repairable,
)
from ginuri.files.reports.report import page_key, report_key
from ginuri.registration.verdicts import Outcome, Verdict, at, refuse, suggest
from tests.spreadsheets import workbook, written
from tests.steward import Steward, settled

ROWS = 'id;"Title";url\r\nuri-gin/azgs/doc/1;"A";www.example.org/é\r\nuri-gin/azgs/doc/2;B;n/a\r\n'
TABLE = ROWS.encode("utf-8-sig")
LINES = b'{"identifier": "uri-gin/azgs/doc/1", "title": "A", "location": "htp://a.example/"}\n{\n'
SHEET = written([["id", "title", "url"], ["uri-gin/azgs/doc/1", "Well", "www.example.org"]])
FILES = {"a.csv": TABLE, "a.jsonl": LINES, "a.xlsx": SHEET}


def _upload(name: str, content: bytes, **options: str) -> tuple[Steward, dict[str, Any], str]:
    """Upload a file, and return its report and its page."""
    steward = settled()
    upload = steward.put(f"uri-gin/azgs/{name}", content, **options)
    steward.deliver(upload)
    reports = steward.files.reports
    page = reports[page_key(upload.key, upload.version)].decode()
    return steward, json.loads(reports[report_key(upload.key, upload.version)]), page


@pytest.mark.parametrize("name", FILES)
def test_the_file_beside_a_report_is_that_of_ginuri_repair(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    output = tmp_path / f"out-{name}"
    command = ["repair", str(tmp_path / name), "--under", "uri-gin/azgs/", "--output", str(output)]
    CliRunner().invoke(main, [*command, "--yes"], catch_exceptions=False)

    steward, report, page = _upload(name, FILES[name])

    assert report["repaired_file"] == f"uri-gin/azgs/{name}/v3.repaired{Path(name).suffix}"
    assert steward.files.reports[report["repaired_file"]] == output.read_bytes()
    assert f'<a class="act main" href="./v3.repaired{Path(name).suffix}" download>' in page


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
    assert "repaired_file" not in report


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.xlsx"])
def test_a_file_that_is_too_large_for_memory_is_not_corrected(name: str) -> None:
    most = MOST_BYTES if name == "a.csv" else MOST_PACKED_BYTES

    assert is_repairable(name, most)
    assert not is_repairable(name, most + 1)


def test_more_corrections_than_the_limit_are_counted_as_incomplete() -> None:
    bad, corrections = suggest(refuse("status", "status", "gone", "No."), "retired"), CellCorrections()
    for line in range(1, MOST_CORRECTED + 1):
        corrections.add(Verdict(Outcome.REFUSED, (line,), None, (at(bad, line, "Status"),) * 2))

    assert (len(corrections.texts), corrections.is_complete) == (MOST_CORRECTED, True)
    corrections.add(Verdict(Outcome.REFUSED, (0,), None, (at(bad, 0, "Status"),)))
    assert not corrections.is_complete
