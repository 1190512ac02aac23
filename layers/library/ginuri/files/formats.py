"""Which files are registry files, and how each is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import PurePosixPath
from typing import Protocol

from ginuri.files.columns import Columns, read_columns
from ginuri.files.encodings import to_utf8
from ginuri.files.json_lines import read_json_lines
from ginuri.files.lines import MOST_BYTES, MOST_ROWS, MOST_WHOLE_BYTES, split_at_returns, split_lines
from ginuri.files.options import UploadOptions
from ginuri.files.packing import unpack
from ginuri.files.remarks import read_remarked_lines
from ginuri.files.tables.delimited import read_delimited
from ginuri.files.tables.spreadsheets import read_sheet
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.checks.authorization import HOST_FOLDER
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Finding, refuse


class RowReader(Protocol):
    """What reads the rows of a registry file from its lines."""

    def __call__(self, lines: Iterable[bytes], after: int = 0) -> Iterator[Row]:
        """Give the rows that begin after a line, in order; no more is held than one row may have."""
        ...


class _Reading(Protocol):
    def __call__(self, lines: Iterable[bytes], after: int = 0, mapped: Columns = ...) -> Iterator[Row]: ...


_NO_OPTIONS = UploadOptions()

_SPREADSHEET = ".xlsx"
_TABLES: dict[str, _Reading] = dict.fromkeys((".csv", ".tsv", _SPREADSHEET), read_delimited)
_GRAPHS: dict[str, RowReader] = dict.fromkeys((".ttl", ".rdf", ".jsonld", ".nt"), read_remarked_lines)
_MAPPED: dict[str, _Reading] = {".jsonl": read_json_lines, **_TABLES}
_READERS: dict[str, RowReader] = {**_MAPPED, **_GRAPHS}
MOST_KEY_BYTES = 800
"""How long the key of an upload may be: it stands in every stamp."""
_PACKED = ".gz"
SUFFIXES = (*_READERS, *(f"{suffix}{_PACKED}" for suffix in _READERS))
"""The endings of registry files; any other file is stored as it is."""
_STORED = ".file"


def fault_of(key: str, size: int | None) -> Finding | None:
    """Find what is wrong with a registry file as a whole; `size` in bytes, None for one that is not there."""
    if size is None:
        return refuse("", "uploaded", key, "This version of the file no longer exists. Upload it again.")
    if size == 0:
        return refuse("", "empty", key, "The file is empty.")
    if size > (most := _most_bytes(key)):
        return refuse(
            "", "size", size, "A file may have at most {most} bytes. Split it into several files.", most=most
        )
    if len(key.encode()) > MOST_KEY_BYTES:
        return refuse(
            "",
            "name",
            key,
            "Folder and file name may have at most {most} bytes together. Shorten the file name.",
            most=MOST_KEY_BYTES,
        )
    if "/" not in key:
        return refuse(
            "",
            "folder",
            key,
            "Upload the file to a folder: {host_folder}, or that of a name authority, such as uri-gin/azgs/.",
            host_folder=HOST_FOLDER,
        )
    return None


def reader_for(name: str, options: UploadOptions = _NO_OPTIONS) -> RowReader | None:
    """Find how a file is read, by the ending of its name; None for one that is no registry file."""
    suffix = _suffix(name)
    mapped = read_columns(options.columns)
    if suffix in _MAPPED and mapped and not isinstance(mapped, Finding):  # its fault is told of the whole
        return partial(_MAPPED[suffix], mapped=mapped)
    return _READERS.get(suffix)


def stored_as(name: str) -> str:
    """Give the name under which a file is uploaded to be stored and not read: `x.ttl` is `x.ttl.file`."""
    return f"{name}{_STORED}" if reader_for(name) else name


def has_heading(name: str) -> bool:
    """Tell whether the first line of a registry file says what the others mean."""
    return _suffix(name) in _TABLES


def read_lines(name: str, chunks: Iterable[bytes], options: UploadOptions = _NO_OPTIONS) -> Iterator[bytes]:
    """Read the lines of a registry file, unpacked.

    `name` is the key of the upload: its folder tells which subjects of RDF are to be registered.
    Raises UnreadableFile, at whatever line it is found that the file cannot be read.
    """
    content = unpack(chunks, _most_bytes(name)) if _is_packed(name) else chunks
    number = 0
    for number, line in enumerate(_split(name, content, options), start=1):
        if number > MOST_ROWS:
            raise UnreadableFile(
                "size",
                f"> {MOST_ROWS:,}",
                "A file may have at most {most} lines. Split it into several files.",
                most=f"{MOST_ROWS:,}",
            )
        yield line
    if not number:
        raise UnreadableFile("empty", name, "The file is empty.")


def _most_bytes(name: str) -> int:
    return MOST_WHOLE_BYTES if _suffix(name) in {_SPREADSHEET, *_GRAPHS} else MOST_BYTES


def _split(name: str, content: Iterable[bytes], options: UploadOptions) -> Iterator[bytes]:
    suffix = _suffix(name)
    if suffix in _GRAPHS:
        # What rdflib costs is paid by files of RDF alone.
        from ginuri.files.rdf.graph_lines import read_graph_lines  # noqa: PLC0415  see above

        return read_graph_lines(name, suffix, b"".join(content), options.columns)
    if suffix == _SPREADSHEET:
        return read_sheet(b"".join(content))
    lines = split_lines(to_utf8(content))
    return split_at_returns(lines) if suffix in _TABLES else lines


def _is_packed(name: str) -> bool:
    return name.lower().endswith(_PACKED)


def _suffix(name: str) -> str:
    plain = name.lower().removesuffix(_PACKED)
    return PurePosixPath(plain).suffix
