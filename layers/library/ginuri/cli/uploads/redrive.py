"""`ginuri redrive`: moves messages from the dead-letter queue back to the ingest queue."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus

import click

from ginuri.cli.stack import explaining_failures, find_stack, stack_option
from ginuri.cli.terminal import format_value, localize, localize_all
from ginuri.identifiers.messages import Message, counted, message

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_AT_ONCE = 10
"""The maximum number of messages that SQS returns in one call."""
_HIDDEN_SECONDS = 120
"""The seconds that a received message is hidden from other consumers."""
_WAIT_SECONDS = 1
"""With a wait time, SQS asks all of its servers, so that no message is overlooked."""


@dataclass(frozen=True, slots=True)
class Queues:
    """The ingest queue of a stack, and its dead-letter queue."""

    sqs: SQSClient
    ingest: str
    dead_letters: str


@click.command("redrive")
@click.option("--dry-run", "is_dry_run", is_flag=True, help="List the messages and leave them there.")
@stack_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per message.")
def redrive_command(*, name: str | None, is_dry_run: bool, as_json: bool) -> None:
    """Move the messages in the dead-letter queue back to the ingest queue, and list their uploads.

    Fix the cause of the failures first. No message is lost on the way, and processing an upload twice changes
    nothing. Exits 0, also if the queue is empty, and 2 if the command could not be carried out.
    """
    number = 0
    with _open_queues(name) as queues:
        for body in list_messages(queues) if is_dry_run else redrive(queues):
            number += 1
            members = _as_json(body, is_redriven=not is_dry_run)
            click.echo(json.dumps(members, ensure_ascii=False) if as_json else _describe(body))
    if not as_json:
        click.echo(localize(_total(number, is_redriven=not is_dry_run)))


def redrive(queues: Queues) -> Iterator[str]:
    """Move the messages one by one, and yield the body of each after it was moved."""
    moved: set[str] = set()
    while messages := _receive(queues):
        for received in messages:
            # A message that comes a second time has failed again meanwhile, and stays to be examined.
            if received["Body"] in moved:
                continue
            # Sent before it is deleted, so that it is never lost.
            queues.sqs.send_message(QueueUrl=queues.ingest, MessageBody=received["Body"])
            queues.sqs.delete_message(QueueUrl=queues.dead_letters, ReceiptHandle=received["ReceiptHandle"])
            moved.add(received["Body"])
            yield received["Body"]


def list_messages(queues: Queues) -> Iterator[str]:
    """Yield the body of each message in the dead-letter queue, and leave all of them there."""
    seen: dict[str, str] = {}
    try:
        while messages := _receive(queues):
            new = [received["Body"] for received in messages if received["MessageId"] not in seen]
            seen |= {received["MessageId"]: received["ReceiptHandle"] for received in messages}
            yield from new
            if not new:
                break
    finally:
        for handle in seen.values():
            queues.sqs.change_message_visibility(
                QueueUrl=queues.dead_letters, ReceiptHandle=handle, VisibilityTimeout=0
            )


def read_uploads(body: str) -> list[tuple[str, str]]:
    """Read the keys and versions of the uploads in a notification of S3 or a work item of an upload.

    A message of another kind has none.
    """
    try:
        content = json.loads(body)
        if "upload" in content:
            return [(str(content["upload"]["key"]), str(content["upload"]["version"]))]
        objects = [record["s3"]["object"] for record in content.get("Records", ())]
        return [(unquote_plus(stored["key"]), str(stored["versionId"])) for stored in objects]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []


def _receive(queues: Queues) -> Sequence[MessageTypeDef]:
    return queues.sqs.receive_message(
        QueueUrl=queues.dead_letters,
        MaxNumberOfMessages=_AT_ONCE,
        VisibilityTimeout=_HIDDEN_SECONDS,
        WaitTimeSeconds=_WAIT_SECONDS,
    ).get("Messages", [])


@contextmanager
def _open_queues(name: str | None) -> Iterator[Queues]:
    with explaining_failures(message("The queues cannot be used")):
        stack = find_stack(name)
        yield Queues(stack.client("sqs"), stack.output("IngestQueue"), stack.output("IngestDeadLetterQueue"))


def _describe(body: str) -> str:
    uploads = [
        message("{key}  (version {version})", key=format_value(key), version=format_value(version))
        for key, version in read_uploads(body)
    ]
    other = message("a message about no upload: {body}", body=format_value(body))
    return localize_all(uploads or [other], "\n")


def _as_json(body: str, *, is_redriven: bool) -> dict[str, Any]:
    uploads = [{"key": key, "version": version} for key, version in read_uploads(body)]
    return {"uploads": uploads, "redriven": is_redriven, "message": body}


def _total(number: int, *, is_redriven: bool) -> Message:
    if not number:
        return message("The dead-letter queue is empty.")
    if is_redriven:
        return counted(
            "{number} message put back into the ingest queue",
            "{number} messages put back into the ingest queue",
            number,
        )
    return counted(
        "{number} message in the dead-letter queue", "{number} messages in the dead-letter queue", number
    )
