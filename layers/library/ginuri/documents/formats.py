"""Which files are registry files, and how each is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from ginuri.core.placing import HOST_FOLDER
from ginuri.core.rows import Row
from ginuri.core.verdicts import Finding, refuse
from ginuri.documents.delimited import read_delimited
from ginuri.documents.jsonlines import read_json_lines
from ginuri.documents.lines import MOST_BYTES

Reader = Callable[[Iterable[bytes]], Iterator[Row]]

_READERS: dict[str, Reader] = {".jsonl": read_json_lines, ".csv": read_delimited}
MOST_KEY_BYTES = 800
"""How long the key of an upload may be: it stands in every stamp."""
SUFFIXES = tuple(_READERS)
"""The endings of registry files; any other file is stored as it is."""


def fault_of(key: str, size: int | None) -> Finding | None:  # noqa: PLR0911  one line a rule
    """Find what is wrong with a registry file as a whole; `size` in bytes, None for one that is not there."""
    if size is None:
        return refuse("", "uploaded", key, "this version of the file is not there any more; upload it again")
    if size == 0:
        return refuse("", "empty", key, "the file is empty")
    if size > MOST_BYTES:
        return refuse("", "size", size, f"a file has at most {MOST_BYTES:,} bytes; cut it into several")
    if is_packed(key):
        return refuse("", "format", key, "compressed files are not supported; upload the file as it is")
    if len(key.encode()) > MOST_KEY_BYTES:
        return refuse(
            "", "name", key, f"folder and name have at most {MOST_KEY_BYTES} bytes; shorten the name"
        )
    if "/" not in key:
        return refuse("", "folder", key, f"upload it into a folder: {HOST_FOLDER} or, say, uri-gin/azgs/")
    return None


def is_packed(name: str) -> bool:
    """Tell whether a file is a registry file that was compressed, which is not supported here."""
    path = PurePosixPath(name)
    return path.suffix.lower() == ".gz" and PurePosixPath(path.stem).suffix.lower() in _READERS


def reader_for(name: str) -> Reader | None:
    """Find how a file is read, by the ending of its name; None for one that is no registry file."""
    return _READERS.get(PurePosixPath(name).suffix.lower())
