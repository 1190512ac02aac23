"""Which files are registry files, and how each is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from ginuri.core.rows import Row
from ginuri.documents.delimited import read_delimited
from ginuri.documents.jsonlines import read_json_lines

Reader = Callable[[Iterable[bytes]], Iterator[Row]]

_READERS: dict[str, Reader] = {".jsonl": read_json_lines, ".csv": read_delimited}
SUFFIXES = tuple(_READERS)
"""The endings of registry files; any other file is stored as it is."""


def reader_for(name: str) -> Reader | None:
    """Find how a file is read, by the ending of its name; None for one that is no registry file."""
    return _READERS.get(PurePosixPath(name).suffix.lower())
