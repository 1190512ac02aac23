"""Whole registries for tests: one in a folder with everything that a registry can have, and empty ones."""

from __future__ import annotations

import itertools
import json
import time
from datetime import UTC, datetime, timedelta

from ginuri.aws.transfer import AwsParts, AwsTransfer
from ginuri.files.reports.report import Upload
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryQueue
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.queue import SqliteQueue
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.settings import Settings
from ginuri.sqlite.uploads import SqliteUploads, StoredUpload
from tests.aws import dynamodb_client, new_bucket, new_table, s3_client, sqs_client
from tests.steward import HOST, TYPES

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

    def __init__(self, database: Database, hours: int = 0) -> None:
        minutes = itertools.count(60 * hours)
        start = datetime(2011, 8, 25, 17, tzinfo=UTC)
        files = FileFolder(database.folder)
        self.uploads = SqliteUploads(database, files, lambda: start + timedelta(minutes=next(minutes)))
        self.queue = SqliteQueue(database)
        registry, lister = SqliteRegistry(database), SqliteMemberLister(database)
        self._parts = MemoryQueue()
        self._collaborators = IngestCollaborators(
            self.uploads, registry, lister, self.uploads, self._parts, time.monotonic, database.map_together
        )

    def put(self, key: str, content: str | bytes, **said: str) -> StoredUpload:
        """Upload a file, and process it at once."""
        stored = self.uploads.put(key, content.encode() if isinstance(content, str) else content, said)
        ingest_part(Upload("uploads", key, stored.version, stored.put), self._collaborators)
        while self._parts.waiting:
            ingest_part(read_part(json.loads(self._parts.waiting.pop(0))), self._collaborators)
        received = self.queue.receive(60)
        assert received is not None
        self.queue.done(received.number)
        return stored


def fill(database: Database) -> FolderSteward:
    """Register everything that a registry can have; each stored file has two versions."""
    steward = FolderSteward(database)
    steward.put("_host/all.jsonl", HOST)
    steward.put(f"{FOLDER}types.jsonl", TYPES)
    steward.put(f"{FOLDER}map.pdf", b"%PDF first")
    steward.put(f"{FOLDER}first.csv", FIRST, submitter="Ann Example")
    steward.put(f"{FOLDER}others.jsonl", OTHERS)
    steward.put(f"{FOLDER}map.pdf", b"%PDF second" * 1_000)
    steward.put(f"{FOLDER}second.csv", SECOND)
    Settings(database).set("canonical_host", "ids.example")
    return steward


def new_stack(name: str) -> AwsTransfer:
    """Create the parts of an empty stack in moto."""
    dynamodb, s3, sqs = dynamodb_client(), s3_client(), sqs_client()
    buckets = {part: f"{name}-{part}" for part in ("uploads", "archive", "content", "reports")}
    for bucket in buckets.values():
        new_bucket(s3, bucket)
    queue = sqs.create_queue(QueueName=f"{name}-queue")["QueueUrl"]
    parts = AwsParts(f"the stack {name}", new_table(dynamodb), **buckets, queue=queue, settings={})
    return AwsTransfer(parts, dynamodb, s3, sqs)
