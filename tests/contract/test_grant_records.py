"""Does each registry keep grants apart from identifiers? Memory, SQLite, moto and DynamoDB Local."""

from __future__ import annotations

from datetime import UTC, datetime

from ginuri.registration.authorization import Grant, Right
from ginuri.registration.grants_reader import read_grants
from ginuri.registry.record.grant_records import record_of_grants
from ginuri.registry.record.record import Change, Record, apply
from ginuri.registry.record.statements import OF_GRANTS, Key
from tests.builders import register, stamp
from tests.contract.conftest import Stand

AZGS, OTHER, JANE = "uri-gin/azgs/", "uri-gin/azgs2/", "mailto:jane@example.org"
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def _granted(prefix: str, second: int, *may: str, before: Record | None = None) -> Change:
    stated = {Key(OF_GRANTS, None, JANE): {"may": list(may)} if may else None}
    return apply(before or Record(record_of_grants(prefix), {}), stated, stamp(second))


def _fill(stand: Stand) -> None:
    register(stand.registry, AZGS, 1, record="authority")
    first = _granted(AZGS, 2, "read")
    stand.registry.write(first)
    stand.registry.write(_granted(AZGS, 3, "register", before=first.after))
    stand.registry.write(_granted(OTHER, 4, "read"))


def test_grants_are_read_in_one_call(stand: Stand) -> None:
    _fill(stand)
    before = stand.calls()

    grants, handed_over = read_grants(stand.registry, f"{AZGS}doc/", NOW)

    assert stand.calls() - before == 1
    assert (list(grants), list(handed_over)) == ([Grant(AZGS, JANE, frozenset({Right.REGISTER}))], [])


def test_an_archive_returns_grants_only_if_they_are_wanted(stand: Stand) -> None:
    _fill(stand)
    granted = {"grants": {JANE: {"may": ["register"]}}}

    assert list(stand.archive.standing(AZGS)) == [(AZGS, {"record": "authority"})]
    standing = list(stand.archive.standing(AZGS, with_grants=True))
    assert sorted(standing, key=str) == [(AZGS, granted), (AZGS, {"record": "authority"})]
    assert [each.identifier for each in stand.archive.histories(AZGS)] == [AZGS]
    histories = list(stand.archive.histories(AZGS, with_grants=True))
    assert [each.identifier for each in histories] == [AZGS, AZGS]
    values = [each.value for every in histories for each in every.statements if each.key.field == JANE]
    assert values == [{"may": ["read"]}, {"may": ["register"]}]
    assert len(list(stand.archive.standing("", with_grants=True))) == 3


def test_grants_are_in_no_list_and_are_no_other_spelling(stand: Stand) -> None:
    _fill(stand)

    assert stand.lister.members(AZGS).names == ()
    assert stand.lister.count(OTHER, 10) == 0
    assert stand.reader.near("grants uri-gin/azgs") == []
    assert stand.stamps.stamps(OTHER) == ()
