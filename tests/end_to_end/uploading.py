"""Uploads like a steward, and waits for the report."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from ginuri.files.reports.report import report_key
from ginuri.files.reports.summary import summary_key
from infra.local.stack import Stack

_SECONDS = 60


def put(stack: Stack, key: str, body: bytes, options: Mapping[str, str] | None = None) -> str:
    """Upload a file, and return its version."""
    bucket = stack.uploads_bucket
    return stack.client("s3").put_object(Bucket=bucket, Key=key, Body=body, Metadata=options or {})[
        "VersionId"
    ]


def upload(stack: Stack, key: str, body: bytes, options: Mapping[str, str] | None = None) -> Any:
    """Upload a registry file, and return its report."""
    return wait_for_report(stack, key, put(stack, key, body, options))


def wait_for_report(stack: Stack, key: str, version: str) -> Any:
    """Return the report on an upload, once the summary is there too if the report is complete."""
    wanted, s3 = report_key(key, version), stack.client("s3")
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        try:
            report = json.loads(s3.get_object(Bucket=stack.reports_bucket, Key=wanted)["Body"].read())
            if report["is_complete"]:
                s3.head_object(Bucket=stack.reports_bucket, Key=summary_key(key, version))
        except s3.exceptions.ClientError:
            time.sleep(0.05)
        else:
            return report
    raise AssertionError(f"no report at {wanted}")
