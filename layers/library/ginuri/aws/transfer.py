"""A whole registry in AWS: its table, its buckets and the archive of uploads that were moved to it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, Any

from ginuri.aws.bucket import Bucket, list_objects
from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.applied_uploads import DynamoAppliedUploads
from ginuri.aws.dynamodb.items import DynamoItems
from ginuri.aws.object_streams import digest_of, open_object, read_chunks, read_json, write_chunks
from ginuri.aws.parallel import map_in_order
from ginuri.aws.retrying_client import make_retrying_client
from ginuri.aws.s3 import type_of_report
from ginuri.aws.spool import sort_on_disk
from ginuri.aws.upload_archive import S3UploadArchive
from ginuri.identifiers.errors import ContentMissing, RegistryUnavailable
from ginuri.registry.clock import write_moment
from ginuri.registry.content import WORK_FOLDER
from ginuri.registry.model import StoredFile
from ginuri.registry.transfer import SUMMARY, ContentFile, Item, Open, ReportFile, UploadedFile

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient

_ORIGIN, _SHA256, _STORED, _WRITTEN = "origin", "sha256", "stored", "written"
"""The metadata of objects that were moved here."""
_PARAMETERS = {"canonical_host": "CanonicalHost"}
"""The parameters of the template by the names of settings."""
_COUNTS: Any = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible")


@dataclass(frozen=True, slots=True)
class AwsParts:
    """The names of the parts of a stack, and its settings."""

    name: str
    table: str
    uploads: str
    archive: str
    content: str
    reports: str
    queue: str
    settings: Mapping[str, str]


class AwsTransfer:
    """Reads and writes a whole registry with the permissions of an operator; no function has them."""

    def __init__(self, parts: AwsParts, dynamodb: DynamoDBClient, s3: S3Client, sqs: SQSClient) -> None:
        self.name, self.identity, self.parts = parts.name, parts.table, parts
        self._s3, self._sqs = s3, sqs
        self._items = DynamoItems(dynamodb, parts.table)
        patient = make_retrying_client(time.sleep, time.monotonic, Random(), dynamodb)  # noqa: S311  a delay is not secret
        self._written_items = DynamoItems(patient, parts.table)
        self._applied = DynamoAppliedUploads(dynamodb, parts.table)
        self._archive = S3UploadArchive(lambda: s3, parts.archive)
        self._uploads, self._content, self._reports = (
            Bucket(lambda: s3, name) for name in (parts.uploads, parts.content, parts.reports)
        )

    def items(self) -> Iterator[Item]:
        """Read every item, sorted on disk."""
        lines = (
            (item["identifier"], item["version"], json.dumps(item, ensure_ascii=False))
            for item in self._items.read()
        )
        return map(json.loads, sort_on_disk(lines))

    def uploads(self) -> Iterator[UploadedFile]:
        """List the uploads of both buckets; those of the bucket of uploads are read for their SHA-256."""
        uploaded = map_in_order(self._describe_upload, self._versions(self._uploads))
        lines = (
            (upload.key, upload.version, json.dumps([getattr(upload, name) for name in UploadedFile._fields]))
            for uploads in (self._archive.uploads(), uploaded)
            for upload in uploads
        )
        return (UploadedFile(*json.loads(line)) for line in sort_on_disk(lines))

    def contents(self) -> Iterator[ContentFile]:
        """List the stored files, in a call for each."""
        return map_in_order(self._describe_content, self._versions(self._content))

    def reports(self) -> Iterator[ReportFile]:
        """List the reports, each of which is read for its SHA-256."""
        listed = (item for item in list_objects(self._reports) if not item["Key"].startswith(WORK_FOLDER))
        return map_in_order(self._describe_report, listed)

    def summaries(self) -> Iterator[tuple[ReportFile, bytes]]:
        """Read the summaries of reports in their first versions."""
        return map_in_order(self._read_summary, self._first_summaries())

    def open_upload(self, file: UploadedFile, /) -> Iterator[bytes]:
        """Return the chunks of an upload of either bucket."""
        archived = self._archive.open(file)
        return self._open(self._uploads, file.key, file.version) if archived is None else archived

    def open_content(self, file: StoredFile, /) -> Iterator[bytes]:
        """Return the chunks of a stored file."""
        return self._open(self._content, file.key, file.version)

    def open_report(self, file: ReportFile, /) -> Iterator[bytes]:
        """Return the chunks of a report."""
        return self._open(self._reports, file.key)

    def waiting(self) -> int:
        """Count the messages in the ingest queue; approximate, as SQS counts."""
        with unavailable():
            counts: Any = self._sqs.get_queue_attributes(
                QueueUrl=self.parts.queue, AttributeNames=list(_COUNTS)
            )["Attributes"]
        return sum(int(counts[name]) for name in _COUNTS)

    def settings(self) -> Mapping[str, str]:
        """Return the settings that are parameters of the stack."""
        return self.parts.settings

    def is_empty(self) -> bool:
        """Return whether the table and all buckets are empty."""
        buckets = (self._uploads, self._archive, self._content, self._reports)
        return self._items.is_empty() and all(next(list_objects(each), None) is None for each in buckets)

    def moved_from(self) -> str:
        """Return the note on the move that filled this registry."""
        return self._archive.read_note()

    def note_move(self, note: str) -> None:
        """Store the note in the archive."""
        self._archive.write_note(note)

    def write_items(self, items: Iterable[Item]) -> None:
        """Write items, several calls at a time."""
        self._written_items.write(items)

    def add_uploads(self, files: Iterable[UploadedFile], read: Open[UploadedFile]) -> None:
        """Store uploads in the archive, which notifies nobody."""
        _finish(map_in_order(lambda file: self._archive.add(file, read(file)), files))

    def add_contents(
        self, files: Iterable[StoredFile], read: Open[StoredFile]
    ) -> Iterator[tuple[StoredFile, str]]:
        """Store files; the versions of a key one after the other."""

        def add(versions: list[StoredFile]) -> list[tuple[StoredFile, str]]:
            return [(file, self._add_content(file, read(file))) for file in versions]

        by_key = (list(versions) for _, versions in groupby(files, key=lambda file: file.key))
        return (file for versions in map_in_order(add, by_key) for file in versions)

    def add_reports(self, files: Iterable[ReportFile], read: Open[ReportFile]) -> None:
        """Store reports."""

        def add(file: ReportFile) -> None:
            noted = {_WRITTEN: file.written}
            described = {"Metadata": noted, "ContentType": type_of_report(file.key)}
            write_chunks(self._reports, file.key, read(file), file.sha256, described)

        _finish(map_in_order(add, files))

    def adopt_settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        """Return the parameters of the stack that have another value: only a deployment sets them."""
        return {
            _PARAMETERS[name]: value
            for name, value in settings.items()
            if name in _PARAMETERS and self.parts.settings.get(name) != value
        }

    def _open(self, bucket: Bucket, key: str, version: str | None = None) -> Iterator[bytes]:
        answer = open_object(bucket, key, version)
        if answer is None:
            raise ContentMissing(key)
        return read_chunks(answer)

    def _versions(self, bucket: Bucket) -> Iterator[Any]:
        """List the versions of objects by key, the oldest of a key first."""
        pages = bucket.client.get_paginator("list_object_versions").paginate(Bucket=bucket.name)
        with unavailable():
            listed = (version for page in pages for version in page.get("Versions", ()))
            for _, versions in groupby(listed, key=lambda version: version["Key"]):
                yield from reversed(list(versions))

    def _describe_upload(self, listed: Any) -> UploadedFile:
        key, version = listed["Key"], listed["VersionId"]
        answer = open_object(self._uploads, key, version)
        if answer is None:
            raise RegistryUnavailable(f"{key} is not there")
        # S3 lists whole seconds; the proof has the milliseconds of its stamps.
        proof = self._applied.applied(key, version)
        put = proof.put if proof else write_moment(listed["LastModified"])
        facts = (key, version, put, listed["Size"], digest_of(answer), answer["Metadata"])
        return UploadedFile(*facts, self._identity_of(key, version))

    def _identity_of(self, key: str, version: str) -> str:
        """Return who put an upload, from the summary of its report: S3 states it only in its event."""
        summary = read_json(self._reports, f"{key}/{version}{SUMMARY}")
        return str((summary or {}).get("identity", ""))

    def _describe_content(self, listed: Any) -> ContentFile:
        key, version = listed["Key"], listed["VersionId"]
        with unavailable():
            head = self._s3.head_object(Bucket=self._content.name, Key=key, VersionId=version)
        noted = head["Metadata"]
        stored = noted.get(_STORED) or f"{head['LastModified']:%Y-%m-%dT%H:%M:%SZ}"
        file = StoredFile(key, version, head["ContentLength"], noted.get(_SHA256, ""), stored)
        return ContentFile(file, noted.get(_ORIGIN, version))

    def _first_summaries(self) -> Iterator[Any]:
        for key, versions in groupby(self._versions(self._reports), key=itemgetter("Key")):
            if key.endswith(SUMMARY):
                yield next(versions)

    def _read_summary(self, listed: Any) -> tuple[ReportFile, bytes]:
        answer = open_object(self._reports, listed["Key"], listed["VersionId"])
        if answer is None:
            raise RegistryUnavailable(f"{listed['Key']} is not there")
        body = b"".join(read_chunks(answer))
        return ReportFile(listed["Key"], _written(listed, answer["Metadata"]), len(body), ""), body

    def _describe_report(self, listed: Any) -> ReportFile:
        answer = open_object(self._reports, listed["Key"])
        if answer is None:
            raise RegistryUnavailable(f"{listed['Key']} is not there")
        written = _written(listed, answer["Metadata"])
        return ReportFile(listed["Key"], written, listed["Size"], digest_of(answer))

    def _add_content(self, file: StoredFile, chunks: Iterable[bytes]) -> str:
        noted = {_SHA256: file.sha256, _STORED: file.stored, _ORIGIN: file.version}
        return write_chunks(self._content, file.key, chunks, file.sha256, {"Metadata": noted})


def _written(listed: Any, metadata: Mapping[str, str]) -> str:
    return metadata.get(_WRITTEN) or write_moment(listed["LastModified"])


def _finish(results: Iterator[None]) -> None:
    for _ in results:
        pass
