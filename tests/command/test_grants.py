"""The commands show, export, compare, undo and apply grants like every registration."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from tests.stacks import MemoryStack
from tests.steward import line, settled

AZGS, DOC = "uri-gin/azgs/", "uri-gin/azgs/doc/"
JANE, JOE = "mailto:jane@example.org", "mailto:joe@example.org"
KEY = f"{AZGS}grants.jsonl"
OLD, NEW = "https://old.example/", "https://new.example/"
Run = Callable[..., Result]


def _grant(prefix: str, to: str, *may: str, **further: Any) -> str:
    stated = {"record": "grant", "identifier": prefix, "to": to, "may": list(may) or None}
    return json.dumps({**stated, **further}) + "\n"


@pytest.fixture
def stack() -> MemoryStack:
    """A stack with a grant that was changed."""
    stack = MemoryStack(settled())
    stack.steward.upload(KEY, _grant(AZGS, JANE, "read", valid_until="2027-12-31"))
    stack.steward.upload(KEY, _grant(AZGS, JANE, "register") + _grant(DOC, JOE, "read"))
    return stack


@pytest.fixture
def run(stack: MemoryStack) -> Run:
    def invoke(*arguments: str, exits: int = 0) -> Result:
        result = CliRunner().invoke(main, arguments, obj=lambda _: stack, prog_name="ginuri")
        assert result.exit_code == exits, result.output
        return result

    return invoke


def test_the_history_of_a_prefix_shows_its_grants(run: Run) -> None:
    changes = json.loads(run("history", AZGS, "--json").stdout)["changes"]

    assert [each["field"] for change in changes[1:] for each in change["fields"]] == [["grants", JANE]] * 2
    assert changes[-1]["fields"][0]["to"] == {"may": ["register"]}
    assert f"grants.{JANE}" in run("history", AZGS).stdout


def test_the_grants_of_a_day_are_shown_for_an_unregistered_prefix(run: Run, stack: MemoryStack) -> None:
    stack.steward.upload(KEY, _grant(f"{AZGS}new/", JOE, "read"))

    shown = json.loads(run("history", f"{AZGS}new/", "--at", "2011-08-25", "--json").stdout)

    assert shown["record"] == {"grants": {JOE: {"may": ["read"]}}}


def test_an_export_contains_the_grants_under_its_prefix(run: Run) -> None:
    lines = [json.loads(each) for each in run("export", "--under", AZGS).stdout.splitlines()]

    assert [each for each in lines if each.get("record") == "grant"] == [
        {"record": "grant", "identifier": AZGS, "may": ["register"], "to": JANE},
        {"record": "grant", "identifier": DOC, "may": ["read"], "to": JOE},
    ]
    assert run("export", "--under", AZGS, "--history").stdout.count('["grants", ') == 3


def test_exported_tables_of_grants_register_the_same_grants(
    run: Run, stack: MemoryStack, tmp_path: Path
) -> None:
    stack.steward.upload(KEY, _grant(DOC, JANE, "read", "retire", valid_until="2027-12-31"))

    run("export", "--to", str(tmp_path / "out"), "--csv")
    table = (tmp_path / "out" / AZGS / "export.csv").read_text(encoding="utf-8")

    assert f"grant,{DOC},,{JANE},read retire,2027-12-31\n" in table
    assert stack.steward.upload(f"{AZGS}export.csv", table).counts == {"unchanged": 4}


def test_exports_are_compared_grant_by_grant(run: Run, tmp_path: Path) -> None:
    for name, may in (("a", "read"), ("b", "retire")):
        (tmp_path / name).write_text(_grant(AZGS, JANE, may) + _grant(AZGS, JOE, "read"), encoding="utf-8")

    shown = run("diff", str(tmp_path / "a"), str(tmp_path / "b"), exits=1).stdout

    assert shown.splitlines()[0] == f"~ {AZGS} (grant {JANE})"
    assert "may" in shown
    assert JOE not in shown


def test_a_rollback_restores_the_former_grants(run: Run, stack: MemoryStack) -> None:
    run("rollback", f"{KEY}#v4", "--yes")

    values = {
        name: values for name, values in stack.archive.standing(AZGS, with_grants=True) if "grants" in values
    }
    assert values == {AZGS: {"grants": {JANE: {"may": ["read"], "valid_until": "2027-12-31"}}}}


def test_a_folder_of_grants_is_applied_once(run: Run, stack: MemoryStack, tmp_path: Path) -> None:
    file = tmp_path / KEY
    file.parent.mkdir(parents=True)
    file.write_text(_grant(AZGS, JANE, "read") + _grant(DOC, JOE, "read"), encoding="utf-8")

    first = json.loads(run("apply", str(tmp_path), "--json").stdout)
    second = json.loads(run("apply", str(tmp_path), "--json").stdout)

    assert [each["is_pending"] for each in first["files"]] == [True]
    assert (first["reports"][0]["grants"], first["contradictions"]) == ({"changed": 1, "unchanged": 1}, [])
    assert second["is_empty"]
    assert stack.steward.values("grants uri-gin/azgs/") == {"grants": {JANE: {"may": ["read"]}}}


def test_a_grant_does_not_keep_its_prefix_from_an_applied_snapshot(
    run: Run, stack: MemoryStack, tmp_path: Path
) -> None:
    stack.steward.upload(f"{AZGS}docs.jsonl", line(f"{DOC}a/") + line(f"{DOC}b/"))
    file = tmp_path / f"{AZGS}docs.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(line(f"{DOC}a/") + _grant(f"{DOC}b/", JOE, "read"), encoding="utf-8")

    run("apply", str(tmp_path), "--snapshot", DOC, "--many", "--yes")

    assert (stack.steward.values(f"{DOC}b/") or {})["status"] == "retired"


def test_locations_move_beside_grants(run: Run, stack: MemoryStack) -> None:
    stack.steward.upload(f"{AZGS}docs.jsonl", line(f"{DOC}a", location=f"{OLD}a"))

    shown = run("relocate", "--from", OLD, "--to", NEW, "--under", AZGS, "--yes").stdout

    assert "1 changed" in shown
