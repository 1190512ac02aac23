"""The objects of a JSON array, or the features of a GeoJSON collection, as the rows of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ginuri.files.formats import JSON_SUFFIXES, suffix_of, unpacked
from ginuri.identifiers.errors import UnreadableFile

_FEATURE = "Feature"


def read_objects(name: str, body: bytes) -> Sequence[Mapping[str, Any]]:
    """Return the objects of a file; a feature has its properties. Empty for any other file."""
    if suffix_of(name) not in JSON_SUFFIXES:
        return ()
    try:
        given = json.loads(unpacked(name, body))
    except (ValueError, RecursionError, UnreadableFile):
        return ()
    if isinstance(given, dict):
        given = given.get("features")
    return [_members(each) for each in given if isinstance(each, dict)] if isinstance(given, list) else ()


def as_rows(objects: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[str]]:
    """Yield the names of all members, and a row for each object, with an empty cell for a missing one."""
    names = list(dict.fromkeys(name for each in objects for name in each))
    yield names
    yield from ([_text(each.get(name)).strip() for name in names] for each in objects)


def _members(given: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = given.get("properties")
    if given.get("type") != _FEATURE or not isinstance(properties, dict):
        return given
    return properties


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
