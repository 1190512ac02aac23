"""What all commands of `ginuri import` have in common: arguments, progress, and the result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from ginuri.cli.migration.share_report import describe_share, share_as_json
from ginuri.cli.migration.sources import read_files
from ginuri.cli.terminal import fault, localize, with_progress, write_json, wrong_value
from ginuri.identifiers.errors import MalformedIdentifier, UnreadableFile
from ginuri.identifiers.hosts import parse_host
from ginuri.migration.entries import Files, Outcome, Registration
from ginuri.migration.folders import folder_for
from ginuri.migration.share import share_of
from ginuri.registration.verdicts import shown

_PATH = click.Path(exists=True, readable=True, path_type=Path)
_OUTPUT = click.Path(dir_okay=False, writable=True, path_type=Path)
_DIRECTORY = click.Path(file_okay=False, writable=True, path_type=Path)
_OPTIONS = (
    click.argument("files", nargs=-1, required=True, type=_PATH),
    click.option("--output", type=_OUTPUT, help="The file to write."),
    click.option(
        "--to",
        "directory",
        type=_DIRECTORY,
        help="A folder to write instead, with the folders of uploads; for `ginuri apply`.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
)
_Command = Callable[..., None]


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """The arguments that all commands have."""

    paths: Sequence[Path]
    output: Path | None
    directory: Path | None
    as_json: bool


def import_options(command: _Command) -> _Command:
    """Give a command these arguments, as its first parameter."""

    @wraps(command)
    def run(
        files: Sequence[Path],
        *,
        output: Path | None,
        directory: Path | None,
        as_json: bool,
        **options: Any,  # noqa: ANN401  each command has its own
    ) -> None:
        command(ImportRequest(files, output, directory, as_json), **options)

    given: _Command = run
    for option in reversed(_OPTIONS):
        given = option(given)
    return given


def host_option(default: str = "", text: str = "The host of the names.") -> Callable[[_Command], _Command]:
    """Make the option `--host`."""
    return click.option(
        "--host", type=_read_host, metavar="HOST", default=default, show_default=bool(default), help=text
    )


def run_import(
    request: ImportRequest, names: Sequence[str], convert: Callable[[Files], Iterable[Outcome]]
) -> None:
    """Convert files, and those of folders with names like these; write the registrations and the result."""
    files = read_files(request.paths, names)
    try:
        share = share_of(files, with_progress(convert(files), ", ".join(path.name for path in request.paths)))
    except UnreadableFile as error:
        raise fault(shown(localize(error.reason))) from error
    if request.directory is None:
        _write_lines(str(request.output or "-"), share.registrations)
    else:
        _write_folders(request.directory, share.registrations)
    is_printed = request.output is None and request.directory is None
    # On stdout, the result must not end up among the registrations.
    click.echo(share_as_json(share) if request.as_json else describe_share(share), err=is_printed)
    sys.exit(1 if share.refused else 0)


def _write_lines(file: str, registrations: Iterable[Registration]) -> None:
    with click.open_file(file, "w", encoding="utf-8", lazy=False) as written:
        written.writelines(f"{write_json(line)}\n" for line in registrations)


def _write_folders(directory: Path, registrations: Iterable[Registration]) -> None:
    """Write a file for each folder of uploads, named after the command."""
    name = f"{click.get_current_context().command.name}.jsonl"
    folders: dict[str, list[Registration]] = {}
    for line in registrations:
        folders.setdefault(folder_for(line), []).append(line)
    for folder, lines in folders.items():
        (directory / folder).mkdir(parents=True, exist_ok=True)
        _write_lines(str(directory / folder / name), lines)


def _read_host(value: str) -> str:
    try:
        return parse_host(value).normal_form.strip("/") if value else ""
    except MalformedIdentifier as error:
        raise wrong_value(error.words) from error
