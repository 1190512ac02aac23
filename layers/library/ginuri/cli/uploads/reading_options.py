"""The options `--map` and `--sheet` of the commands that read registry files."""

from __future__ import annotations

import click

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
