"""Parts of an export: stored files, and tables instead of lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from ginuri.cli.ports import Stack
from ginuri.cli.terminal import format_value, say
from ginuri.files.export import Values, authority_folder, files_of
from ginuri.files.formats import stored_as
from ginuri.files.tables.export import Row, columns_of, rows_of, unwritable_fields, write_table
from ginuri.identifiers.messages import Words, counted, message
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registry.model import RecordType, StoredFile

HANDED_OVER = "handed-over.jsonl"
"""The name of the file with the delegations to other authorities; it sorts after all others."""


class FileExporter:
    """Writes the stored files of records into a folder, under the names that the exported lines use."""

    def __init__(self, stack: Stack, directory: Path, folder: str | None) -> None:
        self._stack = stack
        self._directory = directory
        self._folder = folder
        self._missing = 0
        self._written = 0

    def export_from(self, records: Iterable[tuple[str, Values]]) -> Iterator[tuple[str, Values]]:
        """Pass records on, and write their stored files."""
        for identifier, values in records:
            where = self._folder or authority_folder(identifier)
            if identifier.startswith(folder_to_prefix(where)):
                for file in files_of(values):
                    self._export(identifier, file, where)
            yield identifier, values

    def report(self) -> bool:
        """Print the number of written files, and return whether all of them were written."""
        say(
            counted(
                "{number} stored file written, {missing} missing",
                "{number} stored files written, {missing} missing",
                self._written,
                missing=f"{self._missing:,}",
            ),
            err=True,
        )
        return not self._missing

    def _export(self, identifier: str, file: StoredFile, where: str) -> None:
        # The name in the lines of the folder, even if the file was stored from another folder.
        path = self._directory / where / stored_as(file.key).removeprefix(where)
        try:
            if path.exists():
                if _digest(path) != file.sha256:
                    another = message("another version of the file was exported for another record")
                    self._report_missing(identifier, file, another)
                return
            chunks = self._stack.content(file)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as opened:
                opened.writelines(chunks)
        except OSError as error:
            self._report_missing(identifier, file, str(error))
        else:
            self._written += 1

    def _report_missing(self, identifier: str, file: StoredFile, reason: Words) -> None:
        self._missing += 1
        say(
            message(
                "{identifier}: {file} could not be exported: {reason}",
                identifier=format_value(identifier),
                file=format_value(file.key),
                reason=reason,
            ),
            err=True,
        )


def write_as_table(file: Path) -> Sequence[Path]:
    """Replace a file of JSON lines with a table, and a file for the lines that a table cannot express.

    Delegations to other authorities are in a file of their own, which must be uploaded last: afterwards, this
    folder can no longer register identifiers under them.
    """
    names: dict[str, str] = {}
    handed_over = {
        line["identifier"]
        for _, line in _lines(file)
        if "to" in line and line["record"] == RecordType.DELEGATION
    }
    for _, line in _lines(file):
        if not (_is_delegation(line, handed_over) or unwritable_fields(line)):
            names |= {name: "" for row in rows_of(line) for name in row if name not in names}
    columns = columns_of([names])
    table, rest = file.with_suffix(".csv"), file.with_name(f"{file.stem}-rest.jsonl")
    last = file.with_name(HANDED_OVER)
    with (
        table.open("w", encoding="utf-8", newline="") as opened,
        rest.open("w", encoding="utf-8", newline="\n") as rest_lines,
        last.open("w", encoding="utf-8", newline="\n") as last_lines,
    ):
        write_table(opened, columns, _rows(file, columns, handed_over, rest_lines, last_lines))
        written = {table: bool(columns), rest: bool(rest_lines.tell()), last: bool(last_lines.tell())}
    file.unlink()
    for path in (path for path, is_needed in written.items() if not is_needed):
        path.unlink()
    if written[rest]:
        say(
            message(
                "{folder}: lines that a table cannot express are in {file}",
                folder=str(file.parent),
                file=rest.name,
            ),
            err=True,
        )
    return [path for path, is_needed in written.items() if is_needed]


def _rows(
    file: Path, columns: Sequence[str], handed_over: Container[str], rest: IO[str], last: IO[str]
) -> Iterator[Row]:
    for text, line in _lines(file):
        if _is_delegation(line, handed_over):
            last.write(text)
        elif unwritable_fields(line, columns):
            rest.write(text)
        else:
            yield from rows_of(line)


def _is_delegation(line: Mapping[str, Any], handed_over: Container[str]) -> bool:
    return line.get("record") == RecordType.DELEGATION and line["identifier"] in handed_over


def _lines(file: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    with file.open(encoding="utf-8", newline="\n") as opened:
        for text in opened:
            yield text, json.loads(text)


def _digest(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
