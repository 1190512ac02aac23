"""Entry point of the api function: builds the collaborators once, logs and measures."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import boto3

from ginuri.api.application import FIELDS, Api
from ginuri.api.log_line import write_log_line
from ginuri.api.ports import ApiCollaborators
from ginuri.aws.botocore_clients import S3_CONFIG
from ginuri.aws.clients import make_dynamodb_client
from ginuri.aws.dynamodb.access.tokens import DynamoTokens
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.record_reader import DynamoRecordReader
from ginuri.aws.moved_uploads import S3MovedUploads
from ginuri.aws.reported_uploads import S3ReportedUploads
from ginuri.aws.stored_files import S3StoredFiles
from ginuri.aws.upload_putter import S3UploadPutter
from ginuri.files.reports.listed_uploads import AT_ONCE
from ginuri.registration.grants_reader import read_grants
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway

if TYPE_CHECKING:
    from ginuri.registry.budget import Invocation

_dynamodb = make_dynamodb_client()
_s3 = boto3.client("s3", config=S3_CONFIG)  # botocore's own has no managed copy
_registry = DynamoRecordReader(_dynamodb, os.environ["REGISTRY_TABLE"])
_uploads = S3ReportedUploads(
    _s3,
    uploads=os.environ["UPLOADS_BUCKET"],
    reports=os.environ["REPORTS_BUCKET"],
    moved=S3MovedUploads(lambda: _s3, os.environ["ARCHIVE_BUCKET"]),
)
_putter = S3UploadPutter(lambda: _s3, os.environ["UPLOADS_BUCKET"])
_stored = S3StoredFiles(_s3, content=os.environ["CONTENT_BUCKET"], uploads=os.environ["UPLOADS_BUCKET"])
_api = Api(
    ApiCollaborators(
        tokens=DynamoTokens(_dynamodb, os.environ["ACCESS_TABLE"]),
        read_grants=partial(read_grants, _registry),
        registry=_registry,
        lister=DynamoMemberLister(_dynamodb, os.environ["REGISTRY_TABLE"]),
        reports=_uploads,
        files=_uploads,
        putter=_putter,
        open_file=_stored.link,
        restorer=_stored,
        presigner=_putter,
        link=_uploads.link,
        canonical_host=os.environ["CANONICAL_HOST"],
        clock=time.monotonic,
        sleep=time.sleep,
        mapper=ThreadPoolExecutor(AT_ONCE).map,
    )
)
_edge_secret = os.environ["EDGE_SECRET"]
_stack = os.environ["STACK"]


def handle(event: dict[str, Any], _invocation: Invocation) -> dict[str, Any]:
    """Answer one REST API proxy event."""
    started = time.perf_counter()
    request = read_request(event, _edge_secret, fields=FIELDS)
    answered = _api.answer(request)
    written = write_gateway(answered.response, request.method)
    sys.stdout.write(
        write_log_line(
            answered.outcome,
            time.perf_counter() - started,
            status=written["statusCode"],
            request=request,
            request_id=event["requestContext"].get("requestId"),
            stack=_stack,
        )
    )
    return written
