"""A record as two texts: the values for answering requests, and the stamps for registering.

No value is written twice: an entry of the second text has one only if the first lacks it. A stamp is written
once, with its key as the difference to the key before, and a step of a path once for all paths below it. The
limits of a record apply to both texts together.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ginuri.registry.reading import RULES_MARK, TESTS_END, TESTS_MARK, read_values
from ginuri.registry.record.record import ALWAYS, Entries, FieldEntry, Record
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import (
    FORMS,
    OF_DELEGATION,
    OF_GRANTS,
    OF_RECORD,
    WHOLE,
    JsonValue,
    Key,
    RecordPlace,
    Statements,
    of_rule,
)
from ginuri.registry.texts.plain_text import plain_values

Path = tuple[str, ...]
"""A key as it is stored: `("title", "de")`, `("rules", pattern, "representations", form, "location")`."""
_ROOT, _RULES = Key(OF_RECORD, None, WHOLE), Key(OF_RECORD, None, "rules")
_APART: Mapping[str, RecordPlace] = {place.name: place for place in (OF_DELEGATION, OF_GRANTS)}
_ABSENT = object()
_Steps = dict[Any, Any]
"""The steps below a step of a path, by name; None has the entry of the step itself."""


def path_of(key: Key) -> Path:
    """Return the path of a key.

    >>> path_of(Key(of_rule("{id}"), "form   ", "title", "de"))
    ('rules', '{id}', 'representations', 'form   ', 'title', 'de')
    """
    place, form, field, member = key
    above: Path = () if place == OF_RECORD else tuple(step for step in place if step is not None)
    if form is not None:
        above = (*above, FORMS, form)
    below = () if field == WHOLE else (field,) if member is None else (field, member)
    return (*above, *below)


def key_of(path: Iterable[str]) -> Key:
    """Return the key of a path."""
    key = _ROOT
    for name in path:
        key = _below(key, name)
    return key


def _below(above: Key, name: str) -> Key:
    place, form, field, _ = above
    if field == WHOLE:
        apart = _APART.get(name) if above == _ROOT else None
        return Key(place, form, name) if apart is None else Key(apart, None, WHOLE)
    if field == FORMS and form is None:
        return Key(place, name, WHOLE)
    return Key(of_rule(name), None, WHOLE) if above == _RULES else Key(place, form, field, name)


def write_statements(statements: Mapping[Key, JsonValue]) -> list[tuple[Path, JsonValue]]:
    """Write statements as pairs of path and value."""
    return [(path_of(key), value) for key, value in statements.items()]


def read_statements(written: Iterable[tuple[Sequence[str], JsonValue]]) -> Statements:
    """Read what `write_statements` wrote."""
    return Statements({key_of(path): value for path, value in written})


def write_values(values: Mapping[str, Any]) -> str:
    """Write the current values; rules come last, then tests, so that a reader can skip either."""
    from ginuri.registry.record.answer_tests import part_tests

    answered, tests = part_tests(values)
    if "rules" in answered:
        body = _write({name: value for name, value in answered.items() if name != "rules"})
        body = f"{_open(body)}{RULES_MARK}{_write(answered['rules'])}}}"
    else:
        body = _write(answered)
    return f"{_open(body)}{TESTS_MARK}{_write(tests)}{TESTS_END}" if tests else body


def _open(body: str) -> str:
    """Return the text of an object without its end, for another member."""
    return body[:-1] if body == "{}" else f"{body[:-1]},"


def write_stamps(entries: Entries, values: Mapping[str, Any]) -> str:
    """Write entries with their stamps, and the values that are not among `values`.

    `stamps` has a row for each: when the upload was put, how many characters its key shares with that of the
    row before, the rest of the key, its version, the line. `entries` has a row for each step of a path, depth
    first: how deep it stands, its name and, where there is an entry, which stamps it has, and the value.
    """
    below: _Steps = {}
    levels: dict[tuple[RecordPlace, str | None], _Steps] = {}
    for key, entry in entries.items():
        place, form, field, member = key
        if (step := levels.get((place, form))) is None:
            step = below
            for name in path_of(Key(place, form, WHOLE)):
                step = step.setdefault(name, {})
            levels[place, form] = step
        step = step if field == WHOLE else step.setdefault(field, {})
        step = step if member is None else step.setdefault(member, {})
        step[None] = entry
    numbers: dict[Stamp, int] = {}
    rows: list[list[Any]] = []
    _write_steps(below, values, 0, numbers, rows)
    return _write({"stamps": list(_write_listed(numbers)), "entries": rows})


def read_field_entries(stamps: str, values: Mapping[str, Any]) -> dict[Key, FieldEntry]:
    """Read the result of `write_stamps`."""
    read = json.loads(stamps)
    listed = _read_listed(read["stamps"])
    entries: dict[Key, FieldEntry] = {}
    above: list[tuple[Key, Any]] = [(_ROOT, values)]
    for depth, name, *entry in read["entries"]:
        parent, within = above[depth]
        key: Key = _below(parent, name)
        value: Any = within.get(name, _ABSENT) if isinstance(within, dict) else _ABSENT
        above[depth + 1 :] = [(key, value)]
        if entry:
            stamp, since, changed = _read_numbers(entry[0])
            value = _plain(key, entry[1]) if len(entry) > 1 else value
            entries[key] = FieldEntry(value, listed[stamp], listed[since], listed[changed])
    return entries


def read_changes(stamps: str) -> tuple[Stamp, ...]:
    """Read only the stamps of the statements behind the current values, and of the first one, in order."""
    read = json.loads(stamps)
    listed = _read_listed(read["stamps"])
    changes = {
        listed[_read_numbers(row[2])[2]] for row in read["entries"] if len(row) > len(("depth", "step"))
    }
    return tuple(sorted(changes - {ALWAYS}))


def read_record(identifier: str, body: str, stamps: str, revision: int) -> Record:
    """Read a whole record."""
    return Record(identifier, read_field_entries(stamps, read_values(body)), revision)


def _write_steps(
    below: _Steps,
    values: Any,  # noqa: ANN401  any JSON
    depth: int,
    numbers: dict[Stamp, int],
    rows: list[list[Any]],
) -> None:
    for name, step in below.items():
        value = values.get(name, _ABSENT) if isinstance(values, dict) else _ABSENT
        row: list[Any] = [depth, name]
        rows.append(row)
        if (entry := step.pop(None, None)) is not None:
            row.append(_write_numbers(entry, numbers))
            if value != entry.value:
                row.append(entry.value)
        if step:
            _write_steps(step, value, depth + 1, numbers, rows)


def _write_numbers(entry: FieldEntry, numbers: dict[Stamp, int]) -> int | list[int]:
    """Write the stamps of an entry by number, without repeated ones at the end."""
    stamp = numbers.setdefault(entry.stamp, len(numbers))
    if entry.changed is entry.since is entry.stamp:  # set only once, like most values
        return stamp
    since = numbers.setdefault(entry.since, len(numbers))
    changed = numbers.setdefault(entry.changed, len(numbers))
    if changed != since:
        return [stamp, since, changed]
    return stamp if since == stamp else [stamp, since]


def _read_numbers(written: int | list[int]) -> tuple[int, int, int]:
    if isinstance(written, int):
        return written, written, written
    stamp, since, *changed = written
    return stamp, since, changed[0] if changed else since


def _write_listed(stamps: Iterable[Stamp]) -> Iterator[Sequence[Any]]:
    before = ""
    for stamp in stamps:
        shared = _shared(before, stamp.upload)
        yield stamp.put, shared, stamp.upload[shared:], stamp.version, stamp.line
        before = stamp.upload


def _shared(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def _read_listed(rows: Iterable[Sequence[Any]]) -> list[Stamp]:
    listed, key = list[Stamp](), ""
    for put, shared, rest, version, line in rows:
        key = key[:shared] + rest
        listed.append(Stamp(put, key, version, line))
    return listed


def _plain(key: Key, value: Any) -> Any:  # noqa: ANN401  any JSON
    return plain_values({key.field: value})[key.field] if isinstance(value, str | list | dict) else value


def _write(value: Any) -> str:  # noqa: ANN401  any JSON
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
