"""The objects of a JSON array, or the features of a GeoJSON collection, as the rows of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ginuri.files.encodings import to_utf8
from ginuri.files.formats import JSON_SUFFIXES, suffix_of, unpacked
from ginuri.files.json_files import NAMES_OF_IDENTIFIER, read_objects
from ginuri.files.options import UploadOptions
from ginuri.identifiers import read_identifier


def read_object_rows(name: str, body: bytes, options: UploadOptions) -> Iterator[Sequence[str]]:
    """Yield the names of all members, and a row for each object; nothing for any other file.

    A missing member is an empty cell. Raises UnreadableFile, and ValueError for another encoding.
    """
    is_of_lines = suffix_of(name) == ".jsonl"
    if not is_of_lines and suffix_of(name) not in JSON_SUFFIXES:
        return
    text = b"".join(to_utf8([unpacked(name, body)], options.encoding)).decode()
    if is_of_lines:
        text = f"[{','.join(filter(str.strip, text.splitlines()))}]"
    objects = list(read_objects(text))
    if is_of_lines and not any(_is_named_otherwise(each) for each in objects):
        return
    names = list(dict.fromkeys(name for each in objects for name in each))
    yield names
    yield from ([_text(each.get(name)).strip() for name in names] for each in objects)


def _is_named_otherwise(members: Mapping[str, Any]) -> bool:
    """Return whether an object has an identifier, but in no member that is called so."""
    return NAMES_OF_IDENTIFIER.isdisjoint(members) and any(
        isinstance(value, str) and read_identifier(value) for value in members.values()
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
