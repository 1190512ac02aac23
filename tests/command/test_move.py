"""`ginuri move` and `ginuri diff --history`: a whole registry to a stack, back, and compared."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from ginuri.sqlite.database import Database
from ginuri.sqlite.lock import IngestLock
from ginuri.sqlite.transfer import SqliteTransfer
from ginuri.transfer.comparison import compare_registries
from infra.local.aws.clients import Account
from tests.aws import new_bucket, new_table
from tests.whole_registries import DOC, FOLDER, FolderSteward, fill

Run = Callable[..., Result]
_KILLS = 6


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that a registry can have."""
    folder = tmp_path_factory.mktemp("registries") / "original"
    with closing(Database(folder)) as database:
        fill(database)
    return folder


@pytest.fixture
def registry(original: Path, tmp_path: Path) -> str:
    """Return a copy of that folder."""
    return str(shutil.copytree(original, tmp_path / "registry"))


@pytest.fixture
def environment(account: Account, tmp_path: Path) -> dict[str, str]:
    """Return the environment with an empty local stack."""
    table = new_table(account.client("dynamodb"))
    buckets = {f"{part}_bucket": f"{part}-{table}" for part in ("uploads", "archive", "content", "reports")}
    for bucket in buckets.values():
        new_bucket(account.client("s3"), bucket)
    queue = account.client("sqs").create_queue(QueueName=table)["QueueUrl"]
    stack = {
        "service": "http://127.0.0.1:8000",
        "endpoint": account.endpoint,
        "region": "us-east-1",
        "access_key": "testing",
        "secret_key": "testing",
        "registry_table": table,
        "ingest_queue": queue,
        **buckets,
    }
    (tmp_path / "stack.json").write_text(json.dumps(stack))
    return {LOCAL_STACK_VARIABLE: str(tmp_path / "stack.json"), "GINURI_STACK": "", "GINURI_REGISTRY": ""}


@pytest.fixture
def run(environment: dict[str, str]) -> Run:
    """Return a function that runs the command."""
    return lambda *arguments: CliRunner().invoke(main, arguments, env=environment, prog_name="ginuri")


def test_a_registry_goes_to_a_stack_and_back(run: Run, registry: str, tmp_path: Path) -> None:
    back = str(tmp_path / "back")

    up, down = run("move", registry, "stack:"), run("move", "stack:", back)
    compared = [run("diff", "--history", registry, other) for other in ("stack:", back)]

    assert [each.exit_code for each in (up, down, *compared)] == [0, 0, 0, 0], up.output + down.output
    assert "records, history and proofs: 20 read, 20 written" in up.stdout
    assert "Set the parameter CanonicalHost of the stack to ids.example, and deploy it again." in up.stdout
    assert f"To compare both registries, run ginuri diff --history {registry} stack:" in up.stdout
    assert [each.stdout for each in compared] == ["", ""]


def test_moved_uploads_are_listed_and_reported_like_others(run: Run, registry: str) -> None:
    run("move", registry, "stack:")

    listed = run("uploads", "--under", FOLDER, "--last", "10", "--json")
    uploads = [json.loads(line) for line in listed.stdout.splitlines()]
    [second] = [upload for upload in uploads if upload["key"].endswith("second.csv")]
    reported = run("report", f"{second['key']}#{second['version']}")
    history = json.loads(run("history", f"{DOC}a", "--json").stdout)

    assert len(uploads) == 6
    assert second["put"].startswith("2011-08-25T17:")  # as it was put, not as it was moved
    assert reported.stdout.startswith(f"{second['key']} →"), reported.output
    assert {change["version"] for change in history["changes"]} == {
        upload["version"] for upload in uploads if upload["key"].endswith(".csv")
    }


def test_differences_are_printed_and_exit_with_one(run: Run, registry: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other")
    run("move", registry, other)
    with closing(Database(Path(other))) as database, database.write() as connection:
        connection.execute("UPDATE record SET body = replace(body, 'A better report', 'A worse one')")

    printed, as_json = (
        run("diff", "--history", registry, other),
        run("diff", "--history", "--json", registry, other),
    )

    assert (printed.exit_code, printed.stdout) == (
        1,
        f"~ record {DOC}a  title: A better report → A worse one\n",
    )
    assert json.loads(as_json.stdout) == {
        "difference": "~",
        "part": "record",
        "name": f"{DOC}a",
        "field": "title",
        "from": "A better report",
        "to": "A worse one",
    }


def test_a_served_registry_is_moved_in_two_passes(run: Run, registry: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other")
    with IngestLock(Path(registry)) as lock:
        assert lock.acquire()
        refused, first = run("move", registry, other), run("move", "--again", registry, other)
    with closing(Database(Path(registry))) as database:
        FolderSteward(database, hours=2).put(f"{FOLDER}third.csv", f"identifier,title\n{DOC}a,Third\n")

    second = run("move", "--again", registry, other)

    assert (refused.exit_code, refused.stderr.partition(". ")[0]) == (2, f"Error: {registry} is being served")
    assert f"copy what has changed since: ginuri move --again {registry} {other}" in first.stdout
    assert "uploads: 8 read, 1 written" in second.stdout
    assert "copy what has changed since" not in second.stdout
    assert run("diff", "--history", registry, other).stdout == ""


def test_a_served_folder_is_no_target(run: Run, registry: str, tmp_path: Path) -> None:
    target = tmp_path / "target"
    Database(target).close()
    with IngestLock(target) as lock:
        assert lock.acquire()
        result = run("move", registry, str(target))

    assert (result.exit_code, result.stderr) == (
        2,
        f"Error: {target} is being served. Stop its server first.\n",
    )


@pytest.mark.parametrize("command", [("move",), ("diff", "--history")])
def test_a_folder_without_a_registry_is_refused(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    result = run(*command, str(tmp_path / "none"), str(tmp_path / "other"))

    assert result.exit_code == 2
    assert "none is no registry: it has no ginuri.sqlite." in result.stderr
    assert not (tmp_path / "none").exists()


@pytest.mark.untraced
def test_a_move_killed_at_random_moments_loses_and_doubles_nothing(registry: str, tmp_path: Path) -> None:
    with closing(Database(Path(registry))) as database:
        rows = "".join(f"{DOC}many/{number},Map {number}\n" for number in range(2_000))
        steward = FolderSteward(database, hours=2)
        steward.put(f"{FOLDER}many.csv", f"identifier,title\n{rows}")
        for number in range(30):
            steward.put(f"{FOLDER}file{number}.pdf", b"%PDF" * number)
    command = [sys.executable, "-m", "ginuri.cli", "move", registry, str(tmp_path / "other")]
    random = Random(26)  # noqa: S311  repeatable by its seed

    for _ in range(_KILLS):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:  # noqa: S603  our own command
            time.sleep(random.uniform(0.4, 1.4))
            process.send_signal(signal.SIGKILL)
    finished = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  our own command

    assert finished.returncode == 0 or "was moved to" in finished.stderr, finished.stderr
    with closing(Database(Path(registry))) as before, closing(Database(tmp_path / "other")) as after:
        assert list(compare_registries(SqliteTransfer(before), SqliteTransfer(after))) == []
