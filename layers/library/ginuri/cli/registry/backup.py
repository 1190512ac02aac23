"""`ginuri backup`: copies a registry folder, also while a server runs."""

from __future__ import annotations

import sys
from dataclasses import asdict
from itertools import count
from pathlib import Path

import click

from ginuri.cli.folder_stack import explaining_folder
from ginuri.cli.terminal import localize, progress_bar, write_json
from ginuri.identifiers.messages import Message, counted, message
from ginuri.sqlite.maintenance.backup import BackupResult, back_up


@click.command("backup")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("target", type=click.Path(file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def backup_command(folder: Path, target: Path, *, as_json: bool) -> None:
    """Back up the registry in FOLDER into TARGET, also while a server runs.

    TARGET is a new folder, or an older backup of this registry: then only new files are copied. `ginuri serve
    TARGET` serves a backup. Exits 1 if a file is missing or damaged, 2 if there is no new backup.
    """
    with (
        explaining_folder(message("There is no new backup of {folder}", folder=str(folder))),
        progress_bar(count(), str(folder), hidden=as_json) as bar,
    ):

        def show(number: int, of: int) -> None:
            bar.length = of
            bar.make_step(number - bar.pos)
            bar.render_progress()

        result = back_up(folder, target, show)
    if as_json:
        click.echo(write_json(asdict(result)))
    else:
        click.echo("\n".join(map(localize, _describe(result, folder, target))))
    sys.exit(1 if result.damaged else 0)


def _describe(result: BackupResult, folder: Path, target: Path) -> list[Message]:
    copied = counted(
        "{target}: {number} file copied ({size} bytes), {present} there already",
        "{target}: {number} files copied ({size} bytes), {present} there already",
        result.copied,
        target=str(target),
        size=f"{result.bytes:,}",
        present=f"{result.present:,}",
    )
    if not result.damaged:
        return [copied]
    damaged = counted(
        "{number} file is missing or damaged, so that the backup lacks it. {command} names it and the "
        "remedy.",
        "{number} files are missing or damaged, so that the backup lacks them. {command} names them and the "
        "remedy.",
        len(result.damaged),
        command=f"`ginuri check {folder}`",
    )
    return [copied, damaged]
