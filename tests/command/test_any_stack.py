"""Commands on stacks outside AWS, the fakes, a registry folder and a service: the port has all they need."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner, Result

from ginuri.cli.folder_stack import FolderStack, open_folder
from ginuri.cli.main import main
from ginuri.cli.ports import Stack
from ginuri.cli.service_stack import ServiceStack
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.memory import MemoryRegistry
from tests.api_over_http import service_stack
from tests.api_service import ApiService
from tests.stacks import MemoryStack, give_up, settle_folder
from tests.steward import settled

DOC = "uri-gin/azgs/doc/a"
ROWS = f"identifier,title,location\n{DOC},A report,https://old.example/a.pdf\nuri-gin/usgin/b,B,\n"
Run = Callable[..., Result]


@pytest.fixture(scope="module")
def settled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a registry folder whose authority is registered."""
    folder = tmp_path_factory.mktemp("settled")
    settle_folder(folder)
    return folder


@pytest.fixture(params=["memory", "folder", "service"])
def stack(
    request: pytest.FixtureRequest, settled_folder: Path, tmp_path: Path
) -> Iterator[MemoryStack | FolderStack | ServiceStack]:
    if request.param == "memory":
        yield MemoryStack(settled())
        return
    if request.param == "service":
        with service_stack(ApiService()) as service:
            yield service
        return
    shutil.copytree(settled_folder, tmp_path / "registry")
    with open_folder(tmp_path / "registry") as folder:
        yield folder


@pytest.fixture
def run(stack: Stack) -> Run:
    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments, obj=lambda _: stack, prog_name="ginuri")

    return invoke


@pytest.fixture
def upload(run: Run, tmp_path: Path) -> str:
    """The name of an upload with one good row and one refused row."""
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    result = run("upload", str(tmp_path / "rows.csv"), "--under", "uri-gin/azgs/", "--json")
    assert result.exit_code == 1, result.output
    return f"uri-gin/azgs/rows.csv#{json.loads(result.stdout)['upload']['version']}"


def test_an_upload_to_any_stack_is_listed_and_reported(run: Run, stack: Stack, upload: str) -> None:
    listed, reported = run("uploads", "--last", "1", "--json"), run("report", upload)

    assert "#".join(json.loads(listed.stdout)[each] for each in ("key", "version")) == upload
    assert reported.exit_code == 1
    assert reported.stdout.startswith(f"uri-gin/azgs/rows.csv → {stack.name}: ")
    assert f"to undo it: ginuri rollback '{upload}'{stack.option}" in reported.stdout


def test_a_file_whose_name_is_not_utf_8_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"w\xffll.csv")
    file.write_text(ROWS, encoding="utf-8")

    result = run("upload", str(file), "--under", "uri-gin/azgs/", "--json")

    assert result.exit_code == 2
    assert "uri-gin/azgs/w?ll.csv is not UTF-8. Rename it" in result.stderr


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
def test_locations_in_any_stack_are_moved_and_restored(run: Run, stack: Stack) -> None:
    moved = run("relocate", "--from", "https://old.example", "--to", "https://new.example", "--yes", "--json")
    location = json.dumps(dict(stack.archive.standing(DOC)))
    undone = run(
        "rollback", "{key}#{version}".format(**json.loads(moved.stdout)["reports"][0]["upload"]), "--yes"
    )

    assert (moved.exit_code, undone.exit_code) == (0, 0), moved.output + undone.output
    assert "https://new.example/a.pdf" in location
    assert "https://old.example/a.pdf" in json.dumps(dict(stack.archive.standing(DOC)))


def test_a_stored_file_goes_into_any_stack_and_out_again(run: Run, tmp_path: Path) -> None:
    (tmp_path / "map.pdf").write_bytes(b"%PDF")

    stored = run("upload", str(tmp_path / "map.pdf"), "--as", "uri-gin/azgs/doc/map.pdf", "--yes")
    exported = run("export", "--under", "uri-gin/azgs/", "--to", str(tmp_path / "all"), "--files")

    assert (stored.exit_code, exported.exit_code) == (0, 0), stored.output + exported.output
    assert [path.read_bytes() for path in (tmp_path / "all").rglob("*.pdf")] == [b"%PDF"]


def test_parts_for_operators_are_refused_over_http() -> None:
    with service_stack(ApiService()) as stack:
        for arguments in (["hosts"], ["redrive", "--dry-run"], ["replay", "--since", "2027-01-01"]):
            result = CliRunner().invoke(main, arguments, obj=lambda _: stack, prog_name="ginuri")

            assert result.exit_code == 2, result.output
            assert f"{stack.service} gives " in result.stderr
            assert "to operators only. Name the stack with --stack" in result.stderr
        with pytest.raises(ClickException, match="gives the whole registry to operators only"):
            _ = stack.whole


@pytest.mark.parametrize("stack", ["memory", "folder"], indirect=True)
def test_hosts_of_any_stack_are_listed(run: Run, stack: Stack, tmp_path: Path) -> None:
    (tmp_path / "h.jsonl").write_text('{"record": "host", "identifier": "http://maps.example/"}\n')
    assert run("upload", str(tmp_path / "h.jsonl"), "--under", "_host/", "--yes").exit_code == 0

    result = run("hosts", "--json")

    [host] = json.loads(result.stdout)["hosts"]
    assert (host["host"], host["served"]) == ("maps.example", stack.served_hosts is None)
    assert result.exit_code == (0 if host["served"] else 1)


@pytest.mark.parametrize("stack", ["memory", "folder"], indirect=True)
def test_dead_letters_of_any_stack_are_moved(run: Run, stack: MemoryStack | FolderStack) -> None:
    letter = json.dumps({"upload": {"key": "uri-gin/azgs/rows.csv", "version": "v9"}})
    give_up(stack, letter)

    assert run("redrive", "--dry-run").stdout.splitlines()[0] == "uri-gin/azgs/rows.csv  (version v9)"
    assert run("redrive").stdout.splitlines()[0] == "uri-gin/azgs/rows.csv  (version v9)"
    assert not list(stack.dead_letters.bodies())


def test_a_failure_of_any_stack_is_explained_by_the_stack() -> None:
    class Away(MemoryRegistry):
        def standing(
            self,
            prefix: str,
            *,
            with_grants: bool = False,  # noqa: ARG002  it is away
        ) -> Iterator[tuple[str, Mapping[str, object]]]:
            raise RegistryUnavailable(f"none under {prefix}")

    stack = MemoryStack(settled())
    stack.steward.memory = Away()

    result = CliRunner().invoke(
        main, ["export", "--under", "uri-gin/azgs/"], obj=lambda _: stack, prog_name="ginuri"
    )

    assert result.exit_code == 2
    assert (
        result.stderr
        == "Error: The registry cannot be read: The registry did not answer: none under uri-gin/azgs/\n"
    )


def test_a_folder_is_applied_to_any_stack_once(run: Run, stack: Stack, tmp_path: Path) -> None:
    files = tmp_path / "files/uri-gin/azgs"
    files.mkdir(parents=True)
    row = {"identifier": DOC, "title": "A", "representations": [{"part": ".pdf", "file": "a.pdf"}]}
    (files / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (files / "a.pdf").write_bytes(b"%PDF")

    applied, again = (run("apply", str(tmp_path / "files"), "--json") for _ in range(2))

    assert (applied.exit_code, json.loads(again.stdout)["is_empty"]) == (0, True), applied.output
    assert dict(stack.archive.standing(DOC))[DOC]["title"] == {"": "A"}
