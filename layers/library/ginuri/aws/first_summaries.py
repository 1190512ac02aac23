"""The summaries beside reports in a bucket that keeps versions: the first of each, and its time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from ginuri.aws.bucket import Bucket
from ginuri.aws.clients import unavailable
from ginuri.aws.object_streams import open_object, read_chunks
from ginuri.aws.parallel import map_in_order
from ginuri.aws.transfer import written_at
from ginuri.registry.transfer import SUMMARY, ReportFile


def read_first_summaries(reports: Bucket) -> Iterator[tuple[ReportFile, bytes]]:
    """Read the first version of each summary, several at a time. Raises RegistryUnavailable."""
    return map_in_order(lambda version: _read(reports, version), _first_versions(reports))


def _first_versions(reports: Bucket) -> Iterator[Any]:
    pages = reports.client.get_paginator("list_object_versions").paginate(Bucket=reports.name)
    with unavailable():
        listed = (version for page in pages for version in page.get("Versions", ()))
        for key, versions in groupby(listed, key=itemgetter("Key")):
            if key.endswith(SUMMARY):
                *_, first = versions  # the newest is listed first
                yield first


def _read(reports: Bucket, version: Any) -> tuple[ReportFile, bytes]:
    answer = open_object(reports, version["Key"], version["VersionId"])
    body = b"" if answer is None else b"".join(read_chunks(answer))
    written = written_at(version, {} if answer is None else answer["Metadata"])
    return ReportFile(version["Key"], written, len(body), ""), body
