"""`ginuri validate`: the verdicts of an upload, without a stack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from tests.report_schema import read_report
from tests.spreadsheets import workbook, written
from tests.steward import HOST, Report, line, settled

WELL = "uri-gin/azgs/doc/well{}"
EVERYTHING = (
    line("uri-gin/azgs/x/", record="resource-type")
    + line(WELL.format(1), location="https://a.example/")
    + line(WELL.format(2), location="htp://a.example/")
    + line(WELL.format(3), title=None)
    + line("uri-gin/usgin/doc/4")
    + line("uri-gin/azgs/a+b")
    + line(WELL.format(6), title="One")
    + line(WELL.format(6), title="Other")
    + line("uri-gin/azgs/old/", record="rule", location="https://a.example/{+rest}")
    + line("uri-gin/azgs/old/", record="rule", pattern="{a}", location="https://a.example/{b}")
    + line("uri-gin/azgs/core/", record="delegation", answered_by="a.example")
    + line("uri-gin/azgs/latest", record="alias", stands_for=WELL.format(1))
    + line("uri-gin/azgs/newest", record="alias", stands_for="uri-gin/azgs/latest")
    + line("uri-gin/none/", record="authority")
    + "{\n"
)


def _validate(file: Path, *options: str, under: str = "uri-gin/azgs/") -> Result:
    return CliRunner().invoke(main, ["validate", str(file), "--under", under, *options])


def _written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def _heard(report: Report) -> list[tuple[Any, ...]]:
    known = [[*each.broken, *each.warned] for each in report.verdicts]
    told = [[said for said in each if said[1] != "resource type"] for each in known]
    return [(each.lines, each.verdict, said) for each, said in zip(report.verdicts, told, strict=True)]


def test_validate_assumes_that_only_authorities_are_registered(
    tmp_path: Path,
) -> None:
    steward = settled()
    uploaded = steward.upload("uri-gin/azgs/all.jsonl", EVERYTHING)

    file = _written(tmp_path, "all.jsonl", EVERYTHING)
    result = _validate(file, "--json")

    judged = Report(read_report(result.stdout))
    assert result.exit_code == 1
    assert judged.whole["dry_run"] is True
    assert judged.counts["refused"] == uploaded.counts["refused"] > 0
    assert _heard(judged) == _heard(uploaded)


def test_a_valid_file_exits_with_0_and_the_skipped_checks_are_named(tmp_path: Path) -> None:
    file = _written(tmp_path, "wells.csv", f"identifier,title\n{WELL.format(1)},Well\n")

    result = _validate(file)

    assert result.exit_code == 0
    counted = "1 identifier in 1 row: 1 registered"
    assert result.stdout.splitlines() == [
        f"uri-gin/azgs/wells.csv, checked without a registry: {counted}",
        "What is already registered was not looked at. For that, use `ginuri upload --dry-run`.",
    ]


def test_refused_lines_are_printed_with_their_remedies(tmp_path: Path) -> None:
    file = _written(tmp_path, "wells.csv", f"identifier,title,status\n{WELL.format(1)},Well,gone\n")

    result = _validate(file)

    assert result.exit_code == 1
    assert "line 2, column status: refused: gone → retired: The value must be one of" in result.stdout


def test_a_file_named_in_a_line_is_assumed_to_be_uploaded(tmp_path: Path) -> None:
    file = _written(
        tmp_path, "w.jsonl", line(WELL.format(1), representations=[{"part": ".pdf", "file": "a.pdf"}])
    )

    assert _validate(file).exit_code == 0


@pytest.mark.parametrize(
    ("under", "code"), [("_host/", 0), ("uri-gin/azgs/", 1), ("uri-gin/", 1), ("uri-gin/azgs/doc", 1)]
)
def test_validate_refuses_lines_outside_the_folder(tmp_path: Path, under: str, code: int) -> None:
    assert _validate(_written(tmp_path, "host.jsonl", HOST), under=under).exit_code == code


def test_an_unknown_sub_authority_is_assumed_to_exist(tmp_path: Path) -> None:
    file = _written(
        tmp_path,
        "maps.jsonl",
        line("uri-gin/azgs.mapping/", record="authority") + line("uri-gin/azgs.mapping/map/1/"),
    )

    result = _validate(file, "--json")

    assert Report(read_report(result.stdout)).counts == {"registered": 2}
    assert _validate(file, under="uri-gin/usgin/").exit_code == 1


def test_a_file_refused_as_a_whole_is_printed_with_the_reason(tmp_path: Path) -> None:
    result = _validate(_written(tmp_path, "empty.csv", ""))

    assert result.exit_code == 1
    assert "The file is empty." in result.stdout


@pytest.mark.parametrize(("name", "under"), [("map.pdf", "uri-gin/azgs/"), ("a.csv", "azgs")])
def test_an_unreadable_file_exits_with_2(tmp_path: Path, name: str, under: str) -> None:
    assert _validate(_written(tmp_path, name, "x"), under=under).exit_code == 2


def test_spreadsheets_and_wrong_encodings_are_judged_as_in_an_upload(tmp_path: Path) -> None:
    rows = [["id", "title", "url"], ["uri-gin/azgs/doc/1", "Well"], ["uri-gin/azgs/doc/2", "Well", "htp://a"]]
    (tmp_path / "wells.xlsx").write_bytes(written(rows))
    table = "id,title\nuri-gin/azgs/doc/1,Huérfano\nuri-gin/azgs/doc/2,Peñasco\n"
    (tmp_path / "wells.csv").write_bytes(table.encode("windows-1252"))

    sheet, encoded = (_validate(tmp_path / name) for name in ("wells.xlsx", "wells.csv"))

    assert "line 3, column url: refused (htp://a)" in sheet.stdout
    assert "all rows, column title: refused" in encoded.stdout
    assert (sheet.exit_code, encoded.exit_code) == (1, 1)


def test_a_sheet_that_is_not_read_is_reported_as_in_an_upload(tmp_path: Path) -> None:
    sheets = {name: [["id", "title"], [f"uri-gin/azgs/doc/{name}", "Well"]] for name in ("Wells", "Maps")}
    (tmp_path / "wells.xlsx").write_bytes(workbook(sheets))

    first, chosen = (_validate(tmp_path / "wells.xlsx", *options) for options in ([], ["--sheet", "Maps"]))

    assert (first.exit_code, chosen.exit_code) == (1, 0)
    assert "the whole upload: refused: Only the sheet 'Wells' was read. There is a column" in first.stdout
    assert '--sheet "Maps"' in first.stdout
    assert "the whole upload: warned: Only the sheet 'Maps' was read" in chosen.stdout


def test_foreign_names_are_mapped_as_in_an_upload(tmp_path: Path) -> None:
    file = _written(tmp_path, "lith.ttl", '<http://x.org/v#slate> <http://purl.org/dc/terms/title> "Slate" .')

    passed_over, mapped = (
        _validate(file),
        _validate(file, "--map", "http://x.org/v#{+rest}=uri-gin/azgs/v/{+rest}"),
    )

    assert passed_over.exit_code == 1
    assert "--map 'http://x.org/v#{+rest}=uri-gin/azgs/v/{+rest}'" in passed_over.stdout
    assert (mapped.exit_code, mapped.stdout.count("1 registered")) == (0, 1)


@pytest.mark.parametrize("name", ["wells.xls", "wells.txt", "wells"])
def test_an_unread_registry_file_is_refused_with_the_remedy(tmp_path: Path, name: str) -> None:
    result = _validate(_written(tmp_path, name, "identifier\n"))

    assert result.exit_code == 1
    assert ".csv" in result.stderr
    assert "--store" not in result.stderr


def test_an_unusable_heading_gives_one_line_of_the_report(tmp_path: Path) -> None:
    table = "Wells of Arizona\n\nPersistent ID;Name\n" + "uri-gin/azgs/doc/1;Well\n" * 50
    result = _validate(_written(tmp_path, "wells.csv", table))

    [_, refused, _] = result.stdout.splitlines()
    assert result.exit_code == 1
    assert refused.startswith("  line 3: refused: identifier (Persistent ID, Name): Line 3 names the columns")
    assert refused.endswith('--map "identifier=Persistent ID,title=Name"')


def test_the_options_of_reading_are_those_of_an_upload(tmp_path: Path) -> None:
    table = "id,title\nuri-gin/azgs/doc/1,Huérfano\n"
    (tmp_path / "wells.csv").write_bytes(table.encode("macintosh"))
    (tmp_path / "wells.xlsx").write_bytes(
        written([["id", "url"], ["uri-gin/azgs/doc/1", "https://a.example/"]])
    )

    encoded = _validate(tmp_path / "wells.csv", "--encoding", "macintosh")
    linked = _validate(tmp_path / "wells.xlsx", "--links", "Report", "--hidden-rows", "leave-out")

    assert encoded.exit_code == 0
    assert (linked.exit_code, "There is no column 'Report' to take links from." in linked.stdout) == (1, True)
