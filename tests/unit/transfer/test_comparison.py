"""The differences between two registries: each names its part, the field or the stamp, and both values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from ginuri.frozen import replace
from ginuri.registry.model import StoredFile
from ginuri.registry.record.items import items_of
from ginuri.registry.record.record import Record, apply
from ginuri.registry.transfer import ReportFile, UploadedFile
from ginuri.transfer.comparison import RegistryDifference, compare_registries
from tests.builders import MAP, stamp, stated
from tests.memory_transfer import MemoryTransfer

UPLOAD = UploadedFile("uri-gin/azgs/a.csv", "v1", "2011-08-25T17:29:00.000Z", 3, "ab" * 32, {"many": "true"})
REPORT = ReportFile("uri-gin/azgs/a.csv/v1.json", "2011-08-25T17:30:00Z", 2, "cd" * 32)
FILE = StoredFile("uri-gin/azgs/m.pdf", "v1", 4, "ef" * 32, "2011-08-25T17:30:00Z")
PROOF = {"identifier": "upload a.csv", "version": "v1", "put": "p", "processed": "q", "counts": "{}"}


def _registry(*titles: str, file: StoredFile | None = None) -> MemoryTransfer:
    """Make a registry with one record, which has these titles in turn."""
    made, record = MemoryTransfer(), Record(MAP, {})
    values: dict[str, Any] = {"representations": [{"part": ".pdf", "file": asdict(file)}]} if file else {}
    for second, title in enumerate(titles):
        change = apply(record, stated({"title": {"en": title}, **values}), stamp(second))
        now, past, _ = items_of(change)
        made.write_items([{"version": "now", **now}, *([past] if past else [])])
        record = change.after
    return made


def _differences(before: MemoryTransfer, after: MemoryTransfer) -> list[RegistryDifference]:
    return list(compare_registries(before, after))


def test_another_title_is_reported_with_both_values() -> None:
    [difference] = _differences(_registry("A map"), _registry("Another map"))

    assert difference == RegistryDifference("record", MAP, "title.en", "A map", "Another map")


def test_another_stamp_of_the_same_value_is_reported() -> None:
    before, after = _registry("A map"), _registry("A map")
    record = after.kept[MAP, "now"]
    after.write_items([{**record, "stamps": record["stamps"].replace('"v0"', '"v9"')}])

    fields = [
        (each.field, str(each.before)[-13:], str(each.after)[-13:]) for each in _differences(before, after)
    ]

    assert ("title.en (stamp)", "#v0:000000001", "#v9:000000001") in fields
    assert {field.partition(" ")[0] for field, _, _ in fields} == {"title.en", "first"}


def test_a_missing_history_entry_is_named_by_its_stamp() -> None:
    after = _registry("A map", "A better map")
    del after.kept[MAP, str(stamp(1))]

    [difference] = _differences(_registry("A map", "A better map"), after)

    assert (difference.part, difference.name, difference.field) == ("history", f"{MAP} {stamp(1)}", "")
    assert difference.after is None


@pytest.mark.parametrize("name", ["revision", "folded", "steward", "modified"])
def test_an_attribute_of_a_record_is_compared(name: str) -> None:
    before, after = _registry("A map"), _registry("A map")
    after.write_items([{**after.kept[MAP, "now"], name: "7"}])

    assert [(each.field, each.after) for each in _differences(before, after)] == [(name, "7")]


def test_a_body_without_its_statements_is_reported() -> None:
    before, after = _registry("A map"), _registry("A map")
    record = after.kept[MAP, "now"]
    after.write_items([{**record, "body": record["body"].replace("{", '{"reason":"x",', 1)}])

    assert [each.field for each in _differences(before, after)] == ["body", "stamps"]


def test_stored_files_are_compared_without_their_versions() -> None:
    moved = replace(FILE, version="of the bucket")
    before, after = _registry("A map", file=FILE), _registry("A map", file=moved)
    before.content, after.content = [FILE], [moved]

    assert _differences(before, after) == []


def test_a_stored_file_with_another_content_is_reported() -> None:
    before, after = MemoryTransfer(), MemoryTransfer()
    before.content, after.content = [FILE], [replace(FILE, sha256="00" * 32)]

    found = [(each.part, each.name, each.before, each.after) for each in _differences(before, after)]

    assert found == [
        ("content", FILE.key, None, "00" * 32),
        ("content", FILE.key, FILE.sha256, None),
    ]


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"put": "2012"}, "put"), ({"sha256": "00" * 32}, "sha256"), ({"metadata": {}}, "metadata")],
)
def test_every_fact_of_an_upload_is_compared(changes: dict[str, Any], field: str) -> None:
    before, after = MemoryTransfer(), MemoryTransfer()
    before.uploaded["k", "v"], after.uploaded["k", "v"] = UPLOAD, replace(UPLOAD, **changes)

    [difference] = _differences(before, after)

    assert (difference.part, difference.name, difference.field) == ("upload", f"{UPLOAD.key} v1", field)


def test_a_report_is_compared_by_content_only() -> None:
    before, same, other = MemoryTransfer(), MemoryTransfer(), MemoryTransfer()
    before.reported["k"] = REPORT
    same.reported["k"] = replace(REPORT, written="2026-01-01T00:00:00Z")
    other.reported["k"] = replace(REPORT, sha256="00" * 32)

    assert _differences(before, same) == []
    assert [(each.part, each.field) for each in _differences(before, other)] == [("report", "sha256")]


def test_a_missing_proof_of_an_upload_is_reported() -> None:
    before = MemoryTransfer()
    before.write_items([PROOF])

    assert _differences(before, MemoryTransfer()) == [
        RegistryDifference("applied", "a.csv v1", "", "p", None)
    ]
