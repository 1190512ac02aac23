"""`ginuri redrive`: moves messages from the dead-letter queue back to the ingest queue."""

from __future__ import annotations

import json
from urllib.parse import unquote_plus

import click

from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import format_value, localize_all, say, write_json
from ginuri.identifiers.messages import Message, counted, message


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
    with open_stack(name, message("The queues cannot be used")) as stack:
        messages = stack.dead_letters
        for body in messages.bodies() if is_dry_run else messages.redrive():
            number += 1
            click.echo(_write_json(body, is_redriven=not is_dry_run) if as_json else _describe(body))
    if not as_json:
        say(_total(number, is_redriven=not is_dry_run))


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


def _describe(body: str) -> str:
    uploads = [
        message("{key}  (version {version})", key=format_value(key), version=format_value(version))
        for key, version in read_uploads(body)
    ]
    other = message("a message about no upload: {body}", body=format_value(body))
    return localize_all(uploads or [other], "\n")


def _write_json(body: str, *, is_redriven: bool) -> str:
    uploads = [{"key": key, "version": version} for key, version in read_uploads(body)]
    return write_json({"uploads": uploads, "redriven": is_redriven, "message": body})


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
