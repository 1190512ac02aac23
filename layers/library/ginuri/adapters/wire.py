"""A record as two texts: what requests are answered from, and the stamps that only registering needs.

No value stands twice: an entry of the second text carries one only where the first does not tell it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ginuri.core.record import ALWAYS, Entry, Path, Record
from ginuri.core.stamps import Stamp

_ABSENT = object()


def write_body(record: Record) -> str:
    """Write what requests are answered from."""
    return _write(record.values())


def write_stamps(entries: Mapping[Path, Entry], told: Mapping[str, Any]) -> str:
    """Write entries with their stamps, and the values that are not told elsewhere."""
    stamps = list(dict.fromkeys(it for entry in entries.values() for it in (entry.stamp, entry.since)))
    numbers = {stamp: number for number, stamp in enumerate(stamps)}
    rows: list[list[Any]] = []
    for path, entry in entries.items():
        row = [list(path), numbers[entry.stamp], numbers[entry.since]]
        rows.append(row if _at(told, path) == entry.value else [*row, entry.value])
    listed = [[stamp.put, stamp.upload, stamp.version, stamp.line] for stamp in stamps]
    return _write({"stamps": listed, "entries": rows})


def read_entries(stamps: str, told: Mapping[str, Any]) -> dict[Path, Entry]:
    """Read what `write_stamps` wrote."""
    read = json.loads(stamps)
    listed = [Stamp(*each) for each in read["stamps"]]
    entries = {}
    for steps, stamp, since, *value in read["entries"]:
        path = tuple(steps)
        entries[path] = Entry(value[0] if value else _at(told, path), listed[stamp], listed[since])
    return entries


def read_stamps(stamps: str) -> tuple[Stamp, ...]:
    """Read no more of it than when and where what stands was set, in order."""
    listed = (Stamp(*each) for each in json.loads(stamps)["stamps"])
    return tuple(sorted(each for each in listed if each != ALWAYS))


def read_record(identifier: str, body: str, stamps: str, revision: int) -> Record:
    """Read a whole record."""
    return Record(identifier, read_entries(stamps, json.loads(body)), revision)


def _at(told: Any, path: Path) -> Any:  # noqa: ANN401  JSON is what it is
    for step in path:
        if not isinstance(told, dict) or step not in told:
            return _ABSENT
        told = told[step]
    return told


def _write(value: Any) -> str:  # noqa: ANN401  JSON is what it is
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
