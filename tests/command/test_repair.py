"""`ginuri repair` writes only the confirmed suggestions into the file."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import shlex
import sys
import tracemalloc
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font

from ginuri.cli.main import main
from ginuri.files.options import UploadOptions, write_options
from infra.docs import FOLDER as DOCS
from infra.docs.blocks import is_like, read_blocks, read_commands
from tests.messy import FOLDER, HEADING, MAP, NUMBER, messes, messy_rows
from tests.spreadsheets import MAIN, made, saved, workbook, written
from tests.steward import settled
from tests.terminal import at_a_terminal

MIB = 1024 * 1024
UNDER = ("--under", FOLDER)


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="ginuri")


def _repair(file: Path, *options: str) -> dict[str, Any]:
    result = _run("repair", file, *UNDER, "--json", *options)
    assert result.exit_code == 0
    read: dict[str, Any] = json.loads(result.stdout)
    return read


def _csv(rows: Sequence[Sequence[str]], **dialect: Any) -> str:
    written = io.StringIO()
    csv.writer(written, **dialect).writerows([HEADING, *rows])
    return written.getvalue()


def _read(content: str, **dialect: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content, newline=""), **dialect))


@pytest.mark.parametrize("dialect", [{"delimiter": ";"}, {"lineterminator": "\n", "quoting": csv.QUOTE_ALL}])
def test_repair_mends_a_hundred_messy_rows_and_keeps_the_rest(
    tmp_path: Path, dialect: dict[str, Any]
) -> None:
    file, rows = tmp_path / "wells.csv", messy_rows()
    file.write_bytes(_csv(rows, **dialect).encode())
    plain = {"delimiter": dialect.get("delimiter", ",")}

    before = _run("validate", file, *UNDER, "--map", MAP)
    repaired = _repair(file, "--map", MAP)

    assert before.exit_code == 1
    written = Path(repaired["file"]).read_bytes()
    assert Path(repaired["file"]).name == "wells.repaired.csv"
    after = _read(written.decode(), **plain)[1:]
    changed = {
        (at, number)
        for at, (row, now) in enumerate(zip(rows, after, strict=True))
        for number, (cell, is_now) in enumerate(zip(row, now, strict=True))
        if cell != is_now
    }
    assert len(changed) == messes() == len(repaired["repairs"])
    # Written in the same dialect, the repaired cells are the only difference.
    assert written.decode() == _csv(after, **dialect)
    assert _run("validate", repaired["file"], *UNDER, "--map", MAP).exit_code == 0
    steward = settled()
    options = write_options(UploadOptions(columns=MAP))
    report = steward.deliver(steward.put(f"{FOLDER}wells.csv", written, **options))
    assert report.refused == {}
    assert report.counts["registered"] == NUMBER


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_repair_keeps_encoding_byte_order_mark_and_compression(tmp_path: Path, encoding: str) -> None:
    text = "sep=;\r\nID;url\r\nuri-gin/azgs/doc/1;\t htp://a.example/ \r\n;\r\nuri-gin/azgs/doc/2;https://a.example/"
    file = tmp_path / "Wells.CSV.gz"
    file.write_bytes(gzip.compress(text.encode(encoding)))

    repaired = _repair(file)

    written = gzip.decompress((tmp_path / "Wells.repaired.CSV.gz").read_bytes())
    assert written == text.replace("\t htp://a.example/ ", "http://a.example/").encode(encoding)
    assert [finding["value"] for finding in repaired["repairs"]] == ["htp://a.example/"]


def test_lines_of_json_keep_their_blanks_and_their_order(tmp_path: Path) -> None:
    file = tmp_path / "wells.jsonl"
    file.write_text(
        '\ufeff{ "uri":"uri-gin/azgs/doc/1" , "url" : "www.example.org/a", "title":"\u00e9" }\n'
        "\n"
        '{"homepage": "n/a", "id": "uri-gin/azgs/doc/2", "representations": [{"part": ".pdf", "location": '
        '"htp://a.example/x", "media_type": "PDF"}], "status":"n/a"}\n'
        '{"identifier": "uri-gin/azgs/doc/3", "properties": {"a.b": "x"}, "status": 5}',
        encoding="utf-8",
    )

    result = _run("repair", file, *UNDER, "--output", tmp_path / "x.jsonl", "--yes")

    assert result.exit_code == 1  # 5 is no status, and has no suggestion
    assert (tmp_path / "x.jsonl").read_text("utf-8") == (
        '\ufeff{ "uri":"uri-gin/azgs/doc/1" , "url" : "https://www.example.org/a", "title":"\u00e9" }\n'
        "\n"
        '{"id": "uri-gin/azgs/doc/2", "representations": [{"part": ".pdf", "location": '
        '"http://a.example/x", "media_type": "application/pdf"}]}\n'
        '{"identifier": "uri-gin/azgs/doc/3", "properties": {"a.b": "x"}, "status": 5}'
    )


def test_a_spreadsheet_keeps_formats_formulas_and_other_parts(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [HEADING, *messy_rows()]:
        sheet.append(list(row))
    sheet["E3"].font = Font(bold=True)
    sheet["J1"], sheet["J2"] = "properties.count", 5
    book.create_sheet("Notes")["A1"] = "=1+1"
    file = tmp_path / "wells.xlsx"
    file.write_bytes(saved(book))

    repaired = _repair(file, "--map", MAP)

    now = load_workbook(repaired["file"])
    first = now.worksheets[0]
    assert len(repaired["repairs"]) == messes()
    assert first["E3"].value == "https://www.example.org/1.pdf"
    assert first["E3"].font.bold
    assert (first["J2"].value, now["Notes"]["A1"].value) == (5, "=1+1")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(repaired["file"]) as new:
        differing = [name for name in old.namelist() if old.read(name) != new.read(name)]
        assert old.namelist() == new.namelist()
    assert differing == ["xl/worksheets/sheet1.xml"]
    assert _run("validate", repaired["file"], *UNDER, "--map", MAP).exit_code == 0


def _with_part(workbook: bytes, name: str, mebibytes: int) -> bytes:
    """Add a part of zeros to a workbook, in front of the others."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as old, zipfile.ZipFile(content, "w", 8) as new:
        with new.open(name, "w") as part:
            for _ in range(mebibytes):
                part.write(bytes(MIB))
        for entry in old.infolist():
            new.writestr(entry, old.read(entry))
        new.comment = b"of the survey"
    return content.getvalue()


