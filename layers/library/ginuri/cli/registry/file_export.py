"""What goes along with an export: the stored files, and tables in the place of lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import click
from botocore.exceptions import ClientError

from ginuri.cli.stack import find_stack
from ginuri.cli.terminal import format_value
from ginuri.files.export import Values, authority_folder, files_of
from ginuri.files.formats import stored_as
from ginuri.files.tables.export import Row, columns_of, rows_of, unwritable_fields, write_table
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registry.model import RecordType, StoredFile

HANDED_OVER = "handed-over.jsonl"
"""What the file is called that tells what is handed to other authorities; it sorts after all others."""
_CHUNK = 1024 * 1024


class FileExporter:
    """Writes the stored files that records name into a folder, where the lines beside them look for them."""

    def __init__(self, name: str | None, directory: Path, folder: str | None) -> None:
        stack = find_stack(name)
        self._s3, self._bucket = stack.s3, stack.output("ContentBucket")
        self._directory = directory
        self._folder = folder
        self._missing = 0
        self._taken = 0

    def taking(self, standing: Iterable[tuple[str, Values]]) -> Iterator[tuple[str, Values]]:
        """Hand on what stands, and write what it names."""
        for identifier, values in standing:
            where = self._folder or authority_folder(identifier)
            if identifier.startswith(folder_to_prefix(where)):
                for file in files_of(values):
                    self._take(identifier, file, where)
            yield identifier, values

    def is_whole(self) -> bool:
        """Say how many were written, and tell whether all were."""
        click.echo(f"{self._taken} stored files written, {self._missing} missing", err=True)
        return not self._missing

    def _take(self, identifier: str, file: StoredFile, where: str) -> None:
        # As the folder's lines name it, also where it was stored from another folder.
        path = self._directory / where / stored_as(file.key).removeprefix(where)
        try:
            if path.exists():
                if _digest(path) != file.sha256:
                    self._miss(identifier, file, "another version of it is taken along for another record")
                return
            answer = self._s3.get_object(Bucket=self._bucket, Key=file.key, VersionId=file.version)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as opened:
                opened.writelines(answer["Body"].iter_chunks(_CHUNK))
        except (ClientError, OSError) as error:
            self._miss(identifier, file, str(error))
        else:
            self._taken += 1

    def _miss(self, identifier: str, file: StoredFile, because: str) -> None:
        self._missing += 1
        told = f"{format_value(identifier)}: {format_value(file.key)} could not be taken along: {because}"
        click.echo(told, err=True)


def write_as_table(file: Path) -> Sequence[Path]:
    """Write a file of JSON lines as a table in its place; what no table can say stays in lines, beside it.

    What is handed to other authorities stands in a file of its own, which is the last to be uploaded: what
    stands under it is taken from this folder no longer.
    """
    needed: dict[str, str] = {}
    handed = {line["identifier"] for _, line in _lines(file) if "to" in line}
    for _, line in _lines(file):
        if not (_is_delegation(line, handed) or unwritable_fields(line)):
            needed |= {name: "" for row in rows_of(line) for name in row if name not in needed}
    columns = columns_of([needed])
    table, rest = file.with_suffix(".csv"), file.with_name(f"{file.stem}-rest.jsonl")
    last = file.with_name(HANDED_OVER)
    with (
        table.open("w", encoding="utf-8", newline="") as opened,
        rest.open("w", encoding="utf-8", newline="\n") as beside,
        last.open("w", encoding="utf-8", newline="\n") as after,
    ):
        write_table(opened, columns, _rows(file, columns, handed, beside, after))
        written = {table: bool(columns), rest: bool(beside.tell()), last: bool(after.tell())}
    file.unlink()
    for path in (path for path, is_needed in written.items() if not is_needed):
        path.unlink()
    if written[rest]:
        click.echo(f"{file.parent}: what no table can say is in {rest.name}", err=True)
    return [path for path, is_needed in written.items() if is_needed]


def _rows(
    file: Path, columns: Sequence[str], handed: Container[str], beside: IO[str], after: IO[str]
) -> Iterator[Row]:
    for text, line in _lines(file):
        if _is_delegation(line, handed):
            after.write(text)
        elif unwritable_fields(line, columns):
            beside.write(text)
        else:
            yield from rows_of(line)


def _is_delegation(line: Mapping[str, Any], of: Container[str]) -> bool:
    return line.get("record") == RecordType.DELEGATION and line["identifier"] in of


def _lines(file: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    with file.open(encoding="utf-8", newline="\n") as opened:
        for text in opened:
            yield text, json.loads(text)


def _digest(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
