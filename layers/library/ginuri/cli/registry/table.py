"""The table of a stack, read with the rights of whoever asks: no function may read the past."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import boto3
import click
from botocore.exceptions import BotoCoreError, ClientError

from ginuri.aws.dynamodb.archive import DynamoArchive
from ginuri.cli.stack import access_of, outputs_of, told_by_local_stack
from ginuri.identifiers.errors import RegistryUnavailable

stack_option = click.option(
    "--stack", "name", envvar="GINURI_STACK", help="A stack in AWS; without it, the one that runs here."
)


@contextmanager
def open_archive(name: str | None) -> Iterator[DynamoArchive]:
    """Open the table of the stack of that name in AWS; without a name, of the one that runs on this machine.

    Raises click.UsageError where there is none, or where it cannot be read.
    """
    try:
        yield _deployed(name) if name else _local()
    except (ClientError, BotoCoreError, RegistryUnavailable) as error:
        raise click.UsageError(f"the registry cannot be read: {error}") from error


def _local() -> DynamoArchive:
    with told_by_local_stack() as told:
        return DynamoArchive(boto3.client("dynamodb", **access_of(told)), told["registry_table"])


def _deployed(name: str) -> DynamoArchive:
    [table] = outputs_of(name, "RegistryTable")
    return DynamoArchive(boto3.client("dynamodb"), table)
