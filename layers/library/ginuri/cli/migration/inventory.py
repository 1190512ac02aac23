"""`ginuri inventory`: counts the requests in the logs of a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ginuri.cli.migration.log_files import log_options, log_paths, read_logs
from ginuri.cli.terminal import say
from ginuri.identifiers.messages import Words, counted, message
from ginuri.migration.inventories.inventory import Inventory
from ginuri.migration.inventories.logged_request import LineReader


@click.command("inventory")
@click.argument("logs", nargs=-1, required=True, type=log_paths)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file to write, such as inventory.jsonl; without it, lines are printed.",
)
@log_options
def inventory_command(
    logs: Sequence[Path], *, output: Path | None, host: str, line_reader: LineReader | None
) -> None:
    """Count the requests in LOGS by address and Accept, for `ginuri verify --from-log`.

    LOGS are access logs of Apache httpd, nginx, Caddy, IIS, CloudFront, S3 or ALB, compressed or not, folders
    of logs, or inventories. Only GET and HEAD count. Without --log-format, the first line shows the format.
    The result names no client: an object for each address and header, the most requested address first.
    """
    inventory = read_logs(logs, host, line_reader)
    with click.open_file(str(output or "-"), "w", encoding="utf-8", lazy=False) as written:
        written.writelines(f"{line}\n" for line in inventory.lines())
    for words in describe_inventory(inventory):
        say(words, err=True)


def describe_inventory(inventory: Inventory) -> Iterator[Words]:
    """Describe what was counted, and what was not."""
    yield message(
        "requests: {requests}, addresses and headers: {kinds}",
        requests=f"{inventory.requests:,.0f}",
        kinds=f"{len(inventory.counts):,}",
    )
    if any(kind.accept is None for kind in inventory.counts):
        yield message("The logs do not have the header Accept of all requests.")
    if any(not kind.host for kind in inventory.counts):
        yield message("The logs do not have the host of all requests. Name it with --host.")
    if inventory.other_methods:
        methods = ", ".join(f"{method} {count:,}" for method, count in inventory.other_methods.most_common(5))
        yield message("not counted, by method: {methods}", methods=methods)
    if inventory.unread:
        yield counted(
            "not counted: {number} line without a request",
            "not counted: {number} lines without a request",
            inventory.unread,
        )
