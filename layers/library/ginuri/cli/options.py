"""Options of several commands: the folder of an upload, `--map` and `--sheet`."""

from __future__ import annotations

from functools import partial

import click

from ginuri.cli.terminal import wrong_value
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import folder_to_prefix, prefix_to_folder
from ginuri.identifiers.stewards import HOST_FOLDER

map_option = click.option(
    "--map",
    "columns",
    default="",
    help="Which column is which field, identifier=uri,title=label; "
    "of RDF which names are ours, http://x/{+rest}=uri-gin/…",
)
sheet_option = click.option(
    "--sheet",
    default="",
    metavar="NAME",
    help="The sheet of a workbook to read; without it, the first visible one with a column `identifier`.",
)


def _read_folder(value: str) -> str:
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


folder_option = partial(click.option, type=_read_folder, metavar="PREFIX")
"""An option that reads a prefix in any spelling, with or without host and final slash, as a folder."""
