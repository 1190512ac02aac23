"""The formats of registry files, and how each is read."""

# RDF and spreadsheets are optional: a file imports the reader of its own format.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Protocol

from ginuri.files.code_pages import fault_of_encoding
from ginuri.files.encodings import ENCODING, describe, to_utf8
from ginuri.files.json_lines import read_json_lines
from ginuri.files.lines import MOST_BYTES, MOST_ROWS, MOST_WHOLE_BYTES, split_at_returns, split_lines
from ginuri.files.mapping.columns import NO_MAPPING, ColumnMapping, read_columns, split_names
from ginuri.files.mapping.date_columns import read_orders
from ginuri.files.options import HIDDEN_ROWS, REGISTRATIONS, TEXTS, UploadOptions
from ginuri.files.packing import unpack
from ginuri.files.tables.damaged_numbers import DamagedCells
from ginuri.files.tables.delimited import read_delimited
from ginuri.files.tables.heading import HeadingReader
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import Message, translatable
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Finding, Remark, ignore, refuse, shown


class RowReader(Protocol):
    """A reader of the rows of a registry file."""

    def __call__(self, lines: Iterable[bytes], after: int = 0) -> Iterator[Row]:
        """Yield the rows that begin after a line in order, with one row in memory."""


class _Reading(Protocol):
    def __call__(
        self, lines: Iterable[bytes], after: int = 0, mapping: ColumnMapping = ...
    ) -> Iterator[Row]: ...


_NO_OPTIONS = UploadOptions()

_SPREADSHEETS = (".xlsx", ".xlsm", ".ods")
JSON_SUFFIXES = (".json", ".geojson")
"""The suffixes of JSON files, which are read only if an option says so."""
_TEXTS = (".csv", ".tsv", ".jsonl", *JSON_SUFFIXES)
_TABLES: dict[str, _Reading] = dict.fromkeys((".csv", ".tsv", *_SPREADSHEETS), read_delimited)
_GRAPHS = (".ttl", ".rdf", ".jsonld", ".nt")
_MAPPED: dict[str, _Reading] = {".jsonl": read_json_lines, **_TABLES}
_OF_SHEETS = translatable(
    "Only a spreadsheet has hidden rows and links behind cells ({suffixes}). Leave out {option}."
)
_ONLY_FOR = {
    "encoding": (_TEXTS, translatable("Only a text has a code page ({suffixes}). Leave out {option}.")),
    "sheet": (_SPREADSHEETS, translatable("Only a spreadsheet has sheets ({suffixes}). Leave out {option}.")),
    "hidden_rows": (_SPREADSHEETS, _OF_SHEETS),
    "links": (_SPREADSHEETS, _OF_SHEETS),
}
"""The suffixes of the files that an option is for, and what is said about others."""
MOST_KEY_BYTES = 800
"""The longest key of an upload in bytes; every stamp repeats it."""
_PACKED = ".gz"
SUFFIXES = tuple(f"{suffix}{packed}" for packed in ("", _PACKED) for suffix in (*_MAPPED, *_GRAPHS))
"""The suffixes of registry files; any other file is stored as it is."""
READABLE = (*SUFFIXES, *(f"{suffix}{packed}" for packed in ("", _PACKED) for suffix in JSON_SUFFIXES))
"""The suffixes of files that are read, some of them only if an option says so."""
_STORED = ".file"


def fault_of(key: str, size: int | None) -> Finding | None:
    """Return the finding against a whole registry file; `size` in bytes, None when the file is missing."""
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
    """Return the reader for the suffix of a file name; None when it is not a registry file."""
    suffix = suffix_of(name)
    if suffix in _GRAPHS:
        from ginuri.files.rdf.remarks import read_remarked_lines

        return read_remarked_lines
    mapping = mapping_of(options)
    if suffix in JSON_SUFFIXES and options.read_as == REGISTRATIONS:
        return partial(read_json_lines, mapping=mapping)
    if suffix in _MAPPED and not mapping.is_empty:
        return partial(_MAPPED[suffix], mapping=mapping)
    return _MAPPED.get(suffix)


def mapping_of(options: UploadOptions) -> ColumnMapping:
    """Return the mapping of columns; an empty one if it has a fault, which is reported for the whole file."""
    mapping, orders = read_columns(options.columns), read_orders(options.dates)
    known = NO_MAPPING if isinstance(mapping, Finding) else mapping
    return replace(known, dates=orders) if orders and not isinstance(orders, Finding) else known


def stored_as(name: str) -> str:
    """Return the name under which a file is stored and not read: `x.ttl.file` for `x.ttl`."""
    return f"{name}{_STORED}" if reader_for(name) else name


