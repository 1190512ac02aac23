"""`ginuri redrive`: what failed too often goes back to the queue that uploads are taken in from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus

import click

from ginuri.cli.stack import explaining_failures, find_stack, stack_option
from ginuri.cli.terminal import format_value
from ginuri.identifiers.messages import message

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_AT_ONCE = 10
"""How many messages SQS hands out in one call."""
_HIDDEN_SECONDS = 120
"""How long a message that was received is shown to nobody else."""
_WAIT_SECONDS = 1
"""Only who waits at all is told of every message."""


@dataclass(frozen=True, slots=True)
class Queues:
    """The queue of a stack, and where its messages go that failed too often."""

    sqs: SQSClient
    ingest: str
    dead_letters: str


@click.command("redrive")
@click.option("--dry-run", "is_dry_run", is_flag=True, help="Only tell what lies there.")
@stack_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a message.")
def redrive_command(*, name: str | None, is_dry_run: bool, as_json: bool) -> None:
    """Put what lies in the dead-letter queue back into the ingest queue, and say which uploads that is.

    Mend first what it failed over. No message is lost on the way, and taking in an upload twice changes
    nothing. Exits 0, also where there is nothing to do, and 2 when it could not be carried out.
    """
    number = 0
    with _open_queues(name) as queues:
        for message in count_waiting(queues) if is_dry_run else redrive(queues):
            number += 1
            told = _told(message, is_redriven=not is_dry_run)
            click.echo(json.dumps(told, ensure_ascii=False) if as_json else _line(message))
    if not as_json:
        click.echo(_counted(number, is_redriven=not is_dry_run))


def redrive(queues: Queues) -> Iterator[str]:
    """Move messages one by one, and give the body of received when it has been moved."""
    moved: set[str] = set()
    while messages := _receive(queues):
        for received in messages:
            # What comes a second time has failed again meanwhile. It stays, for whoever looks into it.
            if received["Body"] in moved:
                continue
            # Sent before it is deleted: between the two it is there twice, never not at all.
            queues.sqs.send_message(QueueUrl=queues.ingest, MessageBody=received["Body"])
            queues.sqs.delete_message(QueueUrl=queues.dead_letters, ReceiptHandle=received["ReceiptHandle"])
            moved.add(received["Body"])
            yield received["Body"]


def count_waiting(queues: Queues) -> Iterator[str]:
    """Give the body of each message in the dead-letter queue, and leave all of them there."""
    seen: dict[str, str] = {}
    try:
        while messages := _receive(queues):
            new = [each for each in messages if each["MessageId"] not in seen]
            seen |= {each["MessageId"]: each["ReceiptHandle"] for each in messages}
            yield from (each["Body"] for each in new)
            if not new:
                break
    finally:
        for handle in seen.values():
            queues.sqs.change_message_visibility(
                QueueUrl=queues.dead_letters, ReceiptHandle=handle, VisibilityTimeout=0
            )


def read_uploads(body: str) -> list[tuple[str, str]]:
    """Tell which uploads a message is about, key and version: a notification of S3, or a part of an upload.

    A message of another kind is about none.
    """
    try:
        told = json.loads(body)
        if "upload" in told:
            return [(str(told["upload"]["key"]), str(told["upload"]["version"]))]
        stored = [each["s3"]["object"] for each in told.get("Records", ())]
        return [(unquote_plus(each["key"]), str(each["versionId"])) for each in stored]
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


def _line(body: str) -> str:
    named = [f"{format_value(key)}  (version {format_value(version)})" for key, version in read_uploads(body)]
    return "\n".join(named) or f"a message about no upload: {format_value(body)}"


def _told(body: str, *, is_redriven: bool) -> dict[str, Any]:
    uploads = [{"key": key, "version": version} for key, version in read_uploads(body)]
    return {"uploads": uploads, "redriven": is_redriven, "message": body}


def _counted(number: int, *, is_redriven: bool) -> str:
    if not number:
        return "nothing lies in the dead-letter queue"
    messages = f"{number:,} message{'' if number == 1 else 's'}"
    return (
        f"{messages} put back into the ingest queue"
        if is_redriven
        else f"{messages} in the dead-letter queue"
    )
