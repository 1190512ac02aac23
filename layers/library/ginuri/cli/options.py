"""Options of several commands: the folder of an upload, and how its file is read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial, wraps
from typing import Any

import click

from ginuri.cli.terminal import wrong_value
from ginuri.files.options import HIDDEN_ROWS, READING, REGISTRATIONS, UploadOptions
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import folder_to_prefix, prefix_to_folder
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.verdicts import Finding
from ginuri.registry.clock import write_moment

map_option = click.option(
    "--map",
    "columns",
    default="",
    help="Which column is which field, identifier=uri,title=label, or how columns make it, "
    "identifier=uri-gin/azgs/well/{ID}; "
    "of RDF which names are ours, http://x/{+rest}=uri-gin/…",
)
sheet_option = click.option(
    "--sheet",
    default="",
    metavar="NAME",
    help="The sheet of a workbook to read, several as Wells/Maps, or * for all with a column `identifier`; "
    "without it, the first visible one.",
)
_encoding = click.option(
    "--encoding",
    default="",
    metavar="NAME",
    help="The code page of a text that is not UTF-8, such as windows-1252.",
)
_hidden_rows = click.option(
    "--hidden-rows",
    type=click.Choice(HIDDEN_ROWS),
    help="Register the hidden rows of a sheet, or leave them out; without it, they are registered with a "
    "warning.",
)
_links = click.option(
    "--links",
    default="",
    metavar="COLUMNS",
    help="The columns of a sheet whose cells stand for the web addresses that they link to.",
)


def _read_dates(value: str) -> str:
    from ginuri.files.mapping.date_columns import read_orders

    if isinstance(fault := read_orders(value), Finding):
        raise wrong_value(fault.message)
    return value


_dates = click.option(
    "--dates",
    type=_read_dates,
    default="",
    metavar="ORDERS",
    help="The order of dates such as 3/4/2024, day-first or month-first, or by column, Issued=day-first; "
    "without it, they are refused.",
)
read_as_option = click.option(
    "--read-as",
    type=click.Choice([REGISTRATIONS]),
    help="Read a .json or .geojson file, an array of objects or GeoJSON features, instead of storing it.",
)


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of how a file is read, which the command receives as `reading`."""

    @wraps(command)
    def run(**given: Any) -> None:  # noqa: ANN401  values of any option
        texts: dict[str, Any] = {field: given.pop(field, "") or "" for field in READING}
        command(reading=UploadOptions(**texts), **given)

    for option in (_dates, _links, _hidden_rows, _encoding, sheet_option, map_option):
        run = option(run)
    return run


def read_folder(value: str) -> str:
    """Read a prefix in any spelling, with or without host and final slash, as a folder."""
    folder = value if value.endswith(("/", ":")) else f"{value}/"
    if folder == HOST_FOLDER:
        return folder
    # The folder of a host starts with its name, which contains a dot; a scheme does not.
    is_hosts = "://" not in folder and "." in folder.partition("/")[0]
    try:
        return prefix_to_folder(parse(folder_to_prefix(folder) if is_hosts else folder).normal_form)
    except MalformedIdentifier as error:
        raise wrong_value(
            message(
                "{reason} For schemes, hosts and name authorities, write {folder}.",
                reason=error.words,
                folder=HOST_FOLDER,
            )
        ) from error


def read_moment(value: str) -> str:
    """Read a day, or a moment in UTC, as stamps write it: RFC 3339 with milliseconds."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise wrong_value(
            message(
                "{value} is neither a day nor a moment. Write it as in {examples}.",
                value=repr(value),
                examples="2026-11-01, 2026-11-01T08:00Z",
            )
        ) from None
    return write_moment(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


folder_option = partial(click.option, type=read_folder, metavar="PREFIX")
"""An option that reads a prefix in any spelling, with or without host and final slash, as a folder."""
