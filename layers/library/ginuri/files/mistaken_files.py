"""Finds registrations in files that are stored and not read, such as JSON and archives.

It reads only the beginning of a file, or an archive of limited size.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import PurePosixPath

from ginuri.files.encodings import to_utf8
from ginuri.files.formats import SUFFIXES, is_graph, is_packed, mapping_of, read_lines, reader_for, suffix_of
from ginuri.files.lines import MOST_BYTES, MOST_WHOLE_BYTES
from ginuri.files.options import REGISTRATIONS, UploadOptions
from ginuri.files.packing import BROKEN_ZIP, unpack
from ginuri.files.schema.fields import ALIASES
from ginuri.files.schema.values import fold_word
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier, UnreadableFile
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.verdicts import shown

_SPREADSHEETS = {".xls", ".xlsb", ".xlt", ".xltx", ".fods", ".ots", ".numbers", ".gsheet"}
_UNCLEAR = {"", ".txt", ".text", ".tab", ".dat", ".asc"}
# The most bytes of a text to read.
_MOST_TEXT = 4 * 1024 * 1024
# The most files of an archive to open.
_MOST_ENTRIES = 10_000
# The most registry files of an archive to read.
_MOST_FILES = 20
# The most rows of a registry file to read.
_MOST_ROWS = 100
# The most JSON members to check for identifiers.
_MOST_NAMES = 10_000
_CHUNK = 64 * 1024
_BEGINNING = 1024
_ZIP, _ENTRY = b"PK\x03\x04", b"PK\x01\x02"  # APPNOTE §4.3.7 and §4.3.12
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]")
_MEMBER = re.compile(r'"([^"\\]{1,100})"\s{0,100}:\s{0,100}("(?:[^"\\]|\\.){1,2000}")')
_LOOKED_INTO = (*SUFFIXES, ".json", ".geojson")
# Members of an object that may contain its identifier.
_NAMES = {"identifier", "@id", *(name for name, field in ALIASES.items() if field == "identifier")}


def way_out_of_name(name: str) -> Message | None:
    """Return the advice for a file with a name like a registry file; else None."""
    suffix = PurePosixPath(name.lower().removesuffix(".gz")).suffix
    if suffix in _SPREADSHEETS:
        return message(
            "{file} is a spreadsheet of a kind that is not read. Save it as an Excel workbook (.xlsx) or as "
            "CSV UTF-8 (.csv), and upload that.",
            file=name,
        )
    if suffix in _UNCLEAR:
        return message(
            "The name of {file} does not say what it contains. End it in .csv if it is a table, in .jsonl if "
            "it is JSON lines, or in another of: {suffixes}.",
            file=name,
            suffixes=", ".join(SUFFIXES),
        )
    return None


def way_out_of_content(key: str, chunks: Iterable[bytes], columns: str = "") -> Message | None:
    """Return the advice for an unread file with identifiers of its folder; else None."""
    name, options = key[key.rfind("/") + 1 :], UploadOptions(columns=columns)
    try:
        return _way_out(key, name, iter(chunks), options)
    except UnreadableFile:
        return None


def _way_out(key: str, name: str, chunks: Iterator[bytes], options: UploadOptions) -> Message | None:
    beginning = _take(chunks, len(_ZIP))
    content = chain([beginning], chunks)
    if beginning.startswith(_ZIP):
        return _way_out_of_archive(key, name, _take(content, MOST_WHOLE_BYTES + 1), options)
    if is_packed(key):
        return _way_out(key[:-3], name, unpack(content, MOST_BYTES), options)
    if suffix_of(key) in _SPREADSHEETS:
        return way_out_of_name(name)
    return _way_out_of_text(key, name, to_utf8(content), options)


def _way_out_of_text(key: str, name: str, texts: Iterator[bytes], options: UploadOptions) -> Message | None:
    suffix = suffix_of(key)
    first = _take(texts, _BEGINNING)
    if suffix not in _UNCLEAR and not _JSON.match(first):
        return None
    text = first + _take(texts, _MOST_TEXT)
    if suffix in _UNCLEAR and any(
        _find_in_rows(f"{key}{kind}", [text], options) for kind in (".csv", ".jsonl")
    ):
        return way_out_of_name(name)
    if (identifier := _find_in_json(key, text, options)) is None:
        return None
    return message(
        "{file} names identifiers of its folder, such as {identifier}, but JSON is stored unless an option "
        "says otherwise. To register them, write an array of objects or GeoJSON features, let the name end "
        "in .json, and add {option}.",
        file=name,
        identifier=identifier,
        option=f"--read-as {REGISTRATIONS}",
    )


def _way_out_of_archive(key: str, name: str, body: bytes, options: UploadOptions) -> Message | None:
    if len(body) > MOST_WHOLE_BYTES or body.count(_ENTRY) > _MOST_ENTRIES:
        return None  # content to download, much larger than registry files are
    try:
        archive = zipfile.ZipFile(io.BytesIO(body))
    except BROKEN_ZIP:
        return None
    for entry in islice(filter(_may_be_registry_file, archive.namelist()), _MOST_FILES):
        if identifier := _find_in_entry(key, archive, entry, options):
            return message(
                "{file} contains {entry}, which names identifiers of its folder, such as {identifier}, but "
                "an archive is not read. To register them, upload {entry}.",
                file=name,
                entry=shown(entry),
                identifier=identifier,
            )
    return None


def _may_be_registry_file(entry: str) -> bool:
    # macOS stores the attributes of a file in another file with this prefix.
    return entry.lower().endswith(_LOOKED_INTO) and not PurePosixPath(entry).name.startswith("._")


def _find_in_entry(key: str, archive: zipfile.ZipFile, entry: str, options: UploadOptions) -> str | None:
    beside = f"{key[: key.rfind('/') + 1]}{PurePosixPath(entry).name}"
    try:
        with archive.open(entry) as opened:
            chunks = islice(iter(partial(opened.read, _CHUNK), b""), MOST_WHOLE_BYTES // _CHUNK)
            if is_graph(beside):
                return _find_in_text(beside, _take(chunks, _MOST_TEXT))
            if reader_for(beside) is None:
                return _find_in_json(beside, _take(chunks, _MOST_TEXT), options)
            return _find_in_rows(beside, chunks, options)
    except BROKEN_ZIP:
        return None


def _find_in_rows(key: str, chunks: Iterable[bytes], options: UploadOptions) -> str | None:
    reader = reader_for(key, options)
    try:
        rows = islice(reader(read_lines(key, chunks, options)), _MOST_ROWS) if reader else ()
        names = (row.identifier.normal_form for row in rows if row.identifier)
        return next((name for name in names if _is_own(key, name)), None)
    except UnreadableFile:
        return None


def _find_in_json(key: str, text: bytes, options: UploadOptions) -> str | None:
    mapping = mapping_of(options)
    members = _NAMES | {fold_word(name) for name in mapping.renamed}
    found = _MEMBER.finditer(text.decode(errors="replace"))
    values = (match[2] for match in found if fold_word(match[1]) in members)
    names = map(_normal_form, islice(values, _MOST_NAMES))
    return next((name for name in names if name and _is_own(key, name)), None)


def _find_in_text(key: str, text: bytes) -> str | None:
    found = re.search(rf"{re.escape(_prefix_of(key))}[\w.~/-]+", text.decode(errors="replace"))
    return found and found[0]


def _normal_form(quoted: str) -> str | None:
    try:
        return parse(json.loads(quoted)).normal_form
    except (MalformedIdentifier, ValueError):
        return None


def _is_own(key: str, name: str) -> bool:
    """Return whether an identifier may be registered from the folder of a file."""
    prefix = _prefix_of(key)
    return prefix == HOST_FOLDER or name.startswith(prefix)


def _prefix_of(key: str) -> str:
    return folder_to_prefix(key[: key.rfind("/") + 1])


def _take(chunks: Iterator[bytes], most: int) -> bytes:
    taken: list[bytes] = []
    length = 0
    while length < most and (chunk := next(chunks, None)) is not None:
        taken.append(chunk)
        length += len(chunk)
    return b"".join(taken)
