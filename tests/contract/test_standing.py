"""Does each registry return the same records in a scan? Memory, SQLite, moto and DynamoDB Local."""

from __future__ import annotations

import json

from tests.builders import MAP, PUT, register
from tests.contract.conftest import Stand


def test_all_current_records_under_a_prefix_are_read(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "First"})
    second = register(stand.registry, MAP, 2, title={"en": "Second"})  # so that there is a history
    register(stand.registry, "uri-gin/azgs/", 1, record="authority")
    register(stand.registry, "uri-gin/azgs.mapping/a", 1, title={"en": "Another authority's"})
    register(stand.registry, "//resources.usgin.org/", 1, record="host")

    assert dict(stand.archive.standing("uri-gin/azgs/")) == {
        MAP: second.after.values(),
        "uri-gin/azgs/": {"record": "authority"},
    }


def test_without_a_prefix_all_records_are_read_once(stand: Stand) -> None:
    names = [f"uri-gin/azgs/doc/{number}" for number in range(40)]
    for name in names:
        register(stand.registry, name, 1, description={"en": "x" * 60_000})  # more than two megabytes
    register(stand.registry, "//resources.usgin.org/", 1, record="host")

    assert sorted(name for name, _ in stand.archive.standing("")) == sorted(
        [*names, "//resources.usgin.org/"]
    )


def test_an_empty_registry_has_nothing_to_read(stand: Stand) -> None:
    assert list(stand.archive.standing("")) == []


def test_every_history_under_a_prefix_is_read(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "First"})
    register(stand.registry, MAP, 2, title={"en": "Second"})
    register(stand.registry, "uri-gin/azgs/", 1, record="authority")
    register(stand.registry, "uri-gin/azgs.mapping/a", 1, title={"en": "Another authority's"})

    histories = {history.identifier: history for history in stand.archive.histories("uri-gin/azgs/")}

    assert histories.keys() == {MAP, "uri-gin/azgs/"}
    assert histories[MAP] == stand.archive.history(MAP)
    assert len(list(stand.archive.histories(""))) == 3


def test_a_scan_reads_every_record_with_its_last_change(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "First"})
    register(stand.registry, MAP, 2, title={"en": "Second"})
    register(stand.registry, "uri-gin/azgs/", 1, record="authority")

    stored = {name: (modified, json.loads(body)) for name, modified, body in stand.scan.stored()}

    assert stored == {
        MAP: (PUT.format(2), dict(stand.archive.standing(""))[MAP]),
        "uri-gin/azgs/": (PUT.format(1), {"record": "authority"}),
    }
