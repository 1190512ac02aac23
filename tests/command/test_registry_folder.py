"""Commands on a registry folder: how it is named, and who processes its uploads."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing
from getpass import getuser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.folder_stack import open_folder
from ginuri.cli.main import main
from ginuri.files.reports.report import report_key
from ginuri.sqlite.database import FILE, Database
from ginuri.sqlite.lock import IngestLock
from ginuri.sqlite.settings import ADDRESS, REPORTS_ADDRESS, Settings
from tests.stacks import give_up_all, settle_folder

ROWS = "identifier,title\nuri-gin/azgs/doc/a,A report\n"
KEY = "uri-gin/azgs/rows.csv"
WITHOUT_BOTO3 = """
import sys
sys.modules["boto3"] = sys.modules["botocore"] = None
from ginuri.cli.folder_stack import open_folder
from ginuri.cli.main import main
from ginuri.files.reports.report import report_key
main()
"""


@pytest.fixture(scope="module")
def settled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("settled")
    settle_folder(folder)
    return folder


@pytest.fixture
def registry(settled_folder: Path, tmp_path: Path) -> Path:
    """A registry folder whose authority is registered, beside a file to upload."""
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    return Path(shutil.copytree(settled_folder, tmp_path / "registry"))


@pytest.fixture
def lock(registry: Path) -> Iterator[IngestLock]:
    """The lock of a server that runs."""
    with IngestLock(registry) as lock:
        assert lock.acquire()
        yield lock


def run(*arguments: str, **variables: str) -> Result:
    environment = {"GINURI_STACK": "", "GINURI_REGISTRY": "", "LANGUAGE": "en", **variables}
    return CliRunner().invoke(main, arguments, env=environment, prog_name="ginuri")


def upload(registry: Path, *options: str) -> Result:
    file = str(registry.parent / "rows.csv")
    return run("upload", file, "--under", "uri-gin/azgs/", "--registry", str(registry), *options)


def set_addresses(registry: Path, addresses: Mapping[str, str]) -> None:
    with closing(Database(registry)) as database:
        for name, address in addresses.items():
            Settings(database).set(name, address)


def test_a_folder_without_a_registry_is_refused_and_stays_empty(tmp_path: Path) -> None:
    for name in (".", "typo"):
        result = run("uploads", "--registry", str(tmp_path / name))

        assert result.exit_code == 2
        assert f"is no registry: it has no {FILE}." in result.stderr
        assert "`ginuri serve " in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_stack_and_a_folder_at_once_are_refused(registry: Path) -> None:
    result = run("uploads", GINURI_STACK="production", GINURI_REGISTRY=str(registry))

    assert result.exit_code == 2
    assert result.stderr == (
        f"Error: The stack production and the registry folder {registry} are both named. Leave out one: "
        "--stack and GINURI_STACK, or --registry and GINURI_REGISTRY.\n"
    )


def test_a_damaged_registry_is_named(registry: Path) -> None:
    (registry / FILE).write_bytes(b"no database" * 1_000)

    result = run("uploads", "--registry", str(registry))

    assert (result.exit_code, result.exception.__class__) == (2, SystemExit)
    assert result.stderr.startswith(f"Error: The registry {registry} cannot be opened: ")


def test_an_upload_to_a_folder_needs_neither_a_server_nor_boto3(registry: Path) -> None:
    ran = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", WITHOUT_BOTO3, "upload", "rows.csv", "--under", "uri-gin/azgs/", "--yes"],
        env={"GINURI_REGISTRY": "registry"},
        cwd=registry.parent,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"{KEY} → the registry registry: 1 identifier in 1 row: 1 registered\n")


def test_a_report_in_a_folder_is_read_by_the_printed_command(registry: Path) -> None:
    uploaded = upload(registry, "--yes").stdout
    printed = dict(line.split(": ", 1) for line in uploaded.splitlines()[-2:])

    read = run(*shlex.split(printed["to read"])[1:])
    undone = run(*shlex.split(printed["to undo it"])[1:], "--yes")

    assert read.stdout == f"{uploaded}  by local:{getuser()}\n"
    assert "1 changed" in undone.stdout


def test_refused_rows_in_a_folder_are_read_by_the_printed_command(registry: Path) -> None:
    (registry.parent / "rows.csv").write_text("identifier,title\nuri-gin/usgin/b,B\n", encoding="utf-8")
    lines = upload(registry, "--yes").stdout.splitlines()
    command = next(line for line in lines if line.startswith("to correct")).partition(": ")[2]

    output = registry.parent / "refused.csv"
    *words, _ = shlex.split(command)

    assert run(*words[1:], str(output)).exit_code == 0
    assert output.read_text(encoding="utf-8").splitlines()[1] == "uri-gin/usgin/b,B"


@pytest.mark.usefixtures("lock")
def test_a_report_has_the_address_of_a_server_that_runs(registry: Path, lock: IngestLock) -> None:
    set_addresses(registry, {REPORTS_ADDRESS: "http://127.0.0.1:8001/reports/"})
    threading.Timer(0.3, lock.release).start()
    uploaded = upload(registry, "--yes", "--json")
    version = json.loads(uploaded.stdout)["upload"]["version"]

    assert lock.acquire(5)
    listed = json.loads(run("uploads", "--last", "1", "--json", "--registry", str(registry)).stdout)
    lock.release()
    stopped = json.loads(run("uploads", "--last", "1", "--json", "--registry", str(registry)).stdout)

    assert listed["report"] == f"http://127.0.0.1:8001/reports/{KEY}/{version}.json"
    assert stopped["report"] == f"ginuri report '{KEY}#{version}' --registry {registry} --json"


def test_an_upload_is_left_to_a_server_that_runs(registry: Path, lock: IngestLock) -> None:
    result = upload(registry, "--yes", "--wait", "1")

    assert result.exit_code == 2
    assert f"There is no report on {KEY} after 1 s." in result.stderr
    lock.release()
    [waiting] = run("uploads", "--last", "1", "--json", "--registry", str(registry)).stdout.splitlines()
    assert json.loads(waiting)["state"] == "waiting"


def test_an_upload_is_finished_when_the_server_ends_meanwhile(registry: Path, lock: IngestLock) -> None:
    ends = threading.Timer(0.5, lock.release)
    ends.start()

    result = upload(registry, "--yes")
    ends.join()

    assert result.exit_code == 0, result.output
    assert "1 registered" in result.stdout


def test_redriven_messages_of_a_folder_are_processed_at_once(registry: Path, lock: IngestLock) -> None:
    assert upload(registry, "--yes", "--wait", "0").exit_code == 2
    give_up_all(registry)
    lock.release()

    redriven = run("redrive", "--registry", str(registry))

    assert redriven.stdout.splitlines()[0].startswith(f"{KEY}  (version ")
    assert run("report", KEY, "--registry", str(registry)).exit_code == 0


def test_the_service_of_a_folder_is_the_server_that_runs(registry: Path, lock: IngestLock) -> None:
    set_addresses(registry, {ADDRESS: "http://127.0.0.1:1"})
    (registry.parent / "names.txt").write_text("http://127.0.0.1:1/uri-gin/azgs/doc/a\n", encoding="utf-8")
    verify = ("verify", str(registry.parent / "names.txt"), "--against", "http://127.0.0.1:1")

    asked = run(*verify, "--registry", str(registry))
    lock.release()
    refused = run(*verify, "--registry", str(registry))

    assert asked.exit_code == 1  # nothing answers at either address
    assert refused.exit_code == 2
    assert f"Start it with `ginuri serve {registry}`" in refused.stderr


def test_no_upload_is_begun_after_the_time_to_work(registry: Path) -> None:
    with open_folder(registry) as stack:
        report = report_key(KEY, stack.put(KEY, ROWS.encode(), {}))

        stack.work(0)
        assert stack.report(report) is None

        stack.work(60)
        assert stack.report(report) is not None


def test_redrive_finishes_an_upload_that_was_interrupted(registry: Path, lock: IngestLock) -> None:
    assert upload(registry, "--yes", "--wait", "0").exit_code == 2
    lock.release()

    redriven = run("redrive", "--registry", str(registry))

    assert redriven.stdout == "The dead-letter queue is empty.\n"
    assert run("report", KEY, "--registry", str(registry)).exit_code == 0


def test_the_printed_command_undoes_a_change_of_a_folder(registry: Path) -> None:
    place = ("--registry", str(registry))
    (registry.parent / "rows.csv").write_text(
        "identifier,title,location\nuri-gin/azgs/doc/a,A,https://old.example/a\n", encoding="utf-8"
    )
    assert upload(registry, "--yes").exit_code == 0
    moved = run("relocate", "--from", "https://old.example", "--to", "https://new.example", "--yes", *place)
    printed = moved.stdout.splitlines()[-1].removeprefix("to undo it: ")

    undone = run(*shlex.split(printed)[1:], "--yes")

    assert undone.exit_code == 0, undone.output
    assert "https://old.example/a" in run("export", "--under", "uri-gin/azgs/", *place).stdout
