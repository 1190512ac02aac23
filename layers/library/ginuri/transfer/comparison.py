"""Compares two registries completely, in constant memory: both are read in order, side by side.

Stored files are compared by SHA-256: their versions depend on where they are stored.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from ginuri.registry.reading import read_values
from ginuri.registry.record.record import Entries
from ginuri.registry.record.rule_records import entries_of, is_rule_record, prefixes_in
from ginuri.registry.record.serialization import path_of, read_field_entries
from ginuri.registry.rules.beginnings import LISTED
from ginuri.registry.transfer import APPLIED, ContentFile, Item, ReportFile, UploadedFile, WholeRegistry
from ginuri.transfer.move import key_of_item, key_of_report, key_of_upload
from ginuri.transfer.pairs import pair
from ginuri.transfer.stored_versions import without_versions

NOW = "now"
_TEXTS = {"body", "stamps"}
_APART = {"applied": APPLIED, "beginning": LISTED}
"""The parts whose items are no records, with the beginnings of their identifiers."""


@dataclass(frozen=True, slots=True)
class RegistryDifference:
    """One difference; None as a value for something that a registry lacks."""

    part: str
    """`record`, `history`, `applied`, `beginning`, `upload`, `content` or `report`."""
    name: str
    """The identifier, or the key; of history and uploads, with the stamp or the version."""
    field: str
    """The field, or the stamp of one; empty if one registry lacks all of it."""
    before: object
    after: object


def compare_registries(before: WholeRegistry, after: WholeRegistry) -> Iterator[RegistryDifference]:
    """Yield every difference, part by part, each in order. Raises RegistryUnavailable."""
    for one, other in pair(before.items(), after.items(), key_of_item):
        if one != other:
            yield from _compare_items(one, other)
    for uploaded in pair(before.uploads(), after.uploads(), key_of_upload):
        yield from _compare_files("upload", *uploaded)
    for kept in pair(_numbered(before.contents()), _numbered(after.contents()), _key_of_content):
        yield from _compare_contents(*kept)
    for report in pair(before.reports(), after.reports(), key_of_report):
        yield from _compare_files("report", *report)


def _compare_items(before: Item | None, after: Item | None) -> Iterator[RegistryDifference]:
    item = before or after or {}
    name, version = key_of_item(item)
    if is_rule_record(name):
        yield from _compare_rules(before, after)
        return
    part = "record" if version == NOW else "history"
    for apart, beginning in _APART.items():
        if name.startswith(beginning):
            part, name = apart, name.removeprefix(beginning)
    title = name if part == "record" else f"{name} {version}"
    if before is None or after is None:
        # One line for something that is missing: the other registry has all of it.
        yield RegistryDifference(part, title, "", _summary(before), _summary(after))
        return
    for field, one, other in _changes(before, after):
        yield RegistryDifference(part, title, field, one, other)


def _compare_rules(before: Item | None, after: Item | None) -> Iterator[RegistryDifference]:
    """Compare the rules of one beginning, or entries of their history, each under its prefix."""
    item = before or after or {}
    part, version = ("record", "") if item["version"] == NOW else ("history", f" {item['version']}")
    one, other = ({} if each is None else entries_in(each) for each in (before, after))
    is_different = False
    for prefix in dict.fromkeys((*prefixes_in(one), *prefixes_in(other))):
        for field, *values in _changed_entries(entries_of(one, prefix), entries_of(other, prefix)):
            is_different = True
            yield RegistryDifference(part, f"{prefix}{version}", field, *values)
    if not is_different:  # the cuts under a host, or another revision of the same rules
        yield RegistryDifference(part, item["identifier"] + version, "", _summary(before), _summary(after))


def _changes(before: Item, after: Item) -> Iterator[tuple[str, object, object]]:
    for name in dict.fromkeys((*before, *after)):
        one, other = before.get(name), after.get(name)
        if name not in _TEXTS and one != other:
            yield name, one, other
    texts = [_texts_of(item) for item in (before, after)]
    if texts[0] == texts[1]:
        return
    found = list(_changed_entries(_entries(texts[0]), _entries(texts[1])))
    yield from found
    if not found:  # the same statements in another order, or values that their statements do not give
        yield from ((name, texts[0].get(name), texts[1].get(name)) for name in sorted(_TEXTS))


def entries_in(item: Item) -> Entries:
    """Read the statements of a record or of its history; stored files have no version."""
    return _entries(_texts_of(item))


def _texts_of(item: Item) -> Mapping[str, str]:
    return {name: without_versions(item[name]) for name in _TEXTS & item.keys()}


def _entries(texts: Mapping[str, str]) -> Entries:
    return read_field_entries(texts["stamps"], read_values(texts["body"]) if "body" in texts else {})


def _changed_entries(before: Entries, after: Entries) -> Iterator[tuple[str, object, object]]:
    for key in dict.fromkeys((*before, *after)):
        path = ".".join(step.strip() for step in path_of(key) if step.strip())
        one, other = before.get(key), after.get(key)
        if one is None or other is None:
            yield path, one and [one.value, str(one.stamp)], other and [other.value, str(other.stamp)]
            continue
        if one.value != other.value:
            yield path, one.value, other.value
        for stamp in ("stamp", "since", "changed"):
            if getattr(one, stamp) != getattr(other, stamp):
                yield f"{path} ({stamp})", str(getattr(one, stamp)), str(getattr(other, stamp))


def _summary(item: Item | None) -> str | None:
    return None if item is None else item.get("modified") or item.get("put") or item["version"]


def _compare_files(
    part: str, before: UploadedFile | ReportFile | None, after: UploadedFile | ReportFile | None
) -> Iterator[RegistryDifference]:
    one, other = _facts(before), _facts(after)
    if one == other:
        return
    known = before or after
    title = " ".join(str(getattr(known, name)) for name in ("key", "version") if hasattr(known, name))
    if one is None or other is None:
        yield RegistryDifference(part, title, "", one and one["sha256"], other and other["sha256"])
        return
    for name, value in one.items():
        if value != other[name]:
            yield RegistryDifference(part, title, name, value, other[name])


def _facts(file: UploadedFile | ReportFile | None) -> Mapping[str, object] | None:
    if file is None:
        return None
    facts: dict[str, object] = {"length": file.length, "sha256": file.sha256}
    if isinstance(file, UploadedFile):
        facts |= {"put": file.put, "metadata": json.dumps(dict(file.metadata), sort_keys=True)}
    return facts


_Numbered = tuple[ContentFile, int]
"""A stored file, and its number among those of its key with the same content."""


def _numbered(files: Iterable[ContentFile]) -> Iterator[_Numbered]:
    """Yield the stored files in the order of keys and contents."""
    for _, versions in groupby(files, key=lambda each: each.file.key):
        seen: Counter[str] = Counter()
        for version in sorted(versions, key=lambda each: each.file.sha256):
            seen[version.file.sha256] += 1
            yield version, seen[version.file.sha256]


def _key_of_content(numbered: _Numbered) -> tuple[str, str, int]:
    content, number = numbered
    return content.file.key, content.file.sha256, number


def _compare_contents(before: _Numbered | None, after: _Numbered | None) -> Iterator[RegistryDifference]:
    if before is None or after is None:
        one, other = (each and each[0].file.sha256 for each in (before, after))
        known = before or after
        yield RegistryDifference("content", known[0].file.key if known else "", "", one, other)
    elif before[0].file.stored != after[0].file.stored:
        moments = before[0].file.stored, after[0].file.stored
        yield RegistryDifference("content", before[0].file.key, "stored", *moments)
