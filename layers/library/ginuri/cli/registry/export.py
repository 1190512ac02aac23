"""`ginuri export`: the registry as files that can be uploaded again, or with its whole history."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import click

from ginuri.cli.options import folder_option, read_moment
from ginuri.cli.ports import Stack
from ginuri.cli.registry.file_export import FileExporter, write_as_table
from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import fault, format_value, localize, say, with_progress, write_json
from ginuri.files.export import ExportedLine, Values, authority_folder, files_of, place_in_folders, prefix_of
from ginuri.files.lines import sort_lines
from ginuri.identifiers.messages import counted, message
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registry.record.history import History
from ginuri.registry.record.written_history import write_statement

NAME = "export.jsonl"
"""The name of the file in each folder."""


@click.command("export")
@folder_option(
    "--under",
    "folder",
    help="As of an upload: a prefix such as uri-gin/azgs/, or _host/ for schemes, hosts and authorities.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file to write, such as azgs.jsonl; without it, lines are printed.",
)
@click.option(
    "--to",
    "directory",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    help="A new folder to write, with the folders of uploads; without --under, the whole registry.",
)
@click.option("--files", "with_files", is_flag=True, help="With --to: write the stored files as well.")
@click.option("--csv", "as_table", is_flag=True, help="With --to: write tables, one row per representation.")
@click.option(
    "--history",
    "with_history",
    is_flag=True,
    help="All statements that were ever uploaded, and their uploads; not to be uploaded.",
)
@click.option(
    "--format",
    "as_rules",
    type=click.Choice(["apache"]),
    help="Instead of lines: rewrite rules of Apache httpd that give the same answers.",
)
@click.option(
    "--since",
    type=read_moment,
    metavar="MOMENT",
    help="With --format: only what changed since a day or a moment (UTC), such as 2026-11-01T08:00.",
)
@stack_option
def export_command(  # noqa: PLR0913  the options of a command
    *,
    folder: str | None,
    output: Path | None,
    directory: Path | None,
    with_files: bool,
    as_table: bool,
    with_history: bool,
    as_rules: str | None,
    since: str | None,
    name: str | None,
) -> None:
    """Write the records under a prefix as JSON lines that `ginuri upload --under` that prefix accepts.

    Reads the whole table. Exits 1 if nothing is registered under the prefix, if a stored file could not be
    read, or if rewrite rules cannot express an answer.
    """
    if since is not None and as_rules is None:
        raise fault(message("--since needs --format apache."))
    if as_rules is not None:
        from ginuri.cli.migration.apache_export import write_rules

        if directory is not None or with_history:
            raise fault(message("--format writes one file. Leave out --to and --history."))
        sys.exit(write_rules(output, folder, name, since))
    if directory is not None:
        if output is not None or with_history:
            raise fault(message("--to writes a folder. Leave out --output and --history."))
        sys.exit(_write_folder(directory, folder, name, with_files=with_files, as_table=as_table))
    if with_files or as_table:
        raise fault(message("--files and --csv write several files. Name a folder with --to."))
    if folder is None and not with_history:
        raise fault(message("Name a prefix with --under, or a folder for the whole registry with --to."))
    sys.exit(_write_lines(output, folder, name, with_history=with_history))


def _write_lines(output: Path | None, folder: str | None, name: str | None, *, with_history: bool) -> int:
    unwritten = _UnwrittenFiles(folder)
    with (
        open_stack(name, message("The registry cannot be read")) as stack,
        click.open_file(str(output or "-"), "w", encoding="utf-8", lazy=False) as file,
    ):
        if with_history:
            lines = _histories(stack.archive.histories(prefix_of(folder or ""), with_grants=True))
        else:
            standing = _standing(stack, folder or "")
            records = unwritten.count_in(standing)
            lines = (line for placed in _sort(place_in_folders(records, folder)) for line in placed.lines)
        count = 0
        for line in lines:
            file.write(f"{line}\n")
            count += 1
    if output is not None:
        written = localize(
            counted("{file}: {number} line", "{file}: {number} lines", count, file=str(output))
        )
        command = f"ginuri upload {output} --under {folder}"
        load = "" if with_history else f"; {localize(message('load them: {command}', command=command))}"
        click.echo(f"{written}{load}", err=True)
    unwritten.report()
    if not count:
        _report_empty(folder)
    return 0 if count else 1


def _write_folder(
    directory: Path, folder: str | None, name: str | None, *, with_files: bool, as_table: bool
) -> int:
    if directory.exists() and any(directory.iterdir()):
        raise fault(message("{folder} is not empty. Name a new folder.", folder=str(directory)))
    unwritten = _UnwrittenFiles(folder)
    count = 0
    with open_stack(name, message("The registry cannot be read")) as stack:
        exporter = FileExporter(stack, directory, folder) if with_files else None
        records = _standing(stack, folder or "")
        records = exporter.export_from(records) if exporter else unwritten.count_in(records)
        with closing(_sort(place_in_folders(records, folder))) as exported:
            for where, same in groupby(exported, key=attrgetter("folder")):
                file = directory / where / NAME
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("w", encoding="utf-8", newline="\n") as opened:
                    for line in (line for placed in same for line in placed.lines):
                        opened.write(f"{line}\n")
                        count += 1
                for written in write_as_table(file) if as_table else (file,):
                    click.echo(str(written))
    unwritten.report()
    if not count:
        _report_empty(folder)
    return 0 if count and (exporter is None or exporter.report()) else 1


def _standing(stack: Stack, folder: str) -> Iterator[tuple[str, Values]]:
    return with_progress(stack.archive.standing(prefix_of(folder), with_grants=True), folder)


def _report_empty(folder: str | None) -> None:
    under = message("nothing is registered under {folder}", folder=folder or "")
    say(under if folder else message("nothing is registered"), err=True)


def _sort(records: Iterable[ExportedLine]) -> Generator[ExportedLine]:
    """Sort by folder and identifier, neither of which contains a tab."""
    lines = (f"{folder}\t{identifier}\t{json.dumps(texts)}" for folder, identifier, texts in records)
    for line in sort_lines(lines):
        folder, identifier, texts = line.split("\t", 2)
        yield ExportedLine(folder, identifier, json.loads(texts))


@dataclass(slots=True)
class _UnwrittenFiles:
    """The stored files that the exported lines name, and that are not exported."""

    folder: str | None
    count: int = 0
    outside: int = 0
    first_outside: str = ""

    def count_in(self, records: Iterable[tuple[str, Values]]) -> Iterator[tuple[str, Values]]:
        """Pass records on, and count their stored files."""
        for identifier, values in records:
            where = self.folder or authority_folder(identifier)
            for file in files_of(values) if identifier.startswith(folder_to_prefix(where)) else ():
                self.count += 1
                if not file.key.startswith(where):
                    self.outside += 1
                    self.first_outside = self.first_outside or file.key
            yield identifier, values

    def report(self) -> None:
        """Print the advice about these files."""
        if self.count:
            say(
                counted(
                    "{number} stored file is named, not written; put it into the uploads bucket first",
                    "{number} stored files are named, not written; put them into the uploads bucket first",
                    self.count,
                ),
                err=True,
            )
        if self.outside:
            say(
                counted(
                    "{number} of them is not under {folder} ({file}): export a shorter prefix",
                    "{number} of them are not under {folder} ({file}): export a shorter prefix",
                    self.outside,
                    folder=self.folder or message("the folder that names it"),
                    file=format_value(self.first_outside),
                ),
                err=True,
            )


def _histories(histories: Iterable[History]) -> Iterator[str]:
    for history in histories:
        for statement in history.statements:
            if not statement.key.is_first:
                yield write_json({"identifier": history.identifier, **write_statement(statement)})
