"""The logs that a command reads, and their options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from ginuri.cli.terminal import fault, with_progress, wrong_value
from ginuri.identifiers.messages import message
from ginuri.migration.inventories.inventory import Inventory, files_under, read_log
from ginuri.migration.inventories.logged_request import LineReader
from ginuri.migration.inventories.text_logs import compile_format

_Command = TypeVar("_Command", bound=Callable[..., Any])
log_paths = click.Path(exists=True, readable=True, path_type=Path)
"""A log, or a folder of logs."""


def log_options(command: _Command) -> _Command:
    """Add the options of logs."""
    stated = click.option(
        "--log-format",
        "line_reader",
        metavar="FORMAT",
        callback=_compile,
        help="The format of the logs: a LogFormat of Apache httpd, or a log_format of nginx.",
    )
    host = click.option(
        "--host", metavar="HOST", default="", help="The host of requests whose log does not have it."
    )
    return stated(host(command))


def _compile(_context: click.Context, _parameter: click.Parameter, value: str | None) -> LineReader | None:
    try:
        return None if value is None else compile_format(value)
    except ValueError:
        raise wrong_value(
            message(
                "{format} has neither %r nor $request nor $request_uri, so that the path of a request is "
                "not in the log.",
                format=repr(value),
            )
        ) from None


def read_logs(paths: Sequence[Path], host: str, line_reader: LineReader | None) -> Inventory:
    """Count the requests of logs. Raises CommandFailed if one cannot be read, or none has a request."""
    inventory = Inventory(host)
    for file in (file for path in paths for file in files_under(path)):
        try:
            for request in with_progress(read_log(file, line_reader), file.name):
                inventory.add(request)
        except (OSError, EOFError) as error:
            raise fault(message("{file}: {reason}", file=str(file), reason=str(error))) from error
    if not inventory.counts:
        raise fault(message("{file} contains no requests.", file=", ".join(map(str, paths))))
    return inventory
