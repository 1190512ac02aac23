"""Converts a JSON array of registrations, or a GeoJSON feature collection, to JSON lines.

Item n of the array is line n. One item after the other is decoded.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ginuri.files.json_lines import read_json
from ginuri.files.mapping.columns import NO_MAPPING, ColumnMapping, is_field
from ginuri.files.mapping.filled_fields import put_member
from ginuri.files.schema.fields import ALIASES
from ginuri.files.tables.language_columns import language_field
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import message
from ginuri.registration.verdicts import Finding, Remark, shown, warn

_SPACE = re.compile(r"[ \t\r\n]*")
_LINE_BREAK = re.compile(r"[\r\n]+")
_DECODER = json.JSONDecoder()
_FEATURE, _CRS = "Feature", "crs"
# The members with the objects of a file: of GeoJSON, of pandas (orient="table"), and of the answers of APIs.
_LISTS = {"features", "data", "results", "records", "items", "rows"}
# The names of longitude and latitude in degrees, in the former member `crs` (GeoJSON 2008, §3.1).
_DEGREES = re.compile(r"CRS:?84|EPSG:+4326", re.IGNORECASE)
_MOST_REMARKS = 20
_TOO_DEEP = message("The JSON is nested too deep. Look for brackets that are not closed.")
_NO_ARRAY = message("The file is no array of objects, and no GeoJSON feature collection.")
_PROJECTED = message(
    "The coordinates are in another system than longitude and latitude. Save the file with coordinates "
    "in WGS 84 (RFC 7946)."
)
_IDENTIFIER, _SPATIAL = "identifier", "spatial"
NAMES_OF_IDENTIFIER = {_IDENTIFIER, *(name for name, field in ALIASES.items() if field == _IDENTIFIER)}


def read_json_file(text: str, mapping: ColumnMapping, remark: Remark) -> Iterator[bytes]:
    """Yield a line for each object of an array, or each feature of a collection.

    Members that are no field and not mapped are left out, each name with a remark before the first line.
    Raises UnreadableFile.
    """
    unknown: Counter[str] = Counter()
    for begin, end in find_items(text):
        unknown.update(_unknown(_read(text[begin:end]), mapping))
    for name, number in unknown.most_common(_MOST_REMARKS):
        remark(_left_out(name, number))
    for begin, end in find_items(text):
        members = _read(text[begin:end])
        if isinstance(members, str):
            line = _LINE_BREAK.sub(" ", members)  # tokens only: a text has no line breaks
        else:
            known = _with_languages(_registration(members, mapping), mapping)
            line = json.dumps(
                {name: known[name] for name in known if is_known_member(name, mapping)}, ensure_ascii=False
            )
        yield line.encode(errors="surrogatepass") + b"\n"


def _read(item: str) -> dict[str, Any] | str:
    """Return an object; the text of an item that is none, or that its line would be refused for."""
    try:
        given = read_json(item)
    except ValueError:
        return item
    return given if isinstance(given, dict) else item


def _registration(members: dict[str, Any], mapping: ColumnMapping) -> dict[str, Any]:
    """Return the members of an object; of a feature, its properties, its geometry and its `id`."""
    if members.get("type") != _FEATURE:
        return members
    properties = members.get("properties")
    found = dict(properties) if isinstance(properties, dict) else {}
    if members.get("geometry") is not None and _SPATIAL not in {*found, *mapping.fields}:
        found[_SPATIAL] = members["geometry"]
    is_named = bool(NAMES_OF_IDENTIFIER & found.keys()) or _IDENTIFIER in mapping.fields
    if (
        "id" in members
        and "id" not in found
        and ("id" in mapping.read or not is_named or "id" in mapping.renamed)
    ):
        found["id"] = members["id"]
    return found


def read_objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of an array, or of a list within an object, with all of their members.

    A single object is none of them. Raises UnreadableFile.
    """
    length = len(text.strip(" \t\r\n\ufeff"))
    for begin, end in find_items(text):
        if end - begin < length and not isinstance(members := _read(text[begin:end]), str):
            yield _registration(members, NO_MAPPING)


