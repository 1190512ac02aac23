"""`ginuri check`: checks a registry folder completely."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

import click

from ginuri.cli.folder_stack import explaining_folder
from ginuri.cli.terminal import format_value, localize, progress_bar, say, write_json
from ginuri.identifiers.messages import Message, counted, message, translatable
from ginuri.sqlite.maintenance.check import Check, Damage

_PARTS = {
    "database": translatable("database"),
    "files": translatable("files"),
    "unnamed files": translatable("unnamed files"),
    "records": translatable("records"),
    "history": translatable("history"),
}
"""The parts of a check, in their order."""


@click.command("check")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--remove", "removes", is_flag=True, help="Remove files that nothing in the registry names.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each finding.")
def check_command(folder: Path, *, removes: bool, as_json: bool) -> None:
    """Check the registry in FOLDER completely, also while a server runs: database, files, records, history.

    Prints each finding with its remedy. Exits 0 if all is well, 1 if there is a finding, 2 if FOLDER cannot
    be checked.
    """
    number = 0
    with (
        explaining_folder(message("{folder} cannot be checked", folder=str(folder))),
        progress_bar(count(), str(folder), hidden=as_json) as bar,
    ):

        def show(part: str, checked: int) -> None:
            bar.label, bar.pos = localize(Message(_PARTS[part])), checked
            bar.render_progress()

        for damage in Check(folder, show, removes).run():
            number += 1
            click.echo(write_json(_as_json(damage)) if as_json else _describe(damage))
    if not as_json:
        say(_total(folder, number))
    sys.exit(1 if number else 0)


def _total(folder: Path, number: int) -> Message:
    if not number:
        return message("{folder}: all is well", folder=str(folder))
    return counted("{folder}: {number} finding", "{folder}: {number} findings", number, folder=str(folder))


def _describe(damage: Damage) -> str:
    return f"{format_value(damage.place)}: {localize(damage.reason)} {localize(damage.remedy)}"


def _as_json(damage: Damage) -> dict[str, str]:
    return {"place": damage.place, "reason": str(damage.reason), "remedy": str(damage.remedy)}
