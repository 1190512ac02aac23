"""`ginuri import`: what another resolver keeps, as a registry file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.hosts import parse_host
from ginuri.migration.entries import ImportCounts, Outcome, count_entries
from ginuri.migration.obo import HOST, import_obo
from ginuri.migration.uriredirect import import_uriredirect
from ginuri.registration.verdicts import shown

_OUTPUT = click.Path(dir_okay=False, writable=True, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


def _read_host(value: str) -> str:
    return parse_host(value).normal_form.strip("/") if value else ""


_OPTIONS = (
    click.argument("files", nargs=-1, required=True, type=_FILE),
    click.option("--output", type=_OUTPUT, help="The file to write."),
    click.option("--json", "as_json", is_flag=True, help="Say as JSON what was taken and what was not."),
)


def _common(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.group("import")
def import_command() -> None:
    """Make a registry file of what another resolver keeps.

    JSON lines for `ginuri upload`, on stdout or in --output; each entry is taken, or told with its line and
    why not. Exits 1 where one was not taken, 2 where a file could not be read.
    """


@import_command.command("obo")
@_common
@click.option(
    "--host", type=_read_host, metavar="HOST", default=HOST, show_default=True, help="The host of the names."
)
def obo_command(files: Sequence[Path], *, output: Path | None, as_json: bool, host: str) -> None:
    """Import FILES of config/*.yml of OBO's PURLs, all that answer for one another at once."""
    _import(import_obo, files, output, host, as_json=as_json)


@import_command.command("uriredirect")
@_common
@click.option(
    "--host",
    type=_read_host,
    metavar="HOST",
    default="",
    help="The host of registers that are no scheme uri-….",
)
def uriredirect_command(files: Sequence[Path], *, output: Path | None, as_json: bool, host: str) -> None:
    """Import FILES of fixtures of usgin/uriredirect, JSON or YAML, all four tables at once."""
    _import(import_uriredirect, files, output, host, as_json=as_json)


def _import(
    importer: Callable[[Mapping[str, bytes], str], Sequence[Outcome]],
    files: Sequence[Path],
    output: Path | None,
    host: str,
    *,
    as_json: bool,
) -> None:
    contents: dict[str, bytes] = {}
    for file in files:
        # Named as shortly as they can be told apart.
        name = file.name if file.name not in contents else str(file)
        contents[name] = file.read_bytes()
    try:
        share = count_entries(importer(contents, host))
    except UnreadableFile as error:
        raise click.UsageError(shown(error.reason)) from error
    with click.open_file(str(output or "-"), "w", encoding="utf-8", lazy=False) as written:
        written.writelines(f"{json.dumps(each, ensure_ascii=False)}\n" for each in share.registrations)
    # What is said does not stand among the lines.
    click.echo(_told(share) if as_json else _describe(share), err=output is None)
    sys.exit(1 if share.refused else 0)


def _describe(share: ImportCounts) -> str:
    told = [f"{share.taken} of {share.entries} entries, {len(share.refused)} refused"]
    told += [
        f"  {shown(each.place.file)}, line {each.place.line}: {shown(each.place.name)}: {shown(each.reason)}"
        for each in share.refused
    ]
    return "\n".join(told)


def _told(share: ImportCounts) -> str:
    refused = [
        {
            "file": each.place.file,
            "line": each.place.line,
            "entry": each.place.name,
            "reason": each.reason,
        }
        for each in share.refused
    ]
    whole: dict[str, Any] = {
        "entries": share.entries,
        "taken": share.taken,
        "registrations": len(share.registrations),
        "refused": refused,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1)
