"""Commands on a stack that is not in AWS: the port has all that they need."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.cli.ports import Stack
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.memory import MemoryRegistry
from tests.stacks import MemoryStack
from tests.steward import settled

DOC = "uri-gin/azgs/doc/a"
ROWS = f"identifier,title,location\n{DOC},A report,https://old.example/a.pdf\nuri-gin/usgin/b,B,\n"
Run = Callable[..., Result]


@pytest.fixture
def stack() -> MemoryStack:
    return MemoryStack(settled())


@pytest.fixture
def run(stack: MemoryStack) -> Run:
    found: Stack = stack

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments, obj=lambda _: found, prog_name="ginuri")

    return invoke


@pytest.fixture
def upload(run: Run, tmp_path: Path) -> str:
    """The name of an upload with one good row and one refused row."""
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    result = run("upload", str(tmp_path / "rows.csv"), "--under", "uri-gin/azgs/", "--json")
    assert result.exit_code == 1, result.output
    return f"uri-gin/azgs/rows.csv#{json.loads(result.stdout)['upload']['version']}"


def test_an_upload_to_any_stack_is_listed_and_reported(run: Run, upload: str) -> None:
    listed, reported = run("uploads", "--last", "1", "--json"), run("report", upload)

    assert "#".join(json.loads(listed.stdout)[each] for each in ("key", "version")) == upload
    assert (reported.exit_code, reported.stdout.partition(":")[0]) == (
        1,
        "uri-gin/azgs/rows.csv → the memory",
    )
    assert f"report: memory:{upload.replace('#', '/')}.json" in reported.stdout


def test_refused_rows_of_any_stack_are_fetched(run: Run, upload: str) -> None:
    assert run("refused", upload).stdout.splitlines()[1] == "uri-gin/usgin/b,B,"


def test_the_registry_of_any_stack_is_exported_with_its_history(
    run: Run, upload: str, tmp_path: Path
) -> None:
    exported = run("export", "--to", str(tmp_path / "all"), "--files")
    history = json.loads(run("history", DOC, "--json").stdout)

    assert exported.exit_code == 0, exported.output
    assert DOC in (tmp_path / "all/uri-gin/azgs/export.jsonl").read_text()
    assert [f"{change['upload']}#{change['version']}" for change in history["changes"]] == [upload]
    assert DOC in run("export", "--history", "--under", "uri-gin/azgs/").stdout


@pytest.mark.usefixtures("upload")
def test_locations_in_any_stack_are_moved_and_restored(run: Run, stack: MemoryStack) -> None:
    moved = run("relocate", "--from", "https://old.example", "--to", "https://new.example", "--yes", "--json")
    location = json.dumps(stack.steward.values(DOC))
    undone = run(
        "rollback", "{key}#{version}".format(**json.loads(moved.stdout)["reports"][0]["upload"]), "--yes"
    )

    assert (moved.exit_code, undone.exit_code) == (0, 0), moved.output + undone.output
    assert "https://new.example/a.pdf" in location
    assert "https://old.example/a.pdf" in json.dumps(stack.steward.values(DOC))


def test_a_stored_file_goes_into_any_stack_and_out_again(run: Run, tmp_path: Path) -> None:
    (tmp_path / "map.pdf").write_bytes(b"%PDF")

    stored = run("upload", str(tmp_path / "map.pdf"), "--as", "uri-gin/azgs/doc/map.pdf", "--yes")
    exported = run("export", "--under", "uri-gin/azgs/", "--to", str(tmp_path / "all"), "--files")

    assert (stored.exit_code, exported.exit_code) == (0, 0), stored.output + exported.output
    assert [path.read_bytes() for path in (tmp_path / "all").rglob("*.pdf")] == [b"%PDF"]


def test_hosts_and_dead_letters_of_any_stack_are_listed(run: Run, stack: MemoryStack) -> None:
    stack.steward.upload("_host/h.jsonl", '{"record": "host", "identifier": "http://maps.example/"}\n')
    stack.waiting.append(json.dumps({"upload": {"key": "uri-gin/azgs/rows.csv", "version": "v9"}}))

    assert json.loads(run("hosts", "--json").stdout)["host_names"] == ["maps.example"]
    assert run("redrive").stdout.splitlines()[0] == "uri-gin/azgs/rows.csv  (version v9)"
    assert not stack.waiting


def test_a_failure_of_any_stack_is_explained_by_the_stack(run: Run, stack: MemoryStack) -> None:
    class Away(MemoryRegistry):
        def standing(self, prefix: str) -> Iterator[tuple[str, Mapping[str, object]]]:
            raise RegistryUnavailable(f"none under {prefix}")

    stack.steward.memory = Away()

    result = run("export", "--under", "uri-gin/azgs/")

    assert result.exit_code == 2
    assert (
        result.stderr
        == "Error: The registry cannot be read: The registry did not answer: none under uri-gin/azgs/\n"
    )