def _workbook() -> bytes:
    return written([["id", "url", "title"], ["uri-gin/azgs/doc/1", "www.example.org", "Well"]])


def _packed(content: bytes) -> dict[str, bytes]:
    """Return the packed bytes of each part, with its header."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        entries = package.infolist()
        ends = [*(entry.header_offset for entry in entries[1:]), package.start_dir]
    return {
        entry.filename: content[entry.header_offset : end] for entry, end in zip(entries, ends, strict=True)
    }


def test_the_other_parts_of_a_workbook_are_copied_byte_for_byte(tmp_path: Path) -> None:
    file = tmp_path / "wells.xlsx"
    file.write_bytes(_with_part(_workbook(), "xl/media/image1.png", 1))

    repaired = Path(_repair(file)["file"]).read_bytes()

    before, after = _packed(file.read_bytes()), _packed(repaired)
    assert [name for name in before if before[name] != after[name]] == ["xl/worksheets/sheet1.xml"]
    with zipfile.ZipFile(io.BytesIO(repaired)) as package:
        assert (package.testzip(), package.comment) == (None, b"of the survey")
    assert load_workbook(io.BytesIO(repaired)).worksheets[0]["B2"].value == "https://www.example.org"


@pytest.mark.untraced
def test_the_other_parts_of_a_workbook_are_not_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "wells.xlsx"
    file.write_bytes(_with_part(_workbook(), "xl/media/image1.png", 200))
    tracemalloc.start()

    repaired = _repair(file)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(repaired["repairs"]) == 1
    assert peak < 24 * MIB


def test_the_chosen_sheet_of_a_workbook_is_repaired(tmp_path: Path) -> None:
    file = tmp_path / "wells.xlsx"
    sheets = {
        name: [["id", "title", "url"], [f"uri-gin/azgs/doc/{name}", "Well", "www.example.org"]]
        for name in ("Wells", "Maps")
    }
    file.write_bytes(workbook(sheets))

    first = _run("repair", file, *UNDER, "--json")
    chosen = _run("repair", file, *UNDER, "--json", "--sheet", "Maps", "--output", tmp_path / "maps.xlsx")

    repaired = [load_workbook(tmp_path / name) for name in ("wells.repaired.xlsx", "maps.xlsx")]
    texts = [[sheet["C2"].value for sheet in book.worksheets] for book in repaired]
    assert (first.exit_code, chosen.exit_code) == (1, 0)  # the first report names the other sheet
    assert texts == [
        ["https://www.example.org", "www.example.org"],
        ["www.example.org", "https://www.example.org"],
    ]


def test_a_dangling_link_in_place_of_the_repaired_file_is_not_followed(tmp_path: Path) -> None:
    file, elsewhere = tmp_path / "wells.csv", tmp_path / "elsewhere.csv"
    file.write_text("id,url,title\nuri-gin/azgs/doc/1,www.example.org,Well\n")
    (tmp_path / "wells.repaired.csv").symlink_to(elsewhere)

    result = _run("repair", file, *UNDER, "--yes")

    assert (result.exit_code, elsewhere.exists()) == (2, False)
    assert "Name the file to write with --output." in result.stderr


def test_a_file_may_be_repaired_in_place_through_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "wells.csv", tmp_path / "link.csv"
    file.write_text("id,url,title\nuri-gin/azgs/doc/1,www.example.org,Well\n")
    link.symlink_to(file)

    result = _run("repair", file, *UNDER, "--yes", "--output", link)

    assert (result.exit_code, link.is_symlink()) == (0, True)
    assert file.read_text().endswith("1,https://www.example.org,Well\n")


def test_a_member_with_a_full_stop_is_not_confused_with_another(tmp_path: Path) -> None:
    file = tmp_path / "wells.jsonl"
    line = '{"id": "uri-gin/azgs/doc/1", "title": "Well", "web": {"url": "x"}, "web.url": "www.example.org"}'
    file.write_text(line)

    result = _run("repair", file, *UNDER, "--map", "location=web.url", "--json")

    assert json.loads(result.stdout)["file"] is None
    assert [each.name for each in tmp_path.iterdir()] == ["wells.jsonl"]


def test_a_dry_run_shows_each_kind_of_repair_and_writes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "wells.csv"
    rows = [f"uri-gin/azgs/doc/{number},www.example.org/{number},Well" for number in range(5)]
    file.write_text("\n".join(["id,url,title", *rows, "uri-gin/azgs/doc/9,C:\\x.pdf,Well"]))

    result = _run("repair", file, *UNDER, "--dry-run")

    assert result.exit_code == 1
    assert "5 cells in column url: The web address lacks its beginning, http:// or https://." in result.stdout
    assert "  line 2, column url: www.example.org/0 → https://www.example.org/0" in result.stdout
    assert "  and 2 other corrections" in result.stdout
    assert "5 cells would be repaired. Nothing was written." in result.stdout
    assert "line 7, column url: refused (C:\\x.pdf)" in result.stdout
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_without_faults_is_not_rewritten(tmp_path: Path) -> None:
    file = tmp_path / "wells.csv"
    file.write_text("id,title\nuri-gin/azgs/doc/1,Well\n")

    result = _run("repair", file, *UNDER)

    assert (result.exit_code, list(tmp_path.iterdir())) == (0, [file])
    assert "There is nothing to repair." in result.stdout


def test_repair_never_overwrites_another_file_without_consent(tmp_path: Path) -> None:
    file = tmp_path / "wells.csv"
    file.write_text("id,url,title\nuri-gin/azgs/doc/1,www.example.org,Well\n")
    (tmp_path / "wells.repaired.csv").write_text("mine")

    result = _run("repair", file, *UNDER, "--yes")
    itself = _run("repair", file, *UNDER, "--yes", "--output", file)

    assert (result.exit_code, itself.exit_code) == (2, 0)
    assert "Name the file to write with --output." in result.stderr
    assert (tmp_path / "wells.repaired.csv").read_text() == "mine"
    assert "1 cell is repaired in" in itself.stdout
    assert file.read_text().endswith("1,https://www.example.org,Well\n")


@pytest.mark.parametrize(("answer", "is_repaired"), [("y", True), ("n", False)])
def test_a_repair_on_a_terminal_needs_confirmation_for_each_kind(
    tmp_path: Path, answer: str, *, is_repaired: bool
) -> None:
    file, repaired = tmp_path / "wells.csv", tmp_path / "wells.repaired.csv"
    file.write_text("id,url,title\nuri-gin/azgs/doc/1,www.example.org,Well\n")
    command = [str(Path(sys.executable).with_name("ginuri")), "repair", str(file), *UNDER]

    ended, seen = at_a_terminal(command, os.environ, answer)

    assert "www.example.org → https://www.example.org" in seen.partition("Repair this? [y/N]")[0]
    assert (ended, repaired.exists()) == (0 if is_repaired else 1, is_repaired)


def test_repair_keeps_formulas_and_a_sheet_outside_utf8(tmp_path: Path) -> None:
    names = "".join(
        f'<c r="{column}1" t="str"><v>{name}</v></c>'
        for column, name in zip("ABC", ("id", "url", "title"), strict=True)
    )
    cells = '<c r="A{0}" t="str"><v>{1}</v></c><c r="B{0}" t="str">{2}<v>www.example.org</v></c>'
    rows = [cells.format(2, "uri-gin/azgs/doc/1", "<f>C3</f>"), cells.format(3, "uri-gin/azgs/doc//2", "")]
    sheet = f'<row r="1">{names}</row><row r="2">{rows[0]}</row><row r="3">{rows[1]}</row>'
    (tmp_path / "wells.xlsx").write_bytes(made(sheet))
    whole = f'<worksheet xmlns="{MAIN}"><sheetData>{sheet}</sheetData></worksheet>'
    other = f'<?xml version="1.0" encoding="iso-8859-1"?>{whole}'
    (tmp_path / "other.xlsx").write_bytes(made(sheet=other))

    result = _run("repair", tmp_path / "wells.xlsx", *UNDER, "--json")
    untouched = _run("repair", tmp_path / "other.xlsx", *UNDER, "--json")

    repairs = json.loads(result.stdout)["repairs"]
    assert [(finding["line"], finding["suggestion"]) for finding in repairs] == [
        (3, "uri-gin/azgs/doc/2"),
        (3, "https://www.example.org"),
    ]
    assert (json.loads(untouched.stdout)["file"], untouched.exit_code) == (None, 1)


def test_the_guide_to_repairs_matches_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = DOCS / "how-to" / "repair-a-file.md"
    for block in read_blocks(page):
        if block.is_file:
            Path(Path(block.title).name).write_text(block.body, encoding="utf-8")

    for command in (
        command for block in read_blocks(page) if block.is_session for command in read_commands(block)
    ):
        result = _run(*shlex.split(command.text)[1:])

        assert is_like(result.stdout.splitlines(), list(command.printed)), command.text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wells.ttl", "Corrections are not written into RDF: correct wells.ttl where it is made,"),
        ("wells.txt", "cannot be repaired"),
    ],
)
def test_rdf_and_unread_files_are_not_repaired(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / name).write_text("x")

    result = _run("repair", tmp_path / name, *UNDER)

    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.parametrize("name", ["wells.csv", "wells.jsonl", "wells.xlsx"])
def test_texts_that_are_not_plain_are_repaired(name: str, tmp_path: Path) -> None:
    raw, identifier = "\x93Map\x94 of\u202e it", f"{FOLDER}doc/1"
    file = tmp_path / name
    if name.endswith(".xlsx"):
        file.write_bytes(written([["identifier", "title"], [identifier, raw]]))
    elif name.endswith(".csv"):
        file.write_text(f"identifier,title\n{identifier},{raw}\n", encoding="utf-8")
    else:
        file.write_text(json.dumps({"identifier": identifier, "title": {"en": raw}}), encoding="utf-8")

    repaired = _repair(file)

    assert [each["suggestion"] for each in repaired["repairs"]] == ["\u201cMap\u201d of it"]
    assert repaired["report"]["counts"]["refused"] == 0


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file, missing = tmp_path / "wells.csv", tmp_path / "missing" / "wells.csv"
    file.write_text(f"identifier,location\n{FOLDER}doc/1,htp://a.example/1\n")

    result = _run("repair", file, *UNDER, "--output", missing)

    assert result.exit_code == 2
    assert f"The command stopped: {missing}: No such file or directory." in result.stderr
