"""`ginuri upload` of a file without options: what it guesses, asks once, and keeps for the next time."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from openpyxl import Workbook

from ginuri.cli.choices.remembered import recall, remember
from ginuri.cli.main import main
from ginuri.sqlite.archive import SqliteArchive
from ginuri.sqlite.database import Database
from tests.spreadsheets import saved
from tests.stacks import settle_folder
from tests.terminal import answering, at_a_terminal, press_enter

COMMAND = [sys.executable, "-m", "ginuri.cli"]
NAMED = """Wells of Arizona;;
Persistent ID;Name;Web link
uri-gin/azgs/doc/one;One;https://example.org/1
uri-gin/azgs/doc/two;Two;https://example.org/2
"""
CORRECTABLE = """identifier,title,location,status
uri-gin/azgs/doc/one,One,www.example.org/1,valid
uri-gin/azgs/doc/two,Two,www.example.org/2,deleted
"""
OPTIONS = '--under "uri-gin/azgs/" --map "identifier=Persistent ID,title=Name,location=Web link"'


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A registry folder with its authorities."""
    folder = tmp_path_factory.mktemp("settled")
    settle_folder(folder)
    return folder


@pytest.fixture
def environment(settled: Path) -> dict[str, str]:
    """Return the environment of a command on that folder."""
    return {"GINURI_REGISTRY": str(settled), "GINURI_STACK": "", "LANGUAGE": "en", "COLUMNS": "200"}


def _write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def _run(environment: Mapping[str, str], *arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), env=environment, prog_name="ginuri")


