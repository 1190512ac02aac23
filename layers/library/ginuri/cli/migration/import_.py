"""`ginuri import`: the entries of another resolver, as a registry file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from ginuri.cli.terminal import fault, localize, write_json, wrong_value
from ginuri.identifiers.errors import MalformedIdentifier, UnreadableFile
from ginuri.identifiers.hosts import parse_host
from ginuri.identifiers.messages import message
from ginuri.migration.entries import ImportCounts, Outcome, count_entries
from ginuri.migration.obo import HOST, import_obo
from ginuri.migration.uriredirect import import_uriredirect
from ginuri.registration.verdicts import shown

_OUTPUT = click.Path(dir_okay=False, writable=True, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


def _read_host(value: str) -> str:
    try:
        return parse_host(value).normal_form.strip("/") if value else ""
    except MalformedIdentifier as error:
        raise wrong_value(error.words) from error


_OPTIONS = (
    click.argument("files", nargs=-1, required=True, type=_FILE),
    click.option("--output", type=_OUTPUT, help="The file to write."),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
)


def _common(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.group("import")
def import_command() -> None:
    """Convert the entries of another resolver to a registry file.

    Writes JSON lines for `ginuri upload`, to stdout or --output. An entry that cannot be converted is listed
    with its line and the reason. Exits 1 if there is one, 2 if a file could not be read.
    """


@import_command.command("obo")
@_common
@click.option(
    "--host", type=_read_host, metavar="HOST", default=HOST, show_default=True, help="The host of the names."
)
def obo_command(files: Sequence[Path], *, output: Path | None, as_json: bool, host: str) -> None:
    """Import FILES of config/*.yml of OBO's PURLs. Name all files that share a host in one command."""
    _import(import_obo, files, output, host, as_json=as_json)


@import_command.command("uriredirect")
@_common
@click.option(
    "--host",
    type=_read_host,
    metavar="HOST",
    default="",
    help="The host of registers that are not a scheme uri-….",
)
def uriredirect_command(files: Sequence[Path], *, output: Path | None, as_json: bool, host: str) -> None:
    """Import FILES of fixtures of usgin/uriredirect, JSON or YAML. Name all four tables in one command."""
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
        # The shortest name that is unique.
        contents[file.name if file.name not in contents else str(file)] = file.read_bytes()
    try:
        result = count_entries(importer(contents, host))
    except UnreadableFile as error:
        raise fault(shown(localize(error.reason))) from error
    with click.open_file(str(output or "-"), "w", encoding="utf-8", lazy=False) as written:
        written.writelines(f"{write_json(line)}\n" for line in result.registrations)
    # On stdout, the result must not end up among the registrations.
    click.echo(_as_json(result) if as_json else _describe(result), err=output is None)
    sys.exit(1 if result.refused else 0)


def _describe(result: ImportCounts) -> str:
    summary = message(
        "{imported} of {entries} entries imported, {refused} refused",
        imported=f"{result.imported:,}",
        entries=f"{result.entries:,}",
        refused=f"{len(result.refused):,}",
    )
    refused = [
        message(
            "{file}, line {line}: {entry}: {reason}",
            file=shown(entry.place.file),
            line=str(entry.place.line),
            entry=shown(entry.place.name),
            reason=shown(localize(entry.reason)),
        )
        for entry in result.refused
    ]
    return "\n".join([localize(summary), *(f"  {localize(line)}" for line in refused)])


def _as_json(result: ImportCounts) -> str:
    return write_json(
        {
            "entries": result.entries,
            "taken": result.imported,
            "registrations": len(result.registrations),
            "refused": [
                {
                    "file": entry.place.file,
                    "line": entry.place.line,
                    "entry": entry.place.name,
                    "reason": str(entry.reason),
                }
                for entry in result.refused
            ],
        },
        indent=1,
    )
