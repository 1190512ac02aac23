"""`ginuri import`: the parts that all importers have in common."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main

HEAD = "idspace: {name}\nbase_url: /obo/{low}\nentries:\n"
ENTRY = "- {kind}: {path}\n  replacement: https://b.example/\n"


def _config(name: str, *entries: tuple[str, str]) -> str:
    head = HEAD.format(name=name, low=name.lower())
    return head + "".join(ENTRY.format(kind=kind, path=path) for kind, path in entries)


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["import", "obo", *map(str, arguments)], prog_name="ginuri")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "config/hp.yml": _config("HP", ("exact", "/a"), ("exact", "b"), ("exact", "c")),
        "config/old/go.yml": _config("GO", ("exact", "/d")),
        "config/readme.md": "Not a configuration.",
        "config/.git/x.yml": "Not a configuration.",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "config"


def test_the_files_of_a_folder_are_imported(folder: Path) -> None:
    result = _run(folder)

    assert [json.loads(line)["identifier"].rpartition("/")[2] for line in result.stdout.splitlines()] == [
        "a",
        "d",
    ]


def test_the_result_has_the_share_the_reasons_and_each_refused_entry(folder: Path) -> None:
    result = _run(folder)

    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "2 of 4 entries imported (50 %), 2 refused",
        "      2  The path of `…` must start with a slash.",
        "  hp.yml, line 6: exact b: The path of `exact` must start with a slash.",
        "  hp.yml, line 8: exact c: The path of `exact` must start with a slash.",
    ]


def test_the_result_is_json_for_programs(folder: Path) -> None:
    told = json.loads(_run(folder, "--json").stderr)

    assert (told["entries"], told["taken"], told["percentage"], told["registrations"]) == (4, 2, 50, 2)
    assert told["reasons"] == [{"reason": "The path of `…` must start with a slash.", "entries": 2}]
    assert [each["line"] for each in told["refused"]] == [6, 8]


def test_the_same_files_give_the_same_lines(folder: Path) -> None:
    first, second = _run(folder), _run(folder)

    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)


def test_registrations_are_written_to_the_folders_of_uploads(tmp_path: Path) -> None:
    types = [{"token": "map", "label": "Map"}]
    rows = [{"model": "uriresolve.name_authority", "pk": 1, "fields": {"name": "azgs"}}]
    rows += [{"model": "uriresolve.resource_type", "pk": 1, "fields": each} for each in types]
    (tmp_path / "all.json").write_text(json.dumps(rows), encoding="utf-8")

    arguments = ["import", "uriresolve", str(tmp_path / "all.json"), "--to", str(tmp_path / "uploads")]
    result = CliRunner().invoke(main, arguments, prog_name="ginuri")

    assert result.stdout == "2 of 2 entries imported (100 %), 0 refused\n"
    written = {
        str(file.relative_to(tmp_path / "uploads")): json.loads(file.read_text(encoding="utf-8"))["record"]
        for file in (tmp_path / "uploads").rglob("*.jsonl")
    }
    assert written == {
        "_host/uriresolve.jsonl": "authority",
        "uri-gin/azgs/uriresolve.jsonl": "resource-type",
    }


def test_a_folder_without_such_files_is_an_error(tmp_path: Path) -> None:
    result = _run(tmp_path)

    assert result.exit_code == 2
    assert f"{tmp_path} has no files named *.yml." in result.stderr


def test_the_configuration_of_a_server_is_imported_in_its_context(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("Redirect 301 /a https://b.example/a\n")
    arguments = ["import", "apache", str(tmp_path), "--host", "a.example"]

    folder = CliRunner().invoke(main, arguments)
    server = CliRunner().invoke(main, [*arguments, "--context", "server"])

    assert folder.exit_code == 2
    assert json.loads(server.stdout.splitlines()[0])["identifier"] == "http://a.example/a"
