"""A table in moto, and the commands that read it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pytest
from click.testing import CliRunner, Result

from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.s3 import S3Uploads
from ginuri.cli.main import main
from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from ginuri.files.reports.report import Upload, report_key
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryQueue
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import Statements
from ginuri.server.sockets import listen
from infra.local import ROOT
from infra.local.aws.clients import Account
from infra.local.aws.moto_server import MotoServer
from tests.aws import new_bucket, new_table
from tests.builders import stated
from tests.installation import Environment, build_wheel, install
from tests.report_schema import read_report
from tests.snapshots import Snapshot
from tests.steward import HOST, TYPES

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

DOC = "uri-gin/azgs/doc/a"
_Given = TypeVar("_Given")


@dataclass
class Kept:
    """A table in moto, and its settings for the command."""

    registry: DynamoRegistry
    environment: dict[str, str]
    reports_bucket: str

    def state(self, day: str, identifier: str = DOC, **values: Any) -> None:
        """Register something on a day."""
        self.say(day, stated(values), identifier)

    def say(self, day: str, statements: Statements, identifier: str) -> None:
        """Register statements in their stored form."""
        held = self.registry.read([identifier]).get(identifier, Record(identifier, {}))
        stamp = Stamp(f"{day}T12:00:00.000Z", "uri-gin/azgs/docs.csv", f"v {day}", 7)
        self.registry.write(apply(held, statements, stamp))

    def run(self, *arguments: str) -> Result:
        """Run the command."""
        return CliRunner().invoke(main, arguments, env=self.environment, prog_name="ginuri")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Environment]:
    """Return a function for the environment of an extra: the built wheel, with what the extra needs."""
    wheel = build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))

    @cache
    def with_extra(extra: str) -> Environment:
        return install(wheel, tmp_path_factory.mktemp("environment"), extra)

    return with_extra


@pytest.fixture(scope="session")
def moto_server() -> Iterator[MotoServer]:
    """Run moto as a server."""
    server = MotoServer(listen(0))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def account(moto_server: MotoServer) -> Iterator[Account]:
    """Return clients of that server."""
    made = Account(moto_server.endpoint)
    yield made
    made.close()


@pytest.fixture(scope="session")
def endpoint(moto_server: MotoServer) -> str:
    """Return the address of that server."""
    return moto_server.endpoint


@pytest.fixture
def kept(account: Account, tmp_path: Path) -> Kept:
    """Return a table that the command can read."""
    client = account.client("dynamodb")
    table = new_table(client)
    new_bucket(account.client("s3"), f"reports-{table}")
    told = {
        "service": "http://127.0.0.1:8000",
        "endpoint": account.endpoint,
        "region": "us-east-1",
        "access_key": "testing",
        "secret_key": "testing",
        "registry_table": table,
        "reports_bucket": f"reports-{table}",
        "uploads_bucket": f"uploads-{table}",
    }
    (tmp_path / "stack.json").write_text(json.dumps(told))
    environment = {LOCAL_STACK_VARIABLE: str(tmp_path / "stack.json"), "GINURI_STACK": ""}
    return Kept(DynamoRegistry(client, table), environment, f"reports-{table}")


_AZGS = (("_host/all.jsonl", HOST), ("uri-gin/azgs/1-types.jsonl", TYPES))


@dataclass(frozen=True)
class _Saved:
    """A stack after a set-up, and the result of the set-up."""

    snapshot: Snapshot
    told: dict[str, Upload]
    came: list[Upload]
    given: Any


@dataclass(frozen=True)
class SharedStack:
    """The table and the buckets that all tests use in turn, and their states after set-ups."""

    table: str
    buckets: dict[str, str]
    saved: dict[str, _Saved] = field(default_factory=dict)


@dataclass
class Served:
    """Table and buckets in moto, and a clerk who ingests uploads."""

    registry: DynamoRegistry
    lister: DynamoMemberLister
    s3: S3Client
    environment: dict[str, str]
    _shared: SharedStack
    _rung: threading.Event = field(default_factory=threading.Event)
    _told: dict[str, Upload] = field(default_factory=dict)
    _came: list[Upload] = field(default_factory=list)
    _gone: bool = False

    @property
    def buckets(self) -> dict[str, str]:
        """The names of the buckets."""
        return self._shared.buckets

    def begin_with(self, name: str, set_up: Callable[[], _Given]) -> _Given:
        """Set up the stack; from the second time on, restore this set-up without calls.

        The rest of the stack has to be the same each time.
        """
        saved = self._shared.saved.get(name)
        if saved is None:
            given = set_up()
            snapshot = Snapshot(tables=[self._shared.table], buckets=self.buckets.values())
            self._shared.saved[name] = _Saved(snapshot, dict(self._told), list(self._came), given)
            return given
        self._told, self._came = dict(saved.told), list(saved.came)
        saved.snapshot.restore()
        return cast("_Given", saved.given)

    def clerk(self) -> None:
        """Ingest each new version of an upload, whenever the bell rings."""
        files, queue = S3Uploads(self.s3, **self.buckets), MemoryQueue()
        collaborators = IngestCollaborators(files, self.registry, self.lister, files, queue, time.monotonic)
        while self._rung.wait() and not self._gone:
            self._rung.clear()
            listed = self.s3.list_object_versions(Bucket=self.buckets["uploads"]).get("Versions", [])
            for each in sorted(listed, key=lambda it: it["LastModified"]):
                if each["VersionId"] not in self._told:
                    put = f"2011-08-25T17:{len(self._told):02d}:00.000Z"
                    upload = Upload(self.buckets["uploads"], each["Key"], each["VersionId"], put)
                    self._came.append(upload)
                    ingest_part(upload, collaborators)
                    while queue.waiting:
                        ingest_part(read_part(json.loads(queue.waiting.pop(0))), collaborators)
                    self._told[each["VersionId"]] = upload

    def put(self, key: str, content: str | bytes, **said: str) -> str:
        """Upload a file, wait until it is ingested, and return its name: key and version."""
        body = content.encode() if isinstance(content, str) else content
        put = self.s3.put_object(Bucket=self.buckets["uploads"], Key=key, Body=body, Metadata=said)
        version = put["VersionId"]
        deadline = time.monotonic() + 60
        while version not in self._told:
            assert time.monotonic() < deadline, f"{key} was not taken in"
            time.sleep(0.01)
        return f"{key}#{version}"

    def report(self, name: str) -> Any:
        """Read the report on an upload by its name."""
        key, _, version = name.partition("#")
        read = self.s3.get_object(Bucket=self.buckets["reports"], Key=report_key(key, version))
        return read_report(read["Body"].read())

    def values(self, identifier: str = DOC) -> dict[str, Any] | None:
        """Return the registered values of an identifier."""
        record = self.registry.read([identifier]).get(identifier)
        return None if record is None else record.values()

    def said(self) -> list[tuple[str, dict[str, str]]]:
        """Return the key of each upload and its metadata, in order."""
        bucket = self.buckets["uploads"]
        return [
            (
                each.key,
                self.s3.head_object(Bucket=bucket, Key=each.key, VersionId=each.version)["Metadata"],
            )
            for each in list(self._came)
        ]

    def run(self, *arguments: str) -> Result:
        """Run the command."""
        return CliRunner().invoke(main, arguments, env=self.environment, prog_name="ginuri")

    def ring(self) -> None:
        """Notify the clerk of an upload."""
        self._rung.set()

    def leave(self) -> None:
        """Stop the clerk."""
        self._gone = True
        self._rung.set()


@pytest.fixture(scope="module")
def shared_stack(account: Account, moto_server: MotoServer) -> SharedStack:
    """Return the table and the buckets of a stack, one for each module: another `mock_aws` empties moto."""
    table = new_table(account.client("dynamodb"))
    buckets = {name: f"{name}-{table}" for name in ("uploads", "content", "reports")}
    for bucket in buckets.values():
        new_bucket(account.client("s3"), bucket)
    account.client("sqs").create_queue(QueueName=table)
    moto_server.notifier.subscribe(buckets["uploads"], table)
    return SharedStack(table, buckets)


@pytest.fixture
def served(
    account: Account, moto_server: MotoServer, shared_stack: SharedStack, tmp_path: Path
) -> Iterator[Served]:
    """Return a stack in which the authority azgs and a resource type are registered."""
    dynamodb, table = account.client("dynamodb"), shared_stack.table
    told = {
        "service": "http://127.0.0.1:8000",
        "endpoint": account.endpoint,
        "region": "us-east-1",
        "access_key": "testing",
        "secret_key": "testing",
        "registry_table": table,
        **{f"{name}_bucket": bucket for name, bucket in shared_stack.buckets.items()},
    }
    where = tmp_path / "stack.json"
    where.write_text(json.dumps(told))
    environment = {LOCAL_STACK_VARIABLE: str(where), "GINURI_STACK": ""}
    registry, lister = DynamoRegistry(dynamodb, table), DynamoMemberLister(dynamodb, table)
    made = Served(registry, lister, account.client("s3"), environment, shared_stack)
    stop_listening = moto_server.doorbell.listen(made.ring)
    clerk = threading.Thread(target=made.clerk)
    clerk.start()
    try:
        made.begin_with("azgs", lambda: [made.put(*each) for each in _AZGS])
        yield made
    finally:
        made.leave()
        clerk.join()
        stop_listening()
