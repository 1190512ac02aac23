"""The objects of a JSON array, or the features of a GeoJSON collection, as the rows of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ginuri.files.encodings import to_utf8
from ginuri.files.formats import JSON_SUFFIXES, suffix_of, unpacked
from ginuri.files.json_files import read_objects
from ginuri.files.options import UploadOptions


def read_object_rows(name: str, body: bytes, options: UploadOptions) -> Iterator[Sequence[str]]:
    """Yield the names of all members, and a row for each object; nothing for any other file.

    A missing member is an empty cell. Raises UnreadableFile, and ValueError for another encoding.
    """
    if suffix_of(name) not in JSON_SUFFIXES:
        return
    objects = list(read_objects(b"".join(to_utf8([unpacked(name, body)], options.encoding)).decode()))
    names = list(dict.fromkeys(name for each in objects for name in each))
    yield names
    yield from ([_text(each.get(name)).strip() for name in names] for each in objects)


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
