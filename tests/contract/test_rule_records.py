"""Does each registry keep rules by their beginning? Memory, SQLite, moto and DynamoDB Local."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.identifiers.errors import RevisionConflict
from ginuri.registry.model import Prefix, RuleCuts
from ginuri.registry.record.record import Change, Record, apply
from ginuri.registry.record.rule_records import add_cuts, put_under, raise_revision
from ginuri.registry.record.statements import of_rule
from ginuri.registry.rules.beginnings import cover_of, record_of_rule
from tests.builders import key, keyed, register, stamp
from tests.contract.conftest import Stand

OBO, HOST = "//id.example/obo/", "//id.example/"
HP, DO = "HP_{id}", "DO_{id}"


def _ruled(prefix: str, pattern: str, second: int = 1, before: Record | None = None, **fields: Any) -> Change:
    values: dict[tuple[str, ...], Any] = {("rules", pattern, name): value for name, value in fields.items()}
    record = before or Record(record_of_rule(prefix, pattern), {})
    return apply(
        record,
        put_under(prefix, keyed(values or {("rules", pattern, "title", "en"): pattern})),
        stamp(second),
    )


def _raised(prefix: str, second: int = 1, before: Record | None = None) -> Change:
    return raise_revision(before or Record(prefix, {}), stamp(second))


def test_records_with_rules_are_read_and_fetched_by_their_names(stand: Stand) -> None:
    change = _ruled(OBO, HP)
    register(stand.registry, OBO, title={"en": "OBO"})

    stand.registry.write(change)

    name = change.after.identifier
    assert stand.registry.read([OBO, name])[name] == change.after
    fetched = stand.reader.fetch([name, OBO])
    assert isinstance(fetched[name], Prefix)
    assert [(rule.prefix, rule.pattern.text) for rule in fetched[name].rules] == [(OBO, HP)]
    assert fetched[OBO].titles == {"en": "OBO"}


def test_records_of_a_batch_are_written_together(stand: Stand) -> None:
    changes = [_ruled(OBO, HP), _ruled(OBO, DO), _raised(OBO)]
    before = stand.calls()

    stand.registry.write(*changes)

    assert stand.calls() - before == 1
    names = [change.after.identifier for change in changes]
    assert stand.registry.read(names) == {change.after.identifier: change.after for change in changes}


def test_no_record_of_a_batch_is_written_after_a_conflict(stand: Stand) -> None:
    stand.registry.write(_raised(OBO))

    with pytest.raises(RevisionConflict):
        stand.registry.write(_ruled(OBO, HP), _raised(OBO, 2))

    assert stand.registry.read([record_of_rule(OBO, HP)]) == {}
    assert stand.registry.beginnings(OBO).names == ()


def test_a_batch_is_refused_after_a_change_of_a_judging_record(stand: Stand) -> None:
    raised = _raised(OBO)
    stand.registry.write(raised)
    change = _ruled(OBO, HP)
    late = Change(change.before, change.after, {}, change.stamp, judged_by={OBO: 0, HOST: 0})

    with pytest.raises(RevisionConflict):
        stand.registry.write(late)

    stand.registry.write(Change(change.before, change.after, {}, change.stamp, judged_by={OBO: 1, HOST: 0}))
    assert stand.registry.read([change.after.identifier]) == {change.after.identifier: change.after}


def test_a_raised_revision_states_nothing_that_is_shown(stand: Stand) -> None:
    registered = register(stand.registry, OBO, title={"en": "OBO"})

    stand.registry.write(_raised(OBO, 2, registered.after))

    read = stand.registry.read([OBO])[OBO]
    assert (read.revision, read.values()) == (2, {"title": {"en": "OBO"}, "rules": {}})
    assert [step.stamp for step in stand.archive.history(OBO).steps()] == [registered.stamp]


def test_beginnings_are_listed_in_order_and_in_pages(stand: Stand) -> None:
    first = _ruled(OBO, HP)
    stand.registry.write(first, _ruled(OBO, DO), _ruled(OBO, "releases/{+rest}"), _ruled(HOST, "obo/GO_{id}"))
    stand.registry.write(_ruled(OBO, "HP_{id:digits}", 2, first.after))

    for lister in (stand.registry, stand.lister):
        assert lister.beginnings(OBO).names == ("do_", "hp_", "releases/")
        assert lister.beginnings(OBO, "hp").names == lister.beginnings(OBO, "hp_").names == ("hp_",)
        assert lister.beginnings(HOST).names == ("obo/go_",)
        assert lister.beginnings(OBO, "", "hp_").names == ("releases/",)
        assert lister.beginnings(OBO, "do_", "hp_").names == ()
        page = lister.beginnings(OBO, most=2)
        assert page.names == ("do_", "hp_")
        assert page.next_cursor == "hp_"


def test_rules_of_two_prefixes_with_one_name_share_a_record(stand: Stand) -> None:
    first = _ruled(OBO, HP)
    second = _ruled(HOST, "obo/HP_{id:digits}", 2, first.after)

    stand.registry.write(first)
    stand.registry.write(second)

    assert first.after.identifier == second.after.identifier
    [record] = stand.reader.fetch([second.after.identifier]).values()
    assert [(rule.prefix, rule.pattern.text) for rule in record.rules] == [
        (OBO, HP),
        (HOST, "obo/HP_{id:digits}"),
    ]
    assert stand.registry.beginnings(HOST).names == ("obo/hp_",)


def test_displaced_values_of_a_rule_are_in_its_history(stand: Stand) -> None:
    first = _ruled(OBO, HP, status_code=404)
    second = _ruled(OBO, HP, 2, first.after, status_code=410)
    stand.registry.write(first)
    stand.registry.write(second)

    history = stand.archive.history(first.after.identifier)

    code = key("rules", f"{OBO} {HP}", "status_code")
    assert [each.value for each in history.statements if each.key == code] == [404, 410]
    assert stand.registry.history(first.after.identifier) == history


def test_rules_are_read_under_their_prefix(stand: Stand) -> None:
    register(stand.registry, OBO, 1, title={"en": "OBO"})
    stand.registry.write(_ruled(OBO, HP, status_code=404), _ruled(HOST, "obo/DO_{id}", status_code=410))

    assert list(stand.archive.standing("//id.example/other/")) == []
    assert sorted(stand.archive.standing(OBO), key=repr) == [
        (OBO, {"rules": {HP: {"status_code": 404}}}),
        (OBO, {"title": {"en": "OBO"}}),
    ]
    assert (HOST, {"rules": {"obo/DO_{id}": {"status_code": 410}}}) in list(stand.archive.standing(""))
    histories = list(stand.archive.histories(OBO))
    assert {history.identifier for history in histories} == {OBO}
    assert {statement.key.place for history in histories for statement in history.statements} >= {of_rule(HP)}
    assert {history.identifier for history in stand.archive.histories("")} == {OBO, HOST}


def test_records_with_rules_are_in_no_list(stand: Stand) -> None:
    stand.registry.write(_ruled(OBO, HP), _ruled(HOST, "obo/DO_{id}"))
    cuts = add_cuts(Record(cover_of(HOST), {}), [(OBO, HP)], stamp())
    assert cuts is not None

    stand.registry.write(cuts)

    assert stand.lister.members(HOST).names == ()
    assert stand.lister.count(HOST, 10) == 0
    assert stand.reader.near("//id.example/obo/hp_") == []


def test_the_cuts_under_a_host_are_fetched_by_prefix(stand: Stand) -> None:
    stated = [(OBO, HP), (OBO, "a:{id}"), (HOST, "obo/{id}"), (HOST, "{id}")]
    cuts = add_cuts(Record(cover_of(HOST), {}), stated, stamp())
    assert cuts is not None

    stand.registry.write(cuts)

    fetched = stand.reader.fetch([cover_of(HOST)])[cover_of(HOST)]
    assert isinstance(fetched, RuleCuts)
    assert fetched.cuts == {OBO: "_:", HOST: "/"}
    assert add_cuts(stand.registry.read([cover_of(HOST)])[cover_of(HOST)], stated, stamp(2)) is None


def test_a_scan_reads_records_with_rules_as_well(stand: Stand) -> None:
    change = _ruled(OBO, HP)
    stand.registry.write(change)

    assert [(name, modified) for name, modified, _ in stand.scan.stored()] == [
        (change.after.identifier, change.after.modified.put)
    ]
