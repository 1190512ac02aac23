"""`ginuri export`: what it writes, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.functional.conftest import DOC, Kept


@pytest.fixture
def filled(kept: Kept) -> Kept:
    """Give a table with an authority, two documents and a stored file."""
    file = {"key": "uri-gin/azgs/a.pdf", "version": "v1", "length": 1, "sha256": "ab", "stored": "2011-08-25"}
    kept.state("2011-08-25", "uri-gin/azgs/", record="authority", title={"": "Survey"})
    kept.state("2011-08-25", "uri-gin/azgs/doc/b", title={"": "\u00c4lter"})
    kept.state("2011-08-26", "uri-gin/azgs/doc/b", title={"": "J\u00fcnger"})
    kept.state("2011-08-25", representations=[{"part": ".pdf", "file": file}])
    return kept


LINES = [
    {"identifier": DOC, "representations": [{"part": ".pdf", "file": "a.pdf"}]},
    {"identifier": "uri-gin/azgs/doc/b", "title": "J\u00fcnger"},
]


def test_export_prints_what_stands_in_the_order_of_identifiers(filled: Kept) -> None:
    result = filled.run("export", "--under", "http://resources.usgin.org/uri-gin/azgs")

    assert result.exit_code == 0
    assert [json.loads(line) for line in result.stdout.splitlines()] == LINES
    assert "1 stored files are named, not written" in result.stderr


def test_export_writes_a_file_and_says_how_to_load_it(filled: Kept, tmp_path: Path) -> None:
    file = tmp_path / "azgs.jsonl"

    result = filled.run("export", "--under", "uri-gin/azgs/", "--output", str(file))

    assert (result.exit_code, result.stdout) == (0, "")
    assert [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] == LINES
    assert f"2 lines; load them: ginuri upload {file} --under uri-gin/azgs/" in result.stderr


def test_what_belongs_to_the_host_is_exported_apart(filled: Kept) -> None:
    result = filled.run("export", "--under", "_host")

    assert result.stdout == '{"record": "authority", "identifier": "uri-gin/azgs/", "title": "Survey"}\n'
    assert result.stderr == ""


def test_a_stored_file_that_a_narrower_prefix_cannot_name_is_told_of(filled: Kept) -> None:
    result = filled.run("export", "--under", "uri-gin/azgs/doc/")

    assert result.exit_code == 0
    assert "not under uri-gin/azgs/doc/ (uri-gin/azgs/a.pdf): export a shorter prefix" in result.stderr


def test_where_nothing_is_registered_there_is_nothing_to_export(filled: Kept) -> None:
    result = filled.run("export", "--under", "uri-gin/usgin/")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "nothing is registered under uri-gin/usgin/" in result.stderr


@pytest.mark.parametrize(
    "arguments", [[], ["--under", "azgs"], ["--under", ""], ["--under", "uri-gin/azgs/", "more"]]
)
def test_an_export_that_is_not_understood_is_neither_yes_nor_no(kept: Kept, arguments: list[str]) -> None:
    assert kept.run("export", *arguments).exit_code == 2