def test_guesses_are_confirmed_once_at_a_terminal_and_kept(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    file = _write(tmp_path, "wells.csv", NAMED)

    code, seen = at_a_terminal([*COMMAND, "upload", str(file)], environment, "y")
    asked, again = press_enter([*COMMAND, "upload", str(file)], environment, tmp_path)

    summary = seen.partition("Upload it? [y/N]")[0]
    assert code == 0, seen
    assert "Line 2 is the heading. Columns:" in summary
    assert "  identifier ← Persistent ID   uri-gin/azgs/doc/one" in summary
    assert "folder: uri-gin/azgs/, that of all 2 identifiers" in summary
    assert seen.count("[y/N]") == 1
    assert asked == []
    assert again.startswith(f"As before (ginuri.toml): {OPTIONS}")
    assert "2 unchanged" in again


def test_a_known_file_with_a_refused_row_is_asked_about(tmp_path: Path, environment: dict[str, str]) -> None:
    file = _write(tmp_path, "wells.csv", NAMED)
    _run(environment, "upload", file, "--yes")
    file.write_text(f"{NAMED}uri-gin/azgs2/doc/three;Three;\n", encoding="utf-8")

    asked, seen = press_enter([*COMMAND, "upload", str(file)], environment, tmp_path)

    assert asked == ["Upload it? [y/N]:"]
    assert "Nothing was changed." in seen


def test_a_guess_without_a_terminal_needs_the_option_yes(tmp_path: Path, environment: dict[str, str]) -> None:
    file = _write(tmp_path, "wells.csv", NAMED)

    refused, allowed = _run(environment, "upload", file), _run(environment, "upload", file, "--yes")

    assert (refused.exit_code, allowed.exit_code) == (2, 0)
    assert f"Add --yes, or run ginuri upload {file} {OPTIONS}" in refused.stderr
    assert "  title ← Name   One" in refused.stderr


def test_stated_options_are_used_as_they_are(tmp_path: Path, environment: dict[str, str]) -> None:
    file = _write(tmp_path, "wells.csv", NAMED)

    stated = _run(
        environment, "upload", file, "--under", "uri-gin/azgs/", "--map", "identifier=Persistent ID"
    )

    assert stated.exit_code == 0
    assert "is the heading" not in stated.stdout
    assert not (tmp_path / "ginuri.toml").exists()


def test_a_dry_run_shows_guesses_and_asks_nothing(tmp_path: Path, environment: dict[str, str]) -> None:
    file = _write(tmp_path, "wells.csv", NAMED)

    result = _run(environment, "upload", file, "--dry-run")

    assert result.exit_code == 0
    assert "identifier ← Persistent ID" in result.stdout
    assert not (tmp_path / "ginuri.toml").exists()


@pytest.mark.parametrize(
    ("answer", "locations"), [("y", ["https://www.example.org/1"]), ("w", []), ("n", [])]
)
def test_corrections_are_offered_before_the_upload(tmp_path: Path, answer: str, locations: list[str]) -> None:
    settle_folder(tmp_path / "registry")
    environment = {"GINURI_REGISTRY": str(tmp_path / "registry"), "GINURI_STACK": "", "LANGUAGE": "en"}
    file = _write(tmp_path, "wells.csv", CORRECTABLE)

    code, seen = at_a_terminal([*COMMAND, "upload", str(file)], environment, answer, b"(y, w, n) [n]: ")

    archive = SqliteArchive(Database(tmp_path / "registry"))
    records = dict(archive.standing("uri-gin/azgs/doc/one")).values()
    assert code == (0 if answer == "y" else 1)
    assert "3 cells can be corrected:" in seen
    assert "  line 3, column status: deleted → retired" in seen
    assert [
        form["location"] for record in records for form in record.get("representations", {}).values()
    ] == locations


def test_numbers_are_asked_for_what_comes_before_them(tmp_path: Path, environment: dict[str, str]) -> None:
    file = _write(tmp_path, "wells.csv", "ID,Name\n17,Well 17\n")

    result = _run(environment, "upload", file, "--yes")

    assert result.exit_code == 2
    assert "No column has complete identifiers." in result.stderr
    assert 'State what comes before: --map "identifier=uri-gin/azgs/…/{ID},title=Name"' in result.stderr


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            "uri-gin/azgs/doc/a,A\n",
            "The table has no column names: line 1 already has values, such as uri-gin",
        ),
        ("", "The file is empty."),
        ("PID;Titre\n", "The table has a heading and no rows."),
    ],
)
def test_a_file_without_a_heading_or_rows_is_refused_with_the_reason(
    tmp_path: Path, environment: dict[str, str], content: str, reason: str
) -> None:
    file = _write(tmp_path, "wells.csv", content)

    result = _run(environment, "upload", file, "--yes")

    assert result.exit_code in {1, 2}
    assert result.stderr.startswith(f"Error: {reason}")


def test_identifiers_of_several_folders_are_not_guessed(tmp_path: Path, environment: dict[str, str]) -> None:
    file = _write(tmp_path, "wells.csv", "identifier,title\nuri-gin/azgs/doc/a,A\nuri-gin/usgin/b,B\n")

    result = _run(environment, "upload", file, "--yes")

    assert result.exit_code == 2
    assert "belong to several folders: 'uri-gin/azgs/', 'uri-gin/usgin/'." in result.stderr


def test_the_folders_of_a_file_name_the_folder_of_uploads(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "uri-gin" / "azgs").mkdir(parents=True)
    file = _write(tmp_path / "uri-gin" / "azgs", "rows.jsonl", '{"title": "no identifier"}\n')

    result = _run(environment, "upload", file, "--dry-run")

    assert "folder: uri-gin/azgs/, as the file is in it here" in result.stdout


