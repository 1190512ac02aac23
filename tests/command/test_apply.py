"""`ginuri apply` brings a registry to the state of a folder, and shows the plan first."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.cli.ports import Stack
from tests.example_registry import EXAMPLES, upload_examples
from tests.stacks import MemoryStack
from tests.steward import Steward, line, settled

A, B, C = (f"uri-gin/azgs/doc/{name}" for name in "abc")
AZGS = "uri-gin/azgs/"
Run = Callable[..., Result]
Write = Callable[..., None]


@pytest.fixture
def stack() -> MemoryStack:
    return MemoryStack(settled())


@pytest.fixture
def run(stack: MemoryStack, tmp_path: Path) -> Run:
    return runner(stack, tmp_path)


def runner(stack: MemoryStack, folder: Path) -> Run:
    found: Stack = stack

    def invoke(*arguments: str, exits: int = 0) -> Result:
        result = CliRunner().invoke(
            main, ["apply", str(folder), *arguments], obj=lambda _: found, prog_name="ginuri"
        )
        assert result.exit_code == exits, result.output
        return result

    return invoke


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(key: str, content: str) -> None:
        (tmp_path / key).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / key).write_text(content, encoding="utf-8")

    return write_file


def uploads(stack: MemoryStack) -> int:
    return len(stack.steward.files.puts)


def values(stack: MemoryStack, name: str) -> dict[str, Any]:
    return stack.steward.values(name) or {}


def plan(run: Run, *arguments: str, exits: int = 0) -> dict[str, Any]:
    planned: dict[str, Any] = json.loads(run("--plan", "--json", *arguments, exits=exits).stdout)
    return planned


def pending(planned: dict[str, Any]) -> list[str]:
    return [each["key"] for each in planned["files"] if each["is_pending"]]


def test_a_folder_that_was_applied_needs_no_upload(run: Run, write: Write, stack: MemoryStack) -> None:
    write(f"{AZGS}a.csv", f"identifier,title,location\n{A},A,https://x.example/a\n")
    run()
    before = uploads(stack)

    again = run()

    assert values(stack, A)["title"] == {"": "A"}
    assert ("There is nothing to change." in again.stdout, uploads(stack)) == (True, before)


def test_a_plan_shows_fields_before_and_after_and_uploads_nothing(
    run: Run, write: Write, stack: MemoryStack
) -> None:
    stack.steward.upload(f"{AZGS}a.jsonl", line(A, title="Old"))
    write(f"{AZGS}a.jsonl", line(A, title="New") + line(B))
    before = uploads(stack)

    planned = plan(run)

    assert uploads(stack) == before
    report = planned["files"][0]["report"]
    assert (report["counts"]["registered"], report["counts"]["changed"]) == (1, 1)
    assert report["verdicts"][0]["changes"] == [{"field": "title", "before": "Old", "after": "New"}]


def test_a_plan_of_files_that_need_each_other_refuses_nothing(run: Run, write: Write) -> None:
    write("_host/new.jsonl", '{"record": "authority", "identifier": "uri-gin/new/", "title": "New"}\n')
    write(
        "uri-gin/new/alias.jsonl",
        '{"record": "alias", "identifier": "uri-gin/new/z", "stands_for": "uri-gin/new/x"}\n',
    )
    write("uri-gin/new/things.jsonl", line("uri-gin/new/x", location="https://x.example/"))

    planned = plan(run)

    assert (planned["refused"], len(pending(planned))) == (0, 3)


def test_a_refused_row_applies_nothing_and_names_its_line(run: Run, write: Write, stack: MemoryStack) -> None:
    write(f"{AZGS}a.jsonl", line(A) + line("uri-gin/usgin/b"))

    result = run(exits=1)

    assert "line 2, column identifier: refused" in result.stdout
    assert "Nothing was applied." in result.stdout
    assert values(stack, A) == {}


def test_partly_applies_the_rows_that_are_not_refused(run: Run, write: Write, stack: MemoryStack) -> None:
    write(f"{AZGS}a.jsonl", line(A) + line("uri-gin/usgin/b"))

    run("--partly", exits=1)

    assert values(stack, A)["title"] == {"": "Well"}


def test_an_identifier_in_no_file_is_kept_without_a_snapshot(
    run: Run, write: Write, stack: MemoryStack
) -> None:
    stack.steward.upload(f"{AZGS}old.jsonl", line(C))
    write(f"{AZGS}a.jsonl", line(A))

    run()

    assert "status" not in values(stack, C)


def test_a_snapshot_retires_what_no_file_under_its_prefix_names(
    run: Run, write: Write, stack: MemoryStack
) -> None:
    stack.steward.upload(f"{AZGS}old.jsonl", line(A) + line(B) + line(C))
    types = '{"record": "resource-type", "identifier": "uri-gin/azgs/doc/", "title": "Document"}\n'
    for key, content in (("1.jsonl", types), ("a.jsonl", line(A)), ("deeper/b.jsonl", "")):
        write(f"{AZGS}{key}", content or line(B).replace("doc/b", "deeper/b"))
    write(f"{AZGS}b.jsonl", line(B))

    run("--snapshot", AZGS)
    again = run("--snapshot", AZGS)

    assert [values(stack, name).get("status") for name in (A, B, C)] == [None, None, "retired"]
    assert values(stack, C)["reason"].startswith("Not listed in the snapshot of uri-gin/azgs/ of ")
    assert "There is nothing to change." in again.stdout


def test_a_snapshot_retires_aliases_and_rules_by_their_record(
    run: Run, write: Write, stack: MemoryStack
) -> None:
    rule = {"record": "rule", "identifier": "uri-gin/azgs/p/", "location": "https://x.example/{+rest}"}
    alias = {"record": "alias", "identifier": "uri-gin/azgs/l", "stands_for": A}
    stack.steward.upload(f"{AZGS}old.jsonl", line(A) + json.dumps(alias) + "\n" + json.dumps(rule) + "\n")
    types = {"record": "resource-type", "identifier": "uri-gin/azgs/doc/", "title": "Document"}
    write(f"{AZGS}a.jsonl", line(A) + json.dumps(types) + "\n")

    run("--snapshot", AZGS)

    assert values(stack, "uri-gin/azgs/l")["status"] == "retired"
    assert "rules" not in values(stack, "uri-gin/azgs/p/")


def test_a_snapshot_retires_nothing_while_rows_are_refused(
    run: Run, write: Write, stack: MemoryStack
) -> None:
    stack.steward.upload(f"{AZGS}old.jsonl", line(C))
    write(f"{AZGS}a.jsonl", line(A) + line("uri-gin/azgs//c"))

    result = run("--snapshot", AZGS, "--partly", exits=1)

    assert "Nothing is retired under uri-gin/azgs/" in result.stdout
    assert "status" not in values(stack, C)


def test_a_plan_that_changes_over_a_tenth_of_a_folder_needs_many(
    run: Run, write: Write, stack: MemoryStack
) -> None:
    names = [f"uri-gin/azgs/doc/{number}" for number in range(20)]
    stack.steward.upload(f"{AZGS}old.jsonl", "".join(map(line, names)))
    write(f"{AZGS}a.jsonl", "".join(line(name, title="New") for name in names))

    refused = run(exits=1)
    run("--many")

    assert "--many" in refused.stdout
    assert {values(stack, name)["title"][""] for name in names} == {"New"}


def test_a_file_with_a_failing_test_is_refused_if_tests_are_strict(
    run: Run, write: Write, stack: MemoryStack
) -> None:
    row = line(A, location="https://x.example/a", tests=[{"status": 404}])
    write(f"{AZGS}a.jsonl", row)

    assert plan(run)["files"][0]["report"]["tests"]["failed"] == 1
    refused = run("--strict-tests", exits=1).output
    assert "1 test that this upload affects fails" in refused
    assert "expected 404; the answer is 302 → https://x.example/a" in refused
    write("ginuri.toml", f'["{AZGS}a.jsonl"]\nstrict-tests = true\n')
    run(exits=1)
    assert values(stack, A) == {}


def test_a_named_file_is_stored_first_if_its_content_differs(
    run: Run, write: Write, stack: MemoryStack
) -> None:
    row = {"identifier": A, "title": "A", "representations": [{"part": ".pdf", "file": "files/a.pdf"}]}
    write(f"{AZGS}a.jsonl", json.dumps(row) + "\n")
    write(f"{AZGS}files/a.pdf", "one")
    write(f"{AZGS}README.md", "Not named by any registration.")

    stored = plan(run)["stored"]
    run()
    write(f"{AZGS}files/a.pdf", "two")
    planned = plan(run)
    run()

    assert stored == planned["stored"] == [f"{AZGS}files/a.pdf"]
    assert pending(planned) == [f"{AZGS}a.jsonl"]
    assert set(stack.steward.content.files.values()) == {b"one", b"two"}
    assert plan(run)["is_empty"]


def test_contradicting_files_are_named_and_uploaded_once(run: Run, write: Write, stack: MemoryStack) -> None:
    write(f"{AZGS}1.jsonl", line(A, title="First"))
    write(f"{AZGS}2.jsonl", line(A, title="Second"))
    run()

    planned = plan(run)

    assert values(stack, A)["title"] == {"": "Second"}
    assert (planned["is_empty"], planned["contradictions"]) == (
        True,
        [{"identifier": A, "field": "title", "files": [f"{AZGS}1.jsonl", f"{AZGS}2.jsonl"]}],
    )


def test_options_of_a_file_are_in_the_options_file(run: Run, write: Write, stack: MemoryStack) -> None:
    write(f"{AZGS}a.csv", f"name,label\n{A},A\n")
    write("docs/example.csv", "not,a,registration\n")
    write(
        "ginuri.toml",
        f'ignore = ["docs/*"]\n["{AZGS}a.csv"]\nmap = "identifier=name,title=label"\n',
    )

    run("--reason", "commit 1234")

    assert values(stack, A)["title"] == {"": "A"}
    assert {"map": "identifier=name,title=label", "reason": "commit 1234"} in list(
        stack.steward.files.metadata_of.values()
    )


def test_choices_that_an_upload_kept_are_no_options_of_the_folder(run: Run, write: Write) -> None:
    write(f"{AZGS}a.jsonl", line(A))
    write("ginuri.toml", '[upload."wells.xlsx"]\nunder = "uri-gin/azgs/"\n')

    assert "1 registered" in run("--plan").stdout


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ('["uri-gin/azgs/b.csv"]\nmany = true\n', "uri-gin/azgs/b.csv"),
        ('["uri-gin/azgs/a.jsonl"]\nmanny = true\n', "manny"),
        ('["uri-gin/azgs/a.jsonl"]\nmany = "yes"\n', "true or false"),
        ("ignore = 1\n", "ignore"),
        ("ignore", "TOML"),
    ],
)
def test_a_wrong_options_file_is_refused_by_name(run: Run, write: Write, options: str, named: str) -> None:
    write(f"{AZGS}a.jsonl", line(A))
    write("ginuri.toml", options)

    assert named in run(exits=2).stderr


def test_a_folder_without_registration_files_cannot_be_applied(run: Run, write: Write) -> None:
    write("README.md", "nothing")

    assert "no registration files" in run(exits=2).stderr


def test_the_markdown_of_a_plan_has_a_table_and_details(run: Run, write: Write, tmp_path: Path) -> None:
    write(f"{AZGS}a.jsonl", line(A) + line("uri-gin/usgin/b", title="```</details>"))

    run("--plan", "--markdown", str(tmp_path / "plan.md"), exits=1)

    text = (tmp_path / "plan.md").read_text(encoding="utf-8")
    assert "| <code>uri-gin/azgs/a.jsonl</code> | 1 | 0 | 0 | 1 |" in text
    assert "    uri-gin/azgs/a.jsonl: " in text


def test_a_registration_file_that_another_names_is_uploaded_before_it(run: Run, write: Write) -> None:
    row = {"identifier": B, "title": "B", "representations": [{"part": ".csv", "file": "z.csv"}]}
    write(f"{AZGS}a.jsonl", json.dumps(row) + "\n")
    write(f"{AZGS}z.csv", f"identifier,title\n{A},A\n")

    planned = plan(run)
    run()

    assert (pending(planned), planned["stored"]) == ([f"{AZGS}z.csv", f"{AZGS}a.jsonl"], [])
    assert plan(run)["is_empty"]


@pytest.mark.untraced
def test_the_examples_are_applied_once_and_end_as_uploaded() -> None:
    stack, uploaded = MemoryStack(Steward()), upload_examples()
    run = runner(stack, EXAMPLES)

    run("--partly", exits=1)  # one row of the examples is refused

    assert registered(stack.steward) == registered(uploaded)
    assert plan(run, exits=1)["is_empty"]


def registered(steward: Steward) -> dict[str, str]:
    """Return the values of all identifiers, without the versions of stored files."""
    return {
        name: re.sub(r'"version": "v\d+"', "", json.dumps(values, sort_keys=True))
        for name, values in steward.memory.standing("")
    }
