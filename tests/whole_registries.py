"""Whole registries for tests: one in a folder with everything that a registry can have, and empty ones."""

from __future__ import annotations

import itertools
import json
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.s3 import S3Uploads
from ginuri.aws.transfer import AwsParts, AwsTransfer
from ginuri.files.reports.report import Upload
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryQueue
from ginuri.registry.clock import Clock, utc_now, write_moment
from ginuri.registry.transfer import UploadedFile
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.queue import SqliteQueue
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.settings import Settings
from ginuri.sqlite.uploads import SqliteUploads
from tests.aws import dynamodb_client, new_bucket, new_table, s3_client, sqs_client
from tests.steward import HOST, TYPES

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

API = "AROAJQABLZS4A3QDU576Q"
"""The identity of the API."""
FOLDER = "uri-gin/azgs/"
DOC = f"{FOLDER}doc/"
FIRST = f"""identifier,title,location,status,reason,requested_by,until,file,media_type
{DOC}a,A report,https://old.example/a.pdf,,,,,,
{DOC}gone,An error,https://old.example/gone.pdf,retired,Registered twice,,,,
{DOC}hidden,A person,https://old.example/hidden.pdf,withheld,Private,the person,,,
{DOC}later,A thesis,https://old.example/later.pdf,embargoed,A contract,,2099-01-01,,
{DOC}map,A map,,,,,,map.pdf,application/pdf
uri-gin/usgin/b,Not here,https://old.example/b.pdf,,,,,,
"""
SECOND = f"""identifier,title,title@es,location,file,media_type
{DOC}a,A better report,Un informe,https://new.example/a.pdf,,
{DOC}map,A newer map,,,map.pdf,application/pdf
"""
OTHERS = "\n".join(
    json.dumps(line)
    for line in (
        {"record": "alias", "identifier": f"{DOC}alias", "stands_for": f"{DOC}a"},
        {"record": "rule", "identifier": f"{DOC}wells/", "location": "https://wells.example/{+rest}"},
    )
)


class FolderSteward:
    """Uploads files to a registry folder, a minute after each other, and processes them."""

    identity = "local:jane"

    def __init__(self, database: Database, hours: int = 0) -> None:
        now = _minutes(60 * hours)
        files = FileFolder(database.folder)
        self.uploads = SqliteUploads(database, files, now)
        self.queue = SqliteQueue(database)
        registry, lister = SqliteRegistry(database), SqliteMemberLister(database)
        self._parts = MemoryQueue()
        self._collaborators = IngestCollaborators(
            self.uploads,
            registry,
            lister,
            self.uploads,
            self._parts,
            time.monotonic,
            database.map_together,
            now=now,
            api_identity=API,
        )

    def put(self, key: str, content: str | bytes, **said: str) -> UploadedFile:
        """Upload a file, and process it at once."""
        stored = self.store(key, content, **said)
        self.process(Upload("uploads", key, stored.version, stored.put, stored.identity))
        return stored

    def store(self, key: str, content: str | bytes, **said: str) -> UploadedFile:
        """Upload a file, and leave it in the queue."""
        body = content.encode() if isinstance(content, str) else content
        return self.uploads.put(key, body, said, self.identity)

    def process(self, upload: Upload) -> None:
        """Process an upload, and take the oldest message from the queue."""
        process_all(upload, self._collaborators, self._parts)
        received = self.queue.receive(60)
        assert received is not None
        self.queue.done(received.number)


class StackSteward:
    """Uploads files to a stack in moto, and processes them."""

    identity = "AIDAJDPLRKLG7UEXAMPLE"

    def __init__(self, stack: AwsTransfer, dynamodb: DynamoDBClient, s3: S3Client) -> None:
        parts, self._s3 = stack.parts, s3
        self._bucket, self._parts = parts.uploads, MemoryQueue()
        files = S3Uploads(s3, uploads=parts.uploads, content=parts.content, reports=parts.reports)
        self._collaborators = IngestCollaborators(
            files,
            DynamoRegistry(dynamodb, parts.table),
            DynamoMemberLister(dynamodb, parts.table),
            files,
            self._parts,
            time.monotonic,
            api_identity=API,
        )

    def put(self, key: str, content: str | bytes, **said: str) -> Upload:
        """Upload a file, and process it at once."""
        upload = self.store(key, content, **said)
        self.process(upload)
        return upload

    def store(self, key: str, content: str | bytes, **said: str) -> Upload:
        """Upload a file only."""
        body = content.encode() if isinstance(content, str) else content
        put = self._s3.put_object(Bucket=self._bucket, Key=key, Body=body, Metadata=said)
        return Upload(self._bucket, key, put["VersionId"], write_moment(utc_now()), self.identity)

    def process(self, upload: Upload) -> None:
        """Process an upload."""
        process_all(upload, self._collaborators, self._parts)


Steward = FolderSteward | StackSteward


def process_all(upload: Upload, collaborators: IngestCollaborators, parts: MemoryQueue) -> None:
    """Process an upload and all of its parts."""
    ingest_part(upload, collaborators)
    while parts.waiting:
        ingest_part(read_part(json.loads(parts.waiting.pop(0))), collaborators)


def _minutes(first: int) -> Clock:
    minutes = itertools.count(first)
    return lambda: datetime(2011, 8, 25, 17, tzinfo=UTC) + timedelta(minutes=next(minutes))


def fill(database: Database) -> FolderSteward:
    """Register everything that a registry can have; each stored file has two versions."""
    steward = FolderSteward(database)
    begin(steward)
    go_on(steward)
    Settings(database).set("canonical_host", "ids.example")
    return steward


def grant(*may: str) -> str:
    """Write the line of a grant."""
    stated = {"record": "grant", "identifier": FOLDER, "to": "mailto:jane@example.org", "may": may}
    return f"{json.dumps(stated)}\n"


def begin(steward: Steward) -> None:
    """Register all kinds of records."""
    steward.put("_host/all.jsonl", HOST)
    steward.put(f"{FOLDER}types.jsonl", TYPES + grant("read"))
    steward.put(f"{FOLDER}map.pdf", b"%PDF first")
    steward.put(f"{FOLDER}first.csv", FIRST, submitter="Ann Example")
    steward.put(f"{FOLDER}others.jsonl", f"{OTHERS}\n" + grant("read", "register"))


def go_on(steward: Steward) -> None:
    """Change some of them."""
    steward.put(f"{FOLDER}map.pdf", b"%PDF second" * 1_000)
    steward.put(f"{FOLDER}second.csv", SECOND)


def new_stack(name: str) -> AwsTransfer:
    """Create the parts of an empty stack in moto."""
    dynamodb, s3, sqs = dynamodb_client(), s3_client(), sqs_client()
    buckets = {part: f"{name}-{part}" for part in ("uploads", "archive", "content", "reports")}
    for bucket in buckets.values():
        new_bucket(s3, bucket)
    queue = sqs.create_queue(QueueName=f"{name}-queue")["QueueUrl"]
    parts = AwsParts(f"the stack {name}", new_table(dynamodb), **buckets, queue=queue, settings={})
    return AwsTransfer(parts, dynamodb, s3, sqs)
