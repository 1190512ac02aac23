"""Which stack a command works on: one deployed to AWS, or the one that runs on this machine."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import click

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


def find_stack(name: str | None) -> Stack:
    """Find the stack of that name in AWS; without a name, the one that runs on this machine.

    Raises click.UsageError where there is none.
    """
    return _deployed(name) if name else _local()


def local_stack_file() -> Path:
    """Give the file in which the stack of this environment tells how it is reached while it runs."""
    return Path(os.environ.get(LOCAL_STACK_VARIABLE) or Path(sys.prefix) / "ginuri-local-stack.json")


def _local() -> Stack:
    try:
        told = json.loads(local_stack_file().read_text(encoding="utf-8"))
        client = boto3.client(
            "s3",
            endpoint_url=told["endpoint"],
            region_name=told["region"],
            aws_access_key_id=told["access_key"],
            aws_secret_access_key=told["secret_key"],
        )
        name = f"the local stack at {told['service']}"
        return Stack(name, client, told["uploads_bucket"], told["reports_bucket"])
    except FileNotFoundError:
        raise click.UsageError(
            "no stack: start the local one with `make serve`, or name one in AWS with --stack"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise click.UsageError(
            f"{local_stack_file()} tells of no running stack ({error}); start it anew: make serve"
        ) from error


def _deployed(name: str) -> Stack:
    described = boto3.client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in described.get("Outputs", ())}
    try:
        uploads, reports = outputs["UploadsBucket"], outputs["ReportsBucket"]
    except KeyError as error:
        raise click.UsageError(f"the stack {name} is none of ginuri: it has no output {error}") from None
    return Stack(f"the stack {name}", boto3.client("s3"), uploads, reports)
