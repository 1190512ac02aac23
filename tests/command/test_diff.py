"""`ginuri diff`: how two exports differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from tests.steward import line


def _diff(folder: Path, before: str, after: str, *options: str) -> Result:
    for name, text in (("a.jsonl", before), ("b.jsonl", after)):
        (folder / name).write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["diff", str(folder / "a.jsonl"), str(folder / "b.jsonl"), *options])


A, B = line("uri-gin/azgs/doc/a"), line("uri-gin/azgs/doc/b")
RULE = line("uri-gin/azgs/doc/a", record="rule", pattern="{id}", status_code=410)


def test_two_exports_that_differ_only_in_order_are_the_same(tmp_path: Path) -> None:
    result = _diff(tmp_path, A + RULE + B, B + A + RULE)

    assert (result.exit_code, result.output) == (0, "")


def test_diff_lists_records_of_one_export_only(tmp_path: Path) -> None:
    result = _diff(tmp_path, A + B, B + RULE)

    assert result.exit_code == 1
    assert result.stdout.splitlines() == ["- uri-gin/azgs/doc/a", "+ uri-gin/azgs/doc/a (rule {id})"]


def _form(**fields: Any) -> dict[str, Any]:
    return {"media_type": "text/html", "location": "https://a.example/1", **fields}


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"title": "A"}, {"title": {"": "A", "de": "Ä"}}, ["title.de: — → Ä"]),
        ({"title": "A"}, {"title": "B"}, ["title: A → B"]),
        ({"properties": {"county": "x"}}, {"properties": {"county": "y"}}, ["properties.county: x → y"]),
        (
            {"representations": [_form()]},
            {"representations": [_form(location="https://a.example/2")]},
            ["representations.text/html.location: https://a.example/1 → https://a.example/2"],
        ),
        (
            {"representations": [_form(), _form(part=".a")]},
            {"representations": [_form(part=".a"), _form()]},
            ['representations: ["text/html", ".a"] → [".a", "text/html"]'],
        ),
        ({"status": "valid"}, {"status": None}, ["status: valid → —"]),
    ],
)
def test_diff_shows_each_changed_field(
    tmp_path: Path, before: dict[str, Any], after: dict[str, Any], told: list[str]
) -> None:
    name = "uri-gin/azgs/doc/a"

    result = _diff(tmp_path, line(name, **before), line(name, **after))

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [f"~ {name}", *(f"    {each}" for each in told)]


def test_diff_prints_json(tmp_path: Path) -> None:
    result = _diff(tmp_path, A, line("uri-gin/azgs/doc/a", title="B"), "--json")

    assert json.loads(result.stdout) == {
        "difference": "~",
        "identifier": "uri-gin/azgs/doc/a",
        "record": None,
        "pattern": None,
        "fields": [{"field": ["title", ""], "from": "Well", "to": "B"}],
    }


def test_diff_compares_invalid_lines_as_they_are(tmp_path: Path) -> None:
    odd = '{"identifier": [7], "record": "rule", "pattern": 7, "representations": [1], "title": 3}\n'

    assert _diff(tmp_path, odd, odd).exit_code == 0
    assert _diff(tmp_path, A, odd).exit_code == 1


@pytest.mark.parametrize("text", ["x\n", "[]\n", '{"title": "A"}\n', "7\n", A + A])
def test_a_file_that_is_no_export_exits_with_2(tmp_path: Path, text: str) -> None:
    result = _diff(tmp_path, A, text)

    assert result.exit_code == 2
    assert "b.jsonl, line " in result.stderr
