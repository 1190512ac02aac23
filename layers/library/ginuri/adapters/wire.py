"""A record as two texts: what requests are answered from, and the stamps that only registering needs.

No value stands twice: an entry of the second text carries one only where the first does not tell it. Nor does
anything else there: a stamp is written once, its key without what that of the stamp before begins with too,
and a step of a path once for all that stand below it. A record is bounded by what all of this amounts to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ginuri.core.record import ALWAYS, Entry, Path, Record
from ginuri.core.stamps import Stamp

_ABSENT = object()


def write_body(record: Record) -> str:
    """Write what requests are answered from."""
    return _write(record.values())


def write_stamps(entries: Mapping[Path, Entry], told: Mapping[str, Any]) -> str:
    """Write entries with their stamps, and the values that are not told elsewhere.

    `stamps` has a row for each: when the upload was put, how many characters its key shares with that of the
    row before, the rest of the key, its version, the line. `entries` has a row for each step of a path, depth
    first: how deep it stands, its name and, where there is an entry, which stamps it has, and the value.
    """
    listed = sorted(
        {stamp for entry in entries.values() for stamp in _stamps_of(entry)},
        key=lambda stamp: (stamp.upload, stamp),
    )
    numbers = {stamp: number for number, stamp in enumerate(listed)}
    rows: list[list[Any]] = []
    for path in _depth_first(entries):
        row: list[Any] = [len(path) - 1, path[-1]]
        if (entry := entries.get(path)) is not None:
            row.append(_write_numbers([numbers[stamp] for stamp in _stamps_of(entry)]))
            if _at(told, path) != entry.value:
                row.append(entry.value)
        rows.append(row)
    return _write({"stamps": list(_write_listed(listed)), "entries": rows})


def read_entries(stamps: str, told: Mapping[str, Any]) -> dict[Path, Entry]:
    """Read what `write_stamps` wrote."""
    read = json.loads(stamps)
    listed = _read_listed(read["stamps"])
    entries: dict[Path, Entry] = {}
    path: Path = ()
    for depth, step, *entry in read["entries"]:
        path = (*path[:depth], step)
        if entry:
            numbers, *value = entry
            stamp, since, changed = _read_numbers(numbers)
            stood = value[0] if value else _at(told, path)
            entries[path] = Entry(stood, listed[stamp], listed[since], listed[changed])
    return entries


def read_changes(stamps: str) -> tuple[Stamp, ...]:
    """Read no more of it than which statements made what stands, the first of all included, in order."""
    read = json.loads(stamps)
    listed = _read_listed(read["stamps"])
    changes = {
        listed[_read_numbers(row[2])[2]] for row in read["entries"] if len(row) > len(("depth", "step"))
    }
    return tuple(sorted(changes - {ALWAYS}))


def read_record(identifier: str, body: str, stamps: str, revision: int) -> Record:
    """Read a whole record."""
    return Record(identifier, read_entries(stamps, json.loads(body)), revision)


def _stamps_of(entry: Entry) -> tuple[Stamp, Stamp, Stamp]:
    return entry.stamp, entry.since, entry.changed


def _write_numbers(numbers: list[int]) -> int | list[int]:
    """Leave out those at the end that are as the one before: most entries were set once and never again."""
    while len(numbers) > 1 and numbers[-1] == numbers[-2]:
        numbers.pop()
    return numbers[0] if len(numbers) == 1 else numbers


def _read_numbers(written: int | list[int]) -> tuple[int, int, int]:
    numbers = written if isinstance(written, list) else [written]
    stamp, since, changed = (*numbers, *[numbers[-1]] * (3 - len(numbers)))
    return stamp, since, changed


def _write_listed(stamps: Iterable[Stamp]) -> Iterator[Sequence[Any]]:
    before = ""
    for stamp in stamps:
        shared = _shared(before, stamp.upload)
        yield stamp.put, shared, stamp.upload[shared:], stamp.version, stamp.line
        before = stamp.upload


def _shared(one: str, other: str) -> int:
    """Count the characters that two texts begin with, both of them."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def _read_listed(rows: Iterable[Sequence[Any]]) -> list[Stamp]:
    listed, key = list[Stamp](), ""
    for put, shared, rest, version, line in rows:
        key = key[:shared] + rest
        listed.append(Stamp(put, key, version, line))
    return listed


def _depth_first(paths: Iterable[Path]) -> Iterator[Path]:
    """Give paths and all that stand above them: each above what is below it, else as they come."""
    below: dict[Path, dict[Path, None]] = {}
    for path in paths:
        for depth in range(len(path)):
            below.setdefault(path[:depth], {})[path[: depth + 1]] = None
    waiting = [*reversed(below.get((), ()))]
    while waiting:
        path = waiting.pop()
        yield path
        waiting += reversed(below.get(path, ()))


def _at(told: Any, path: Path) -> Any:  # noqa: ANN401  JSON is what it is
    for step in path:
        if not isinstance(told, dict) or step not in told:
            return _ABSENT
        told = told[step]
    return told


def _write(value: Any) -> str:  # noqa: ANN401  JSON is what it is
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