def test_lines_of_json_belong_to_the_folder_of_their_identifiers(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    row = json.dumps({"identifier": "uri-gin/azgs/doc/json", "title": "J"})
    file = _write(tmp_path, "rows.jsonl", f"{row}\n")

    result = _run(environment, "upload", file, "--yes")

    assert (result.exit_code, "1 registered" in result.stdout) == (0, True), result.output


def test_choices_leave_the_rest_of_the_file_as_it_is(tmp_path: Path) -> None:
    before = "# Ours\n[upload.'a b.csv']\nunder = 'uri-gin/usgin/'\n\n[other]\nkey = 1\n"
    toml = _write(tmp_path, "ginuri.toml", before)
    chosen = {"under": "uri-gin/azgs/", "map": 'title="Name, \\ in full"'}

    assert remember(tmp_path / "a b.csv", chosen)
    assert not remember(tmp_path / "a b.csv", chosen)
    assert remember(tmp_path / "b.csv", {"under": "uri-gin/azgs/"})

    content = toml.read_text(encoding="utf-8")
    assert tomllib.loads(content) == {
        "upload": {"a b.csv": chosen, "b.csv": {"under": "uri-gin/azgs/"}},
        "other": {"key": 1},
    }
    assert content.startswith("# Ours\n")
    assert recall(tmp_path / "a b.csv") == chosen


def test_an_unreadable_file_of_choices_is_reported(tmp_path: Path, environment: dict[str, str]) -> None:
    _write(tmp_path, "ginuri.toml", "[upload\n")
    file = _write(tmp_path, "wells.csv", NAMED)

    result = _run(environment, "upload", file, "--yes")

    assert result.exit_code == 2
    assert "ginuri.toml cannot be read" in result.stderr


def test_the_code_page_of_a_file_is_proposed_with_a_sample(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    file = tmp_path / "wells.csv"
    file.write_bytes("identifier;title\nuri-gin/azgs/doc/page;Übersicht\n".encode("cp1252"))

    refused, allowed = _run(environment, "upload", file), _run(environment, "upload", file, "--yes")

    assert "The file is not UTF-8. Read as windows-1252, '\ufffdbersicht' is 'Übersicht'." in refused.stderr
    assert (refused.exit_code, allowed.exit_code) == (2, 0)
    assert 'encoding = "windows-1252"' in (tmp_path / "ginuri.toml").read_text(encoding="utf-8")
    assert "1 registered" in allowed.stdout


def test_links_behind_the_cells_of_a_column_are_its_locations(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["PID", "Name", "Report"])
    for number in (1, 2):
        sheet.append([f"uri-gin/azgs/doc/linked{number}", f"Linked {number}", "Open"])
        sheet.cell(number + 1, 3).hyperlink = f"https://example.org/{number}"
    (tmp_path / "wells.xlsx").write_bytes(saved(book))

    result = _run(environment, "upload", tmp_path / "wells.xlsx", "--yes")

    assert (result.exit_code, "2 registered" in result.stdout) == (0, True), result.output
    assert "The cells of 'Report' link to web addresses (2), such as Open to https://example.org/1." in (
        result.stdout
    )
    chosen = recall(tmp_path / "wells.xlsx")
    assert (chosen["links"], chosen["map"]) == ("Report", "identifier=PID,title=Name,location=Report")


def test_hidden_rows_are_asked_for_at_a_terminal(tmp_path: Path, environment: dict[str, str]) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["identifier", "title"], ["uri-gin/azgs/doc/shown", "S"], ["uri-gin/azgs/doc/hidden", "H"]):
        sheet.append(row)
    sheet.row_dimensions[3].hidden = True
    file = tmp_path / "wells.xlsx"
    file.write_bytes(saved(book))
    answers = {"(register, leave-out): ": "leave-out", "[y/N]: ": "y"}

    code, seen = answering([*COMMAND, "upload", str(file)], environment, answers)

    assert code == 0, seen
    assert "1 row of the sheet is hidden, 0 of them by a filter: 3." in seen
    assert "1 identifier in 1 row: 1 " in seen
    assert recall(file)["hidden-rows"] == "leave-out"


def test_stated_options_about_the_content_reach_the_upload(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    file = tmp_path / "wells.csv"
    file.write_bytes("identifier;title\nuri-gin/azgs/doc/stated;Übersicht\n".encode("cp1252"))
    options = ("--under", "uri-gin/azgs/", "--encoding", "windows-1252")

    stated = _run(environment, "upload", file, *options)
    refused = _run(environment, "upload", file, *options, "--hidden-rows", "leave-out", "--json")

    assert stated.exit_code == 0, stated.output
    assert "Only a spreadsheet has" in refused.stdout


@pytest.mark.parametrize(("other", "order"), [("25/04/2024", "day-first"), ("04/25/2024", "month-first")])
def test_the_order_of_dates_is_the_only_one_that_fits_all(
    tmp_path: Path, environment: dict[str, str], other: str, order: str
) -> None:
    rows = f"uri-gin/azgs/doc/d1,A,03/04/2024\nuri-gin/azgs/doc/d2,B,{other}\n"
    file = _write(tmp_path, "dated.csv", f"PID,Name,Valid from\n{rows}")

    result = _run(environment, "upload", file, "--dry-run")

    assert f"  dates of Valid from: {order}, which fits all of them" in result.stdout, result.output


def test_each_column_of_dates_has_its_own_order(tmp_path: Path, environment: dict[str, str]) -> None:
    rows = "uri-gin/azgs/doc/d3,A,03/04/2024,04/25/2027\nuri-gin/azgs/doc/d4,B,25/04/2024,03/04/2027\n"
    file = _write(tmp_path, "dated.csv", f"PID,Name,Valid from,Embargoed until\n{rows}")

    result = _run(environment, "upload", file, "--dry-run")

    assert "  dates of Valid from: day-first" in result.stdout, result.output
    assert "  dates of Embargoed until: month-first" in result.stdout


def test_the_order_of_a_column_that_fits_both_is_asked_for(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    rows = "uri-gin/azgs/doc/d7,A,03/04/2024\nuri-gin/azgs/doc/d8,B,05/04/2024\n"
    file = _write(tmp_path, "dated.csv", f"identifier,title,Valid from\n{rows}")
    answers = {"(day-first, month-first): ": "month-first", "[y/N]: ": "y"}

    code, seen = answering([*COMMAND, "upload", str(file)], environment, answers)

    assert code == 0, seen
    assert "the dates of Valid from, such as 03/04/2024 (line 2)?" in seen
    assert recall(file)["dates"] == "Valid from=month-first"


def test_a_column_whose_dates_contradict_each_other_is_refused(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    rows = "uri-gin/azgs/doc/d5,A,25/04/2024\nuri-gin/azgs/doc/d6,B,04/26/2024\n"
    file = _write(tmp_path, "dated.csv", f"PID,Name,Valid from\n{rows}")

    result = _run(environment, "upload", file, "--yes")

    assert result.exit_code == 2
    assert "25/04/2024 (line 2) has the day first, 04/26/2024 (line 3) the month." in result.stderr, (
        result.output
    )
    assert '--dates "Valid from=day-first"' in result.stderr


def test_a_vocabulary_belongs_to_the_folder_of_its_subjects(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    turtle = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://resources.usgin.org/uri-gin/azgs/term/a> a skos:Concept ; skos:prefLabel "A"@en .
<http://resources.usgin.org/uri-gin/azgs/term/b> a skos:Concept ; skos:prefLabel "B"@en .
<http://elsewhere.example/c> skos:prefLabel "C"@en .
"""
    file = _write(tmp_path, "terms.ttl", turtle)

    result = _run(environment, "upload", file, "--dry-run")

    assert "folder: uri-gin/azgs/, that of all 2 identifiers" in result.stdout, result.output


def test_a_stated_template_of_identifiers_has_their_folder(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    file = _write(tmp_path, "wells.csv", "ID,Name\n17,Well 17\n")
    mapping = "identifier=uri-gin/azgs/doc/{ID},title=Name"

    result = _run(environment, "upload", file, "--map", mapping, "--yes")

    assert (result.exit_code, "1 registered" in result.stdout) == (0, True), result.output
    assert recall(file) == {"under": "uri-gin/azgs/", "map": mapping}
