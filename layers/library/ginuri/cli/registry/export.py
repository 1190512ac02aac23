"""`ginuri export`: what stands, as the files that register it elsewhere; and all that was ever stated."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from ginuri.cli.registry.file_export import FileExporter, write_as_table
from ginuri.cli.stack import open_archive, stack_option
from ginuri.cli.uploads.folder import folder_option
from ginuri.files.export import ExportedLine, Values, authority_folder, files_of, place_in_folders, prefix_of
from ginuri.files.lines import sort_lines
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registry.record.history import History
from ginuri.registry.record.record import is_first

NAME = "export.jsonl"
"""What a file is called in each folder."""


@click.command("export")
@folder_option(
    "--under",
    "folder",
    help="As of an upload: a prefix such as uri-gin/azgs/, or _host/ for schemes, hosts and authorities.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file to write, such as azgs.jsonl; without it, they are printed.",
)
@click.option(
    "--to",
    "directory",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    help="A new folder to write, laid out as uploads are: all that is registered, where no prefix is named.",
)
@click.option("--files", "with_files", is_flag=True, help="With --to: the stored files as well.")
@click.option("--csv", "as_table", is_flag=True, help="With --to: tables, one row a representation.")
@click.option(
    "--history", "all_of_it", is_flag=True, help="All that was ever stated, and where; not to load."
)
@stack_option
def export_command(  # noqa: PLR0913  the options of a command
    *,
    folder: str | None,
    output: Path | None,
    directory: Path | None,
    with_files: bool,
    as_table: bool,
    all_of_it: bool,
    name: str | None,
) -> None:
    """Write what stands under a prefix as JSON lines that `ginuri upload --under` that prefix takes in.

    The whole table is read. Exits 1 where nothing is registered under the prefix, or a stored file could not
    be had.
    """
    if directory is not None:
        if output is not None or all_of_it:
            raise click.UsageError("--to writes a folder: leave out --output and --history")
        sys.exit(_write_folder(directory, folder, name, with_files=with_files, as_table=as_table))
    if with_files or as_table:
        raise click.UsageError("--files and --csv write several files: name a folder with --to")
    if folder is None and not all_of_it:
        raise click.UsageError("name a prefix with --under, or a folder for everything with --to")
    sys.exit(_write_lines(output, folder, name, all_of_it=all_of_it))


def _write_lines(output: Path | None, folder: str | None, name: str | None, *, all_of_it: bool) -> int:
    noted = _UnwrittenFiles(folder)
    with (
        open_archive(name) as archive,
        click.open_file(str(output or "-"), "w", encoding="utf-8", lazy=False) as file,
    ):
        if all_of_it:
            lines = _histories(archive.histories(prefix_of(folder or "")))
        else:
            standing = noted.noting(_shown(archive.standing(prefix_of(folder or "")), folder))
            lines = (line for placed in _sorted(place_in_folders(standing, folder)) for line in placed.lines)
        count = 0
        for line in lines:
            file.write(f"{line}\n")
            count += 1
    if output is not None:
        load = "" if all_of_it else f"; load them: ginuri upload {output} --under {folder}"
        click.echo(f"{output}: {count} lines{load}", err=True)
    noted.tell()
    if not count:
        click.echo(f"nothing is registered under {folder or 'any prefix'}", err=True)
    return 0 if count else 1


def _write_folder(
    directory: Path, folder: str | None, name: str | None, *, with_files: bool, as_table: bool
) -> int:
    if directory.exists() and any(directory.iterdir()):
        raise click.UsageError(f"{directory} is not empty: name a new folder")
    noted = _UnwrittenFiles(folder)
    count, taker = 0, FileExporter(name, directory, folder) if with_files else None
    with open_archive(name) as archive:
        standing = _shown(archive.standing(prefix_of(folder or "")), folder)
        standing = taker.taking(standing) if taker else noted.noting(standing)
        with closing(_sorted(place_in_folders(standing, folder))) as records:
            for where, same in groupby(records, key=attrgetter("folder")):
                file = directory / where / NAME
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("w", encoding="utf-8", newline="\n") as opened:
                    for line in (line for placed in same for line in placed.lines):
                        opened.write(f"{line}\n")
                        count += 1
                for written in write_as_table(file) if as_table else (file,):
                    click.echo(str(written))
    noted.tell()
    if not count:
        click.echo(f"nothing is registered under {folder or 'any prefix'}", err=True)
    return 0 if count and (taker is None or taker.is_whole()) else 1


def _sorted(records: Iterable[ExportedLine]) -> Generator[ExportedLine]:
    """Sort by folder and identifier, in neither of which there is a tab."""
    lines = (f"{folder}\t{identifier}\t{json.dumps(texts)}" for folder, identifier, texts in records)
    for line in sort_lines(lines):
        folder, identifier, texts = line.split("\t", 2)
        yield ExportedLine(folder, identifier, json.loads(texts))


def _shown(standing: Iterable[tuple[str, Values]], folder: str | None) -> Iterable[tuple[str, Values]]:
    """Hand on what stands, and show how far it is."""
    shown: Iterable[tuple[str, Values]] = tqdm(
        standing, desc=folder or "all", unit=" identifiers", disable=not sys.stderr.isatty(), leave=False
    )
    return shown


@dataclass(slots=True)
class _UnwrittenFiles:
    """The stored files that are named and not written."""

    folder: str | None
    count: int = 0
    outside: int = 0
    first_outside: str = ""

    def noting(self, standing: Iterable[tuple[str, Values]]) -> Iterator[tuple[str, Values]]:
        """Hand on what stands, and count the stored files."""
        for identifier, values in standing:
            where = self.folder or authority_folder(identifier)
            for file in files_of(values) if identifier.startswith(folder_to_prefix(where)) else ():
                self.count += 1
                if not file.key.startswith(where):
                    self.outside += 1
                    self.first_outside = self.first_outside or file.key
            yield identifier, values

    def tell(self) -> None:
        """Say what is to be done about them."""
        if self.count:
            told = "stored files are named, not written; put them into the uploads bucket first"
            click.echo(f"{self.count} {told}", err=True)
        if self.outside:
            where = self.folder or "the folder that names it"
            told = f"{self.outside} of them are not under {where} ({self.first_outside})"
            click.echo(f"{told}: export a shorter prefix", err=True)


def _histories(histories: Iterable[History]) -> Iterator[str]:
    for history in histories:
        for each in history.statements:
            if not is_first(each.path):
                stamp = each.stamp
                told: dict[str, Any] = {
                    "identifier": history.identifier,
                    "put": stamp.put,
                    "upload": stamp.upload,
                    "version": stamp.version,
                    "line": stamp.line,
                    "field": each.path,
                    "value": each.value,
                }
                yield json.dumps(told, ensure_ascii=False)
