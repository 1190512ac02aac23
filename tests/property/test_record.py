"""Uploads delivered twice, late or out of order end in the same record."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ginuri.registry.model import Registered
from ginuri.registry.reading import read_registered
from ginuri.registry.record.differences import differ, without
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.serialization import read_record, write_stamps, write_values
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import FIRST, Statements
from tests.builders import MAP, PUT, deliver, forms_of, key
from tests.property.strategies import REGISTRATIONS
from tests.registries import NewRegistry, on_every_registry

Registration = tuple[Statements, Stamp]


def _stamp(number: int) -> Stamp:
    # Neighbours have the same time, and differ in line only.
    return Stamp(PUT.format(number // 2), "uri-gin/azgs/maps.csv", "v1", number)


@st.composite
def deliveries(draw: st.DrawFn) -> tuple[list[Registration], list[Registration]]:
    """Draw registrations in order, and the same in any order with some delivered again."""
    registrations = draw(st.lists(REGISTRATIONS, min_size=1, max_size=6))
    in_order = [(statements, _stamp(number)) for number, statements in enumerate(registrations)]
    again = draw(st.lists(st.sampled_from(in_order), max_size=4))
    return in_order, draw(st.permutations(in_order + again))


def _sum(registrations: list[Registration]) -> Record:
    record = Record(MAP, {})
    for statements, stamp in registrations:
        record = apply(record, statements, stamp).after
    return record


def _undated(record: Registered) -> Registered:
    return replace(record, modified="")


@given(deliveries())
def test_any_order_and_repetition_give_the_same_record(
    delivered: tuple[list[Registration], list[Registration]],
) -> None:
    in_order, otherwise = delivered

    one, other = _sum(in_order), _sum(otherwise)

    assert one.entries == other.entries
    assert one.values() == other.values()
    assert list(forms_of(one)) == list(forms_of(other))
    assert (one.created, one.latest) == (other.created, other.latest)


@given(deliveries())
def test_the_changes_of_a_registration_are_the_same_at_any_time(
    delivered: tuple[list[Registration], list[Registration]],
) -> None:
    record = Record(MAP, {})
    for statements, stamp in delivered[1]:
        change = apply(record, statements, stamp)
        record = change.after
        if change.touches:
            before = without(record, change.displaced, stamp)
            assert differ(before, record) == differ(change.before, record)


@on_every_registry
@given(delivered=deliveries())
def test_any_order_and_repetition_give_the_same_registry(
    new_registry: NewRegistry, delivered: tuple[list[Registration], list[Registration]]
) -> None:
    registries = []
    for registrations in delivered:
        registry = new_registry()
        for statements, stamp in registrations:
            deliver(registry, statements, stamp)
        registries.append(registry)

    # The time of a value has an exception: tests/property/test_unchanged.py.
    one, other = registries

    assert _undated(one.fetch([MAP])[MAP]) == _undated(other.fetch([MAP])[MAP])
    assert one.read([MAP])[MAP].entries == other.read([MAP])[MAP].entries


@given(deliveries())
def test_a_registration_delivered_again_immediately_changes_nothing(
    delivered: tuple[list[Registration], list[Registration]],
) -> None:
    _, registrations = delivered
    record = _sum(registrations)

    again = apply(record, *registrations[-1])

    assert again.after.entries == record.entries
    assert again.after.values() == record.values()


@given(deliveries())
def test_every_statement_is_current_or_was_displaced(
    delivered: tuple[list[Registration], list[Registration]],
) -> None:
    in_order, otherwise = delivered
    record, kept = Record(MAP, {}), []
    for statements, stamp in otherwise:
        change = apply(record, statements, stamp)
        record = change.after
        kept += [(path, entry.value) for path, entry in change.displaced.items()]
    kept += [(path, entry.value) for path, entry in record.entries.items()]

    stated = [each for statements, _ in in_order for each in statements.items()]
    places = {key("representations", form, FIRST) for form in ("a.pdf", "b.tif")}

    assert [each for each in stated if each not in kept and each[0] not in places] == []


@given(deliveries())
def test_a_record_is_read_back(delivered: tuple[list[Registration], list[Registration]]) -> None:
    record = _sum(delivered[1])

    body, stamps = write_values(record.values()), write_stamps(record.entries, record.values())
    read = read_record(MAP, body, stamps, record.revision)

    assert read == record
    assert read.values() == record.values()
    assert {path: (entry.since, entry.changed) for path, entry in read.entries.items()} == {
        path: (entry.since, entry.changed) for path, entry in record.entries.items()
    }


@given(deliveries())
def test_requests_are_answered_from_the_current_values(
    delivered: tuple[list[Registration], list[Registration]],
) -> None:
    record = _sum(delivered[1])

    read = read_registered(MAP, json.loads(write_values(record.values())), record.modified.put)

    assert read == read_registered(MAP, record.values(), record.modified.put)
