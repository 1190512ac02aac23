"""Which stack a command works on: one deployed to AWS, or the one that runs on this machine."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import click

from ginuri.identifiers.service_paths import report_path

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

LOCAL_STACK_VARIABLE = "GINURI_LOCAL_STACK"
"""Names the file in which a local stack tells how it is reached, where it is not the usual one."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Where uploads go and reports come from."""

    name: str
    """As it is told to people."""
    s3: S3Client
    uploads_bucket: str
    reports_bucket: str
    service: str = ""
    """Where it answers, if it shows reports there: a stack in AWS does not."""

    def report_address(self, key: str) -> str:
        """Give where an object of the reports bucket is read: on the web, or in S3."""
        return f"{self.service}{report_path(key)}" if self.service else f"s3://{self.reports_bucket}/{key}"


def find_stack(name: str | None) -> Stack:
    """Find the stack of that name in AWS; without a name, the one that runs on this machine.

    Raises click.UsageError where there is none.
    """
    return _deployed(name) if name else _local()


def find_content(name: str | None) -> tuple[S3Client, str]:
    """Find where a stack keeps stored files, likewise. Raises click.UsageError where there is none."""
    if name:
        [bucket] = outputs_of(name, "ContentBucket")
        return boto3.client("s3"), bucket
    with told_by_local_stack() as told:
        return boto3.client("s3", **access_of(told)), told["content_bucket"]


def local_stack_file() -> Path:
    """Give the file in which the stack of this environment tells how it is reached while it runs."""
    return Path(os.environ.get(LOCAL_STACK_VARIABLE) or Path(sys.prefix) / "ginuri-local-stack.json")


@contextmanager
def told_by_local_stack() -> Iterator[dict[str, Any]]:
    """Give what the local stack tells of itself.

    Raises click.UsageError where none runs, or where it lacks something.
    """
    try:
        yield json.loads(local_stack_file().read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise click.UsageError(
            "no stack: start the local one with `make serve`, or name one in AWS with --stack"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise click.UsageError(
            f"{local_stack_file()} tells of no running stack ({error}); start it anew: make serve"
        ) from error


def access_of(told: Mapping[str, str]) -> dict[str, Any]:
    """Give what a client of the local stack is made with."""
    return {
        "endpoint_url": told["endpoint"],
        "region_name": told["region"],
        "aws_access_key_id": told["access_key"],
        "aws_secret_access_key": told["secret_key"],
    }


def outputs_of(name: str, *wanted: str) -> list[str]:
    """Give outputs of a stack in AWS. Raises click.UsageError where it has none of that name."""
    described = boto3.client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in described.get("Outputs", ())}
    try:
        return [outputs[each] for each in wanted]
    except KeyError as error:
        raise click.UsageError(f"the stack {name} is none of ginuri: it has no output {error}") from None


def _local() -> Stack:
    with told_by_local_stack() as told:
        client: S3Client = boto3.client("s3", **access_of(told))
        name = f"the local stack at {told['service']}"
        return Stack(name, client, told["uploads_bucket"], told["reports_bucket"], told["service"])


def _deployed(name: str) -> Stack:
    uploads, reports = outputs_of(name, "UploadsBucket", "ReportsBucket")
    return Stack(f"the stack {name}", boto3.client("s3"), uploads, reports)
