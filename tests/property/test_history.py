"""For all deliveries, in any order: the values of every moment can be restored."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ginuri.memory import MemoryRegistry
from ginuri.registry.record.history import History
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import JsonValue, Key, Statements
from tests.builders import MAP, PUT, deliver, forms_of
from tests.property.strategies import REGISTRATIONS
from tests.registries import NewRegistry, on_every_registry

Registration = tuple[Statements, Stamp]


def _stamped(registrations: list[Statements]) -> list[Registration]:
    # Neighbours were put at the same moment, and differ in line only.
    return [
        (statements, Stamp(PUT.format(number // 2), "uri-gin/azgs/maps.csv", "v1", number))
        for number, statements in enumerate(registrations)
    ]


def _seldom_the_same(registrations: list[Statements]) -> list[Statements]:
    """Allow each value of a field to be stated, or cleared, at most twice."""
    told: Counter[tuple[Key, JsonValue]] = Counter()
    kept: list[Statements] = []
    for statements in registrations:
        told.update(statements.items())
        kept.append(
            Statements({key: it for key, it in statements.items() if told[key, it] <= 2 or key.is_first})
        )
    return kept


IN_ORDER = st.lists(REGISTRATIONS, min_size=1, max_size=8).map(_stamped)


@st.composite
def in_any_order(draw: st.DrawFn) -> tuple[list[Registration], list[Registration]]:
    registrations = draw(st.lists(REGISTRATIONS, min_size=1, max_size=6).map(_seldom_the_same))
    in_order = _stamped(registrations)
    again = draw(st.lists(st.sampled_from(in_order), max_size=4))
    return in_order, draw(st.permutations(in_order + again))


def _delivered(registrations: list[Registration], new_registry: NewRegistry = MemoryRegistry) -> History:
    registry = new_registry()
    for statements, stamp in registrations:
        deliver(registry, statements, stamp)
    return registry.history(MAP)


def _stood(in_order: list[Registration], until: Stamp) -> Record:
    record = Record(MAP, {})
    for statements, stamp in in_order:
        if stamp <= until:
            record = apply(record, statements, stamp).after
    return record


def _assert_the_same(then: Record | None, stood: Record) -> None:
    assert then is not None
    assert then.values() == stood.values()
    assert then.in_force() == stood.in_force()
    assert list(forms_of(then)) == list(forms_of(stood))
    assert (then.created, then.modified) == (stood.created, stood.modified)


@given(IN_ORDER)
def test_a_history_delivered_in_order_is_read_back_at_every_step(
    in_order: list[Registration],
) -> None:
    history = _delivered(in_order)

    for _, stamp in in_order:
        _assert_the_same(history.as_of(stamp), _stood(in_order, stamp))


@on_every_registry
@given(delivered=in_any_order())
def test_a_history_delivered_in_any_order_is_read_back_at_every_step(
    new_registry: NewRegistry, delivered: tuple[list[Registration], list[Registration]]
) -> None:
    in_order, otherwise = delivered
    history = _delivered(otherwise, new_registry)

    for _, stamp in in_order:
        _assert_the_same(history.as_of(stamp), _stood(in_order, stamp))


@given(IN_ORDER)
def test_the_last_state_of_the_history_is_the_current_one(in_order: list[Registration]) -> None:
    history = _delivered(in_order)

    _assert_the_same(history.at("9999-12-31T23:59:59.999Z"), _stood(in_order, in_order[-1][1]))


@given(IN_ORDER)
def test_the_steps_lead_from_an_empty_record_to_the_current_one(in_order: list[Registration]) -> None:
    history = _delivered(in_order)

    standing: dict[Key, JsonValue] = {}
    for step in history.steps():
        for change in step.fields:
            assert standing.get(change.key) == change.before
            standing[change.key] = change.after

    last = _stood(in_order, in_order[-1][1]).in_force()
    told = {path: value for path, value in last.items() if not path.is_first}
    assert {path: value for path, value in standing.items() if value is not None} == told
