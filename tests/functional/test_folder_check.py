"""The check of a registry folder finds every damage, and names its remedy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from ginuri.identifiers.errors import FolderUnsuitable
from ginuri.registry.record.grant_records import record_of_grants
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.rule_records import put_under
from ginuri.registry.record.statements import OF_GRANTS, Key
from ginuri.registry.rules.beginnings import record_of_rule
from ginuri.sqlite.database import FILE
from ginuri.sqlite.maintenance.check import Check, Damage
from ginuri.sqlite.maintenance.last_stop import check_quickly, note_start, note_stop
from ginuri.sqlite.records import SqliteRegistry
from tests.builders import MAP, keyed, register, stamp
from tests.registry_folder import RegistryFolder, open_folder, sha256_of

KEY = "uri-gin/azgs/files/map.tif"
LARGE = bytes(range(256)) * 1_000


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[RegistryFolder]:
    """A registry folder with a history, a record with a stored file, an upload and a large report."""
    with open_folder(tmp_path) as opened:
        upload = opened.uploads.put(KEY, b"II*", {})
        kept = opened.uploads.keep(KEY, upload.put)
        assert kept is not None
        registry = SqliteRegistry(opened.database)
        register(registry, MAP, 1, title={"en": "Map"}, representations=[{"part": "", "file": asdict(kept)}])
        register(registry, MAP, 2, title={"en": "Another map"})
        opened.uploads.report("report.json", LARGE)
        yield opened


def _check(folder: RegistryFolder, *, removes: bool = False) -> list[Damage]:
    return list(Check(folder.database.folder, removes=removes).run())


def _change(folder: RegistryFolder, statement: str) -> None:
    with folder.database.write() as connection:
        assert connection.execute(statement).rowcount == 1


def test_a_sound_registry_has_no_damage(folder: RegistryFolder) -> None:
    assert _check(folder) == []


def test_grants_with_a_history_are_no_damage(folder: RegistryFolder) -> None:
    jane, record = (
        Key(OF_GRANTS, None, "mailto:jane@example.org"),
        Record(record_of_grants("uri-gin/azgs/"), {}),
    )
    for second, may in enumerate(("read", "register"), 1):
        change = apply(record, {jane: {"may": [may]}}, stamp(second))
        SqliteRegistry(folder.database).write(change)
        record = change.after

    assert _check(folder) == []


def test_the_check_reports_each_part_that_it_begins(folder: RegistryFolder) -> None:
    parts: list[str] = []

    list(Check(folder.database.folder, lambda part, _: parts.append(part)).run())

    assert parts == ["database", "files", "unnamed files", "records", "history"]


def test_damaged_lists_of_rules_are_found(folder: RegistryFolder) -> None:
    registry = SqliteRegistry(folder.database)
    prefix = "uri-gin/azgs/old/"
    stated = put_under(prefix, keyed({("rules", "HP_{id}", "status_code"): 404}))
    registry.write(apply(Record(record_of_rule(prefix, "HP_{id}"), {}), stated, stamp()))
    assert _check(folder) == []

    _change(folder, "UPDATE beginning SET beginning = 'do_'")

    reasons = [str(damage.reason) for damage in _check(folder) if damage.place == prefix]
    assert [("hp_" in reason, "do_" in reason) for reason in reasons] == [(True, False), (False, True)]


def test_a_missing_file_is_found(folder: RegistryFolder) -> None:
    folder.files.path(sha256_of(b"II*")).unlink()

    [damage] = _check(folder)

    assert damage.place.endswith(sha256_of(b"II*"))
    assert "missing" in str(damage.reason)
    assert KEY in str(damage.remedy)


@pytest.mark.parametrize(
    ("body", "reason"),
    [(b"short", "The file has 5 bytes instead of 256,000."), (LARGE[:-1] + b"x", "another content")],
)
def test_a_damaged_file_is_found(folder: RegistryFolder, body: bytes, reason: str) -> None:
    folder.files.path(sha256_of(LARGE)).write_bytes(body)

    [damage] = _check(folder)

    assert reason in str(damage.reason)
    assert "report.json" in str(damage.remedy)


def test_a_file_without_a_name_is_found_and_removed_on_demand(folder: RegistryFolder) -> None:
    with folder.files.receive([b"stray"]) as incoming:
        folder.files.keep(incoming)

    [found] = _check(folder)
    assert found.place.endswith(incoming.sha256)
    assert "--remove" in str(found.remedy)
    assert folder.files.has(incoming.sha256, 5)

    [removed] = _check(folder, removes=True)
    assert str(removed.remedy) == "It was removed."
    assert _check(folder) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE record SET body = '{'", "cannot be read"),
        ("UPDATE record SET stamps = '[]'", "cannot be read"),
        ("UPDATE record SET stamps = substr(stamps, 1, 90)", "cannot be read"),
        ("UPDATE record SET body = json_set(body, '$.status', 'retired')", "body: not the values"),
        ("UPDATE record SET body = json_remove(body, '$.title')", "cannot be read"),
        ("UPDATE record SET folded = 'x', steward = 'y'", "folded, steward: not the values"),
        ("UPDATE record SET collection = 'x'", "collection: not the values"),
        ("UPDATE record SET modified = '2020-01-01T00:00:00.000Z'", "modified: not the values"),
        ("UPDATE history SET stamps = '{}'", "cannot be read"),
        ("UPDATE record SET body = replace(body, '\"version\"', '\"v\"')", "in version None is missing"),
        ("DELETE FROM record", "a history and no record"),
        ("UPDATE upload SET metadata = '{'", "upload.metadata of this row is no JSON"),
        ("UPDATE message SET body = ''", "message.body of this row is no JSON"),
        ("DELETE FROM content", "The stored file uri-gin/azgs/files/map.tif in version"),
    ],
)
def test_a_damaged_row_is_found(folder: RegistryFolder, change: str, reason: str) -> None:
    _change(folder, change)

    [damage] = _check(folder)

    assert reason in str(damage.reason)


def test_a_damaged_page_of_the_database_is_found(folder: RegistryFolder) -> None:
    [(page,)] = folder.database.read("SELECT rootpage FROM sqlite_master WHERE name = 'history'")
    _overwrite(folder, (page - 1) * 4096, b"\xff" * 4096)

    damages = _check(folder)

    assert damages[0].place == FILE
    assert "malformed" in str(damages[0].reason)
    assert check_quickly(folder.database, 10) != []


def test_a_wrong_number_of_free_pages_is_found(folder: RegistryFolder) -> None:
    _overwrite(folder, 36, b"\0\0\0\5")

    damages = _check(folder)

    assert {damage.place for damage in damages} == {FILE}
    assert "SQLite reports: " in str(damages[0].reason)


def _overwrite(folder: RegistryFolder, place: int, body: bytes) -> None:
    folder.database.close()
    with (folder.database.folder / FILE).open("r+b") as file:
        file.seek(place)
        file.write(body)


def test_a_folder_without_a_registry_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(FolderUnsuitable, match="is no registry"):
        list(Check(tmp_path / "none").run())


def test_an_unclean_stop_is_noticed_at_the_next_start(folder: RegistryFolder) -> None:
    assert note_start(folder.database)
    note_stop(folder.database)
    assert note_start(folder.database)

    assert not note_start(folder.database)


def test_the_quick_check_finds_no_fault_in_a_sound_database(folder: RegistryFolder) -> None:
    assert check_quickly(folder.database, 10) == []


def test_the_quick_check_ends_in_time(folder: RegistryFolder) -> None:
    with folder.database.write() as connection:
        connection.execute(
            "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 200000)"
            " INSERT INTO applied SELECT n, n, n, n, n FROM number"
        )

    assert check_quickly(folder.database, 0) == []
