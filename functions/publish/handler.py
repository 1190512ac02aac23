"""Entry point of the publish function: builds the collaborators, publishes, writes metrics."""

from __future__ import annotations

import os
import time
from typing import Any

import boto3
from aws_lambda_powertools import Metrics
from aws_lambda_powertools.metrics import MetricUnit
from botocore.config import Config

from ginuri.aws.botocore_clients import CONFIG, S3_CONFIG
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.table_scan import DynamoTableScan
from ginuri.aws.published_files import S3PublishedStore, S3Summaries
from ginuri.identifiers.service_paths import TESTS
from ginuri.publishing.flow import MOST_SUMMARIES, publish
from ginuri.publishing.search_index.index_writer import IndexWriter
from ginuri.web.log_line import NAMESPACE

# A page of a scan is a megabyte, and no client waits for it.
_PATIENT_CONFIG = Config(read_timeout=20, retries={"mode": "standard", "total_max_attempts": 10})
_metrics = Metrics(namespace=NAMESPACE)
_metrics.set_default_dimensions(stack=os.environ["STACK"])
_s3 = boto3.client("s3", config=S3_CONFIG)  # botocore's own does not upload large files in parts
_dynamodb = boto3.client("dynamodb", config=CONFIG.merge(_PATIENT_CONFIG))
_scan = DynamoTableScan(_dynamodb, os.environ["REGISTRY_TABLE"])
_reader = DynamoReader(_dynamodb, os.environ["REGISTRY_TABLE"])
_summaries = S3Summaries(lambda: _s3, os.environ["REPORTS_BUCKET"])
_store = S3PublishedStore(lambda: _s3, os.environ["PUBLISHED_BUCKET"])


def handle(_event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Publish the whole registry, and return the run and the number of records."""
    started = time.perf_counter()
    publication = publish(
        _scan,
        _summaries.newest(MOST_SUMMARIES),
        _store,
        os.environ["CANONICAL_HOST"],
        make_index=IndexWriter,
        reader=_reader,
    )
    _metrics.add_metric("published", MetricUnit.Count, publication.records)
    _metrics.add_metric("tests_failed", MetricUnit.Count, publication.files[TESTS].lines)
    _metrics.add_metadata("function", "publish")
    _metrics.add_metadata("duration", round((time.perf_counter() - started) * 1000, 3))
    _metrics.add_metadata("run", publication.run)
    _metrics.flush_metrics()
    return {"run": publication.run, "records": publication.records}
