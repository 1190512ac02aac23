"""`ginuri replay`: the table is lost, or restored to an earlier moment, in a stack and on one machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginuri.aws.dynamodb.items import DynamoItems
from ginuri.aws.transfer import AwsParts, AwsTransfer
from ginuri.cli.aws_stack import read_local_stack
from ginuri.cli.folder_stack import open_folder
from ginuri.cli.main import main
from ginuri.cli.replays.aws_replay import AwsReplay
from ginuri.cli.replays.folder_replay import FolderReplay
from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from ginuri.files.reports.report import Upload
from ginuri.files.upload_order import stages
from ginuri.registry.clock import utc_now, write_moment
from ginuri.registry.transfer import Item
from ginuri.replay.ports import ReplayStack
from ginuri.replay.processed_uploads import order_uploads
from ginuri.replay.replay import LIMITS, Replay
from ginuri.server.folder_reports import FolderReports
from ginuri.sqlite.database import Database
from ginuri.sqlite.items import SqliteItems
from ginuri.sqlite.lock import IngestLock
from ginuri.sqlite.transfer import SqliteTransfer
from infra.local.aws.clients import Account
from tests.aws import new_bucket, new_table
from tests.example_registry import EXAMPLES
from tests.whole_registries import API, DOC, FOLDER, FolderSteward, StackSteward, Steward, begin, go_on

_LOCAL = {
    "service": "http://127.0.0.1:8000",
    "region": "us-east-1",
    "access_key": "testing",
    "secret_key": "testing",
}


@dataclass
class Lost:
    """A registry whose table can be lost."""

    steward: Steward
    whole: AwsTransfer | SqliteTransfer
    environment: dict[str, str]
    set_items: Callable[[Sequence[Item]], None]
    replace_report: Callable[[str, bytes], None]
    remove_upload: Callable[[str], None]

    def items(self) -> list[Item]:
        """Return every item of the registry."""
        return list(self.whole.items())

    def stack(self) -> ReplayStack:
        """Return the parts of the stack."""
        if isinstance(self.whole, SqliteTransfer):
            database = Database(Path(self.environment["GINURI_REGISTRY"]))
            return FolderReplay(database, FolderReports(database))
        values = json.loads(Path(self.environment[LOCAL_STACK_VARIABLE]).read_text(encoding="utf-8"))
        return AwsReplay(read_local_stack(values))

    def run(self, *options: str) -> Result:
        """Run the command."""
        return CliRunner().invoke(main, ["replay", *options], env=self.environment, prog_name="ginuri")


@pytest.fixture(params=["stack", "folder"])
def lost(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lost]:
    """Return a registry of each kind that has all kinds of records."""
    if request.param == "folder":
        with closing(Database(tmp_path / "registry")) as database:
            yield _in_folder(database)
    else:
        yield _in_stack(request.getfixturevalue("account"), tmp_path)


def _in_folder(database: Database) -> Lost:
    items = SqliteItems(database)

    def set_items(kept: Sequence[Item]) -> None:
        items.clear()
        items.write(kept)

    steward = FolderSteward(database)
    environment = {"GINURI_STACK": "", "GINURI_REGISTRY": str(database.folder)}

    def remove_upload(key: str) -> None:
        with database.write() as connection:
            connection.execute("DELETE FROM upload WHERE key = ?", [key])

    whole = SqliteTransfer(database)
    return Lost(steward, whole, environment, set_items, steward.uploads.report, remove_upload)


def _in_stack(account: Account, tmp_path: Path) -> Lost:
    dynamodb, s3, sqs = account.client("dynamodb"), account.client("s3"), account.client("sqs")
    table = new_table(dynamodb)
    buckets = {part: f"{part}-{table}" for part in ("uploads", "archive", "content", "reports")}
    for bucket in buckets.values():
        new_bucket(s3, bucket)
    parts = AwsParts(
        "the stack", table, **buckets, queue=sqs.create_queue(QueueName=table)["QueueUrl"], settings={}
    )
    stack = {
        **_LOCAL,
        "endpoint": account.endpoint,
        "registry_table": table,
        "ingest_queue": parts.queue,
        **{f"{part}_bucket": name for part, name in buckets.items()},
    }
    (tmp_path / "stack.json").write_text(json.dumps(stack))
    environment = {
        LOCAL_STACK_VARIABLE: str(tmp_path / "stack.json"),
        "GINURI_STACK": "",
        "GINURI_REGISTRY": "",
    }
    whole = AwsTransfer(parts, dynamodb, s3, sqs)

    def set_items(kept: Sequence[Item]) -> None:
        for item in whole.items():
            key = {name: {"S": item[name]} for name in ("identifier", "version")}
            dynamodb.delete_item(TableName=table, Key=key)
        DynamoItems(dynamodb, table).write(kept)

    def replace_report(key: str, body: bytes) -> None:
        for version in s3.list_object_versions(Bucket=parts.reports, Prefix=key)["Versions"]:
            s3.delete_object(Bucket=parts.reports, Key=key, VersionId=version["VersionId"])
        s3.put_object(Bucket=parts.reports, Key=key, Body=body)

    def remove_upload(key: str) -> None:
        for version in s3.list_object_versions(Bucket=parts.uploads, Prefix=key)["Versions"]:
            s3.delete_object(Bucket=parts.uploads, Key=key, VersionId=version["VersionId"])

    steward = StackSteward(whole, dynamodb, s3)
    return Lost(steward, whole, environment, set_items, replace_report, remove_upload)


def test_a_lost_table_is_filled_with_the_same_items(lost: Lost) -> None:
    begin(lost.steward)
    go_on(lost.steward)
    before, files = lost.items(), (list(lost.whole.reports()), list(lost.whole.contents()))
    lost.set_items([])

    result = lost.run()

    assert (result.exit_code, result.output) == (0, "5 uploads replayed, 0 with a different result\n")
    assert lost.items() == before
    assert (list(lost.whole.reports()), list(lost.whole.contents())) == files


def test_an_upload_through_the_api_is_replayed_with_its_rights(lost: Lost) -> None:
    pinned = {"principal": "mailto:jane@example.org", "may": f"rw={FOLDER}", "token": "ab" * 32}
    begin(lost.steward)
    lost.steward.identity = f"{API}:session"
    rows = f"identifier,title,status\n{DOC}new,New,\n{DOC}a,Retired,retired\n"
    lost.steward.put(f"{FOLDER}api.csv", rows, **pinned)
    lost.steward.put(f"{FOLDER}denied.csv", f"identifier,title\n{DOC}denied,Denied\n", principal="jane")
    before = lost.items()
    lost.set_items([])

    replayed = order_uploads(lost.stack()).uploads[-1]
    result = lost.run()

    assert (replayed.upload.identity, replayed.api_identity) == (lost.steward.identity, API)
    assert replayed.counts == {"registered": 1, "refused": 1}
    assert (result.exit_code, result.output) == (0, "5 uploads replayed, 0 with a different result\n")
    denied = f"upload {FOLDER}denied.csv"
    assert lost.items() == [item for item in before if item["identifier"] != denied]


def test_a_lost_hour_is_replayed_over_its_proofs(lost: Lost) -> None:
    begin(lost.steward)
    earlier, moment = lost.items(), write_moment(utc_now())
    go_on(lost.steward)
    before = lost.items()
    # A restored table may have a proof whose records it lacks.
    proofs = [item for item in before if item["identifier"].startswith("upload ")]
    lost.set_items([item for item in earlier if item not in proofs] + proofs)

    result = lost.run("--since", moment if isinstance(lost.steward, StackSteward) else "2011-08-25T17:00Z")

    assert result.exit_code == 0, result.output
    assert "with a different result" in result.output
    assert lost.items() == before


def test_a_replay_passes_over_uploads_that_the_table_has(lost: Lost) -> None:
    begin(lost.steward)
    earlier = lost.items()
    go_on(lost.steward)
    before = lost.items()
    lost.set_items(earlier)

    first, second = lost.run(), lost.run("--json")

    assert first.stdout.splitlines() == [
        "1 upload replayed, 0 with a different result",
        "4 passed over, because the table has them",
    ]
    assert json.loads(second.stdout) == {
        "replayed": 0,
        "passed_over": 5,
        "different": 0,
        "without_report": 0,
        "unfinished": [],
    }
    assert lost.items() == before


def test_the_first_of_two_contradicting_uploads_wins_again(lost: Lost) -> None:
    begin(lost.steward)
    row = "record,identifier,stands_for\nalias,{},{}\n"
    one, other = f"{DOC}one", f"{DOC}other"
    lost.steward.put(f"{FOLDER}both.csv", f"identifier,title,location\n{DOC}end,End,https://a.example/\n")
    put_first = lost.steward.store(f"{FOLDER}one.csv", row.format(one, other))
    put_second = lost.steward.store(f"{FOLDER}other.csv", row.format(other, one))
    for upload in (put_second, put_first):
        lost.steward.process(Upload("uploads", upload.key, upload.version, upload.put))
    before = lost.items()
    assert any(item["identifier"] == other for item in before)
    assert not any(item["identifier"] == one for item in before)
    lost.set_items([])

    result = lost.run()

    assert (result.exit_code, lost.items()) == (0, before), result.output


def test_a_different_result_is_printed_and_exits_with_one(lost: Lost) -> None:
    begin(lost.steward)
    [(key, summary)] = (
        (report.key, json.loads(b"".join(lost.whole.open_report(report))))
        for report in lost.whole.reports()
        if report.key.startswith(f"{FOLDER}first.csv/") and report.key.endswith(".summary.json")
    )
    summary["counts"]["registered"] += 1
    lost.replace_report(key, json.dumps(summary).encode())
    lost.set_items([])

    text = lost.run()
    lost.set_items([])
    as_json = lost.run("--json")

    assert (text.exit_code, as_json.exit_code) == (1, 1)
    assert "before: 1 refused, 6 registered; now: 1 refused, 5 registered" in text.stdout, text.stdout
    [difference, result] = map(json.loads, as_json.stdout.splitlines())
    assert difference["before"]["registered"] == difference["now"]["registered"] + 1 == 6
    assert result["different"] == 1


def test_a_drill_counts_the_statements_that_the_uploads_give_again(lost: Lost) -> None:
    begin(lost.steward)
    go_on(lost.steward)
    before = lost.items(), list(lost.whole.contents()), list(lost.whole.reports())

    whole = lost.run("--drill")
    [changed] = [item for item in before[0] if item["identifier"] == f"{DOC}a" and item["version"] == "now"]
    lost.set_items([*before[0], {**changed, "body": changed["body"].replace("A better report", "Another")}])
    damaged = lost.run("--drill", "--json")

    assert whole.exit_code == 0, whole.output
    [line] = whole.stdout.splitlines()
    assert line.endswith(" statements recovered, 0 added")
    assert len(set(line.replace(" of ", " ").split()[:2])) == 1
    assert damaged.exit_code == 1
    assert json.loads(damaged.stdout)["different"] == [f"{DOC}a"]
    assert (list(lost.whole.contents()), list(lost.whole.reports())) == before[1:]


def test_a_drill_misses_the_statements_of_an_upload_that_is_gone(lost: Lost) -> None:
    begin(lost.steward)
    lost.steward.put(f"{FOLDER}more.csv", f"identifier,title\n{DOC}more,More\n")
    lost.remove_upload(f"{FOLDER}more.csv")

    result = lost.run("--drill", "--json")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["different"] == [f"{DOC}more"]


def test_a_registry_that_is_served_is_not_replayed(tmp_path: Path) -> None:
    with closing(Database(tmp_path / "registry")) as database:
        lost = _in_folder(database)
    with IngestLock(tmp_path / "registry") as lock:
        assert lock.acquire()
        result = lost.run()

    assert (result.exit_code, result.stderr.rpartition("/")[2]) == (
        2,
        "registry is being served. Stop its server first.\n",
    )


def test_an_emptied_folder_loses_wrong_records_and_a_table_is_refused(lost: Lost) -> None:
    begin(lost.steward)
    before = lost.items()
    [wrong] = [item for item in before if item["identifier"] == f"{DOC}a"]
    lost.set_items([*before, {**wrong, "identifier": f"{DOC}wrong", "folded": f"{DOC}wrong"}])

    asked = CliRunner().invoke(main, ["replay", "--empty"], input="n\n", env=lost.environment)
    result = lost.run("--empty", "--yes")

    assert asked.exit_code == 1
    if isinstance(lost.steward, FolderSteward):
        assert (result.exit_code, lost.items()) == (0, before)
    else:
        assert result.exit_code == 2
        assert "deploy the stack with its name as RegistryTableName" in result.stderr


@pytest.mark.parametrize(
    "options",
    [("--since", "2026-11-01", "--drill"), ("--since", "2026-11-01", "--empty"), ("--drill", "--empty")],
)
def test_options_that_contradict_each_other_are_refused(options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["replay", *options], prog_name="ginuri")

    assert (result.exit_code, result.stderr.count(options[-1])) == (2, 1)


def test_the_examples_are_recovered_from_their_uploads(tmp_path: Path) -> None:
    Database(tmp_path).close()
    with open_folder(tmp_path) as stack:
        for stage in stages(EXAMPLES):
            for key, path in stage:
                stack.put(key, path.read_bytes(), {})
            stack.work(600)

    result = CliRunner().invoke(main, ["replay", "--drill", "--registry", str(tmp_path), "--json"])

    numbers = json.loads(result.stdout)
    assert result.exit_code == 0
    assert numbers["recovered"] == numbers["statements"] > 7_000
    assert numbers["added"] == 0


def test_an_interrupted_replay_continues(lost: Lost) -> None:
    begin(lost.steward)
    go_on(lost.steward)
    before = lost.items()
    lost.set_items([])
    replaying = lost.stack()
    order = order_uploads(replaying)

    first = list(
        islice(Replay(replaying, replaying.target, order).run(order.uploads, ignores_proofs=False), 3)
    )
    rest = list(Replay(replaying, replaying.target, order).run(order.uploads, ignores_proofs=False))

    assert (len(first), len(rest)) == (3, 2)
    assert lost.items() == before


def test_a_big_upload_is_replayed_in_parts(lost: Lost) -> None:
    begin(lost.steward)
    rows = "".join(f"{DOC}many/{number},Map {number}\n" for number in range(40))
    lost.steward.put(f"{FOLDER}many.csv", f"identifier,title\n{rows}{DOC}a,\n")
    before = lost.items()
    lost.set_items([])
    replaying = lost.stack()
    order, limits = order_uploads(replaying), replace(LIMITS, task_rows=5, chunk_rows=8)

    replayed = list(
        Replay(replaying, replaying.target, order, limits=limits).run(order.uploads, ignores_proofs=True)
    )

    assert [each.is_different for each in replayed] == [False] * len(order.uploads)
    assert lost.items() == before
