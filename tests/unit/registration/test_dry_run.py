"""The registry of a dry run, in front of the real one."""

from __future__ import annotations

import pytest

from ginuri.identifiers.errors import RevisionConflict
from ginuri.memory import MemoryRegistry
from ginuri.registration.dry_run import DryRunRegistry
from tests.builders import MAP, changed, register, stamp


def test_written_records_are_read_and_the_registry_below_is_unchanged() -> None:
    registry = MemoryRegistry()
    record = register(registry, MAP, 1, title={"": "Map"}).after
    preview = DryRunRegistry(registry)

    change = register(preview, MAP, 2, title={"": "A map"})
    register(preview, "uri-gin/azgs/", 3, record="authority")

    assert preview.read([MAP, "uri-gin/azgs/", "uri-gin/none/"]).keys() == {MAP, "uri-gin/azgs/"}
    assert preview.read([MAP])[MAP] == change.after
    assert preview.fetch([MAP])[MAP].titles == {"": "A map"}
    assert registry.read([MAP, "uri-gin/azgs/"]) == {MAP: record}


def test_unwritten_records_come_from_the_registry_below() -> None:
    registry = MemoryRegistry()
    register(registry, MAP, 1, title={"": "Map"}, reason="old")
    register(registry, MAP, 2, reason="new")
    preview = DryRunRegistry(registry)

    assert preview.read([MAP]) == registry.read([MAP])
    assert preview.fetch([MAP, "uri-gin/none/"]) == registry.fetch([MAP])
    assert preview.displaced(MAP, stamp(2)) == registry.displaced(MAP, stamp(2)) != {}


def test_the_second_of_two_changes_to_one_record_is_a_conflict() -> None:
    preview = DryRunRegistry(MemoryRegistry())
    preview.write(changed(MAP, 1, title={"": "Map"}))

    with pytest.raises(RevisionConflict):
        preview.write(changed(MAP, 2, title={"": "A map"}))