def _with_languages(members: Mapping[str, Any], mapping: ColumnMapping) -> Mapping[str, Any]:
    """Return the members with those of one language, such as `title_es`, as texts by language."""
    found: dict[str, Any] = {}
    for name, value in members.items():
        field = None if name in mapping.renamed or is_field(name) else language_field(name)
        put_member(found, field or name, value)
    return found


def paths_of(member: str, item: str) -> Sequence[str]:
    """Return the paths within an item of what may be a member of its line.

    >>> paths_of("title.es", '{"title_es": "Pozo"}')
    ['title.es', 'title_es']
    >>> paths_of("url", '{"type": "Feature", "properties": {"url": "www.example.org"}}')
    ['properties.url']
    """
    members = _read(item)
    given = {} if isinstance(members, str) else members
    is_feature = given.get("type") == _FEATURE
    own = given.get("properties") if is_feature else given
    named = own if isinstance(own, dict) else {}
    names = [member, *(name for name in named if language_field(name) == member.replace(".", "@", 1))]
    if not is_feature or (member == "id" and member not in named):
        return names
    return [f"properties.{name}" for name in names]


def _unknown(members: dict[str, Any] | str, mapping: ColumnMapping) -> Collection[str]:
    if isinstance(members, str):
        return ()
    return [name for name in _registration(members, mapping) if not is_known_member(name, mapping)]


def is_known_member(name: str, mapping: ColumnMapping) -> bool:
    """Return whether the member of an object is a field, spelt exactly so, or mapped."""
    return (
        is_field(name)
        or name in ALIASES
        or name in mapping.renamed
        or name in mapping.read
        or language_field(name) is not None
    )


def _left_out(name: str, number: int) -> Finding:
    return warn(
        name,
        "unknown column",
        name,
        "The member {member} of {number} objects is not a field and is not registered. To keep it, map it: "
        "{example}.",
        member=repr(shown(name)),
        number=f"{number:,}",
        example=f"properties.{shown(name)}={shown(name)}",
    )


def find_items(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each item begins and ends. Raises UnreadableFile."""
    try:
        yield from _scan(text)
    except json.JSONDecodeError as error:
        raise UnreadableFile(
            "JSON",
            shown(text[error.pos : error.pos + 40]),
            "The file is not valid JSON from line {line} on: {reason}",
            line=str(error.lineno),
            reason=error.msg,
        ) from error
    except RecursionError as error:
        raise UnreadableFile("JSON", "", _TOO_DEEP) from error


def _scan(text: str) -> Iterator[tuple[int, int]]:
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    place: int | None = start
    if text.startswith("{", start):
        place = _find_list(text, start)
    elif not text.startswith("[", start):
        raise UnreadableFile("JSON", shown(text[start : start + 40]), _NO_ARRAY)
    end = start
    if place is None:  # a single object
        _, end = _DECODER.raw_decode(text, start)
        yield start, end
        _expect_end(text, end)
        return
    end = _skip(text, place + 1)
    while not text.startswith("]", end):
        begin = end
        _, end = _DECODER.raw_decode(text, begin)
        yield begin, end
        end = _skip(text, end)
        if text.startswith(",", end):
            end = _skip(text, end + 1)
        elif not text.startswith("]", end):
            raise json.JSONDecodeError("Expecting ',' delimiter", text, end)
    if place == start:
        _expect_end(text, end + 1)


def _find_list(text: str, start: int) -> int | None:
    """Return the place of the array with the objects, or None; judge the reference system of GeoJSON."""
    at = _skip(text, start + 1)
    while text.startswith('"', at):
        name, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if not text.startswith(":", at):
            raise json.JSONDecodeError("Expecting ':' delimiter", text, at)
        at = _skip(text, at + 1)
        if name in _LISTS and text.startswith("[", at):
            return at
        value, at = _DECODER.raw_decode(text, at)
        if name == _CRS and value is not None and not _DEGREES.search(json.dumps(value)):
            raise UnreadableFile("crs", shown(json.dumps(value)), _PROJECTED)
        at = _skip(text, at)
        at = _skip(text, at + 1) if text.startswith(",", at) else at
    return None


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _expect_end(text: str, at: int) -> None:
    if (rest := _skip(text, at)) < len(text):
        raise json.JSONDecodeError("Extra data", text, rest)