def heading_reader(name: str, options: UploadOptions = _NO_OPTIONS) -> HeadingReader | None:
    """Return the reader of a table's heading; None for a registry file without one."""
    return _heading_reader(options) if suffix_of(name) in _TABLES else None


def fault_of_reading(key: str, options: UploadOptions) -> Finding | None:
    """Return the finding against an option that is about files of another format, or has a wrong value."""
    for read in (read_columns(options.columns), read_orders(options.dates)):
        if isinstance(read, Finding):
            return read
    for field, (suffixes, words) in _ONLY_FOR.items():
        if (value := getattr(options, field)) and suffix_of(key) not in suffixes:
            values = {"suffixes": ", ".join(suffixes), "option": f"--{TEXTS[field]}"}
            return refuse("", TEXTS[field], value, Message(words, values))
    return (
        _fault_of_choice("read-as", options.read_as, [REGISTRATIONS])
        or _fault_of_choice("hidden-rows", options.hidden_rows, HIDDEN_ROWS)
        or fault_of_encoding(options.encoding)
    )


def _fault_of_choice(option: str, value: str, choices: Sequence[str]) -> Finding | None:
    if value in {"", *choices}:
        return None
    return refuse("", option, value, "The value must be one of: {expected}.", expected=", ".join(choices))


def read_lines(  # noqa: PLR0913  the file, and how it is read
    name: str,
    chunks: Iterable[bytes],
    options: UploadOptions = _NO_OPTIONS,
    remark: Remark = ignore,
    heading: HeadingReader | None = None,
    *,
    damaged: DamagedCells | None = None,
) -> Iterator[bytes]:
    """Read the lines of a registry file, unpacked.

    `name` is the key of the upload: its folder decides which RDF subjects are registered. `heading` finds the
    sheet of a workbook, in place of the reader for the options; `damaged` receives its cells that a
    spreadsheet may have changed. Remarks on the file as a whole come before its first line. Raises
    UnreadableFile at the first line that cannot be read.
    """
    content = unpack(chunks, _most_bytes(name)) if is_packed(name) else chunks
    number = 0
    for number, line in enumerate(_split(name, content, options, remark, heading, damaged=damaged), start=1):
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
    return MOST_WHOLE_BYTES if suffix_of(name) in {*_SPREADSHEETS, *_GRAPHS, *JSON_SUFFIXES} else MOST_BYTES


def _split(  # noqa: PLR0913  the file, and how it is read
    name: str,
    content: Iterable[bytes],
    options: UploadOptions,
    remark: Remark,
    heading: HeadingReader | None,
    *,
    damaged: DamagedCells | None,
) -> Iterator[bytes]:
    suffix = suffix_of(name)
    if suffix in _GRAPHS:
        from ginuri.files.rdf.graph_lines import read_graph_lines

        return read_graph_lines(name, suffix, b"".join(content), options.columns)
    if suffix in _SPREADSHEETS:
        from ginuri.files.spreadsheets.csv_lines import CellOptions
        from ginuri.files.spreadsheets.several_sheets import format_of, read_sheets

        cells = CellOptions(options.hidden_rows, split_names(options.links), damaged)
        reader = heading or _heading_reader(options)
        return read_sheets(format_of(suffix), b"".join(content), reader, options.sheet, remark, cells)
    if suffix in JSON_SUFFIXES:
        from ginuri.files.json_files import read_json_file

        text = b"".join(to_utf8(content, options.encoding))
        return read_json_file(_decode(text), mapping_of(options), remark)
    lines = split_lines(to_utf8(content, options.encoding))
    return split_at_returns(lines) if suffix in _TABLES else lines


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableFile(
            ENCODING,
            shown(error.object[error.start : error.start + 40]),
            describe(content[error.start :][:80]),
        ) from error


def _heading_reader(options: UploadOptions) -> HeadingReader:
    return HeadingReader(mapping_of(options))


def is_packed(name: str) -> bool:
    """Return whether a file is compressed, by its name."""
    return name.lower().endswith(_PACKED)


def unpacked(name: str, body: bytes) -> bytes:
    """Return the content of a file, which may be compressed. Raises UnreadableFile if it is too large."""
    return b"".join(unpack([body], _most_bytes(name))) if is_packed(name) else body


def is_spreadsheet(name: str) -> bool:
    """Return whether a file is a spreadsheet, by its name."""
    return suffix_of(name) in _SPREADSHEETS


def is_graph(name: str) -> bool:
    """Return whether a file is RDF, by its name."""
    return suffix_of(name) in _GRAPHS


def suffix_of(name: str) -> str:
    """Return the suffix with the format of a file, compressed or not."""
    return PurePosixPath(name.lower().removesuffix(_PACKED)).suffix
