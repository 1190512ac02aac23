"""`ginuri backup` and `ginuri check`."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.uploads import SqliteUploads

KEY = "uri-gin/azgs/map.pdf"


def run(*arguments: object, language: str = "en") -> Result:
    environment = {"LANGUAGE": language}
    return CliRunner().invoke(main, list(map(str, arguments)), env=environment, prog_name="ginuri")


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A registry folder with one file."""
    folder = tmp_path / "registry"
    with closing(Database(folder)) as database:
        SqliteUploads(database, FileFolder(folder)).put(KEY, b"%PDF", {})
    return folder


def file_of(folder: Path) -> Path:
    [file] = (path for path in (folder / "files").rglob("*") if path.is_file())
    return file


def test_the_backup_command_counts_new_and_known_files(registry: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup"

    first, second = run("backup", registry, target), run("backup", registry, target, "--json")

    assert (first.exit_code, first.stdout) == (
        0,
        f"{target}: 1 file copied (4 bytes), 0 there already\n",
    )
    assert json.loads(second.stdout) == {"copied": 0, "bytes": 0, "present": 1, "damaged": []}
    assert run("check", target).stdout == f"{target}: all is well\n"


def test_the_backup_command_names_the_way_to_damaged_files(registry: Path, tmp_path: Path) -> None:
    file_of(registry).unlink()

    result = run("backup", registry, tmp_path / "backup")

    assert result.exit_code == 1
    assert f"`ginuri check {registry}` names it and the remedy." in result.stdout


def test_the_check_command_prints_findings_with_remedies(registry: Path) -> None:
    file = file_of(registry)
    file.write_bytes(b"%PDF-")

    text, machine, spanish = (
        run("check", registry),
        run("check", registry, "--json"),
        run("check", registry, language="es"),
    )

    finding = {
        "place": str(file),
        "reason": "The file has 5 bytes instead of 4.",
        "remedy": f"Copy this file from a backup, or upload {KEY} again.",
    }
    assert (text.exit_code, machine.exit_code) == (1, 1)
    assert text.stdout == f"{file}: {finding['reason']} {finding['remedy']}\n{registry}: 1 finding\n"
    assert json.loads(machine.stdout) == finding
    assert "o vuelva a cargar" in spanish.stdout
    assert f"{registry}: 1 hallazgo" in spanish.stdout


def test_the_check_command_removes_unnamed_files_on_request(registry: Path) -> None:
    name = file_of(registry).name
    unnamed = file_of(registry).with_name(f"{name[:-1]}{'0' if name[-1] != '0' else '1'}")
    unnamed.write_bytes(b"of a killed process")

    found, removed, after = (
        run("check", registry),
        run("check", registry, "--remove"),
        run("check", registry),
    )

    assert [found.exit_code, removed.exit_code, after.exit_code] == [1, 1, 0]
    assert not unnamed.exists()


@pytest.mark.parametrize("arguments", [["check"], ["backup"]], ids=" ".join)
def test_only_a_registry_is_checked_and_backed_up(arguments: list[str], tmp_path: Path) -> None:
    target = [tmp_path / "target"] if arguments == ["backup"] else []

    result = run(*arguments, tmp_path, *target)

    assert result.exit_code == 2
    assert f"{tmp_path} is no registry: it has no ginuri.sqlite." in result.stderr
    assert list(tmp_path.iterdir()) == []
