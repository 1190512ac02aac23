"""A restatement changes nothing visible, whenever it is delivered."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ginuri.memory import MemoryRegistry
from ginuri.registration.verdicts import Outcome, outcome_of
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.serialization import Path
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import FIRST
from tests.builders import MAP, PUT, deliver, keyed, short
from tests.property.test_history import IN_ORDER, Registration, in_any_order
from tests.registries import NewRegistry, WholeRegistry, on_every_registry

_BETWEEN = 1_000_000
"""A line after those of an upload, and before the next upload."""


def _delivered(
    registrations: list[Registration], new_registry: NewRegistry = MemoryRegistry
) -> WholeRegistry:
    registry = new_registry()
    for statements, stamp in registrations:
        deliver(registry, statements, stamp)
    return registry


def _seen(registry: WholeRegistry) -> Any:
    """Return the visible parts of a record: current values, their times, and its uploads."""
    return registry.fetch([MAP])[MAP], registry.stamps(MAP), list(registry.history(MAP).steps())


def _restated(data: st.DataObject, in_order: list[Registration], until: int) -> dict[Path, Any]:
    """Draw some values from after some registrations, and some missing ones to be cleared."""
    record = Record(MAP, {})
    for statements, stamp in in_order[:until]:
        record = apply(record, statements, stamp).after
    stood = short({key: value for key, value in record.in_force().items() if not key.is_first})
    empty = short(dict.fromkeys(key for key in record.entries if not key.is_first))
    stood |= {path: None for path in empty if _is_empty(path, stood)}
    drawn: dict[Path, Any] = data.draw(
        st.fixed_dictionaries({}, optional={path: st.just(it) for path, it in stood.items()})
    )
    return drawn | {path: it for form in _forms_of(drawn) for path, it in _naming(form).items()}


def _forms_of(statements: dict[Path, Any]) -> list[Path]:
    return list(dict.fromkeys(path[:2] for path in statements if path[0] == "representations" and path[1:]))


def _naming(form: Path) -> dict[Path, Any]:
    """Return the statements of every registration of a form."""
    return {(*form, FIRST): 7, (*form, "part"): form[-1]}


def _is_empty(path: Path, stood: dict[Path, Any]) -> bool:
    """Return whether clearing has no effect: there is no value, and no removed form is named."""
    forms = [form for form in _forms_of({path: None}) if (*form, "part") not in stood]
    return not forms and not any(each[: len(path)] == path for each in stood)


@on_every_registry
@given(in_order=IN_ORDER, data=st.data())
def test_restating_current_values_changes_no_visible_result(
    new_registry: NewRegistry, in_order: list[Registration], data: st.DataObject
) -> None:
    registry, later = (
        _delivered(in_order, new_registry),
        Stamp(PUT.format(50), "uri-gin/azgs/again.csv", "v2", 7),
    )
    seen, held = _seen(registry), registry.read([MAP])[MAP]
    restated = keyed(_restated(data, in_order, len(in_order)))

    change = apply(held, restated, later)
    deliver(registry, restated, later)

    assert outcome_of(change) is Outcome.UNCHANGED
    assert _seen(registry) == seen


@given(in_any_order(), st.data())
def test_a_late_restatement_of_former_values_leaves_no_trace(
    delivered: tuple[list[Registration], list[Registration]], data: st.DataObject
) -> None:
    in_order, otherwise = delivered
    until = data.draw(st.integers(1, len(in_order)))
    before = in_order[until - 1][1]
    stamp = Stamp(before.put, before.upload, before.version, before.line + _BETWEEN)
    if until < len(in_order) and in_order[until][1].put == before.put:
        stamp = Stamp(before.put, before.upload, f"{before.version}.", 1)
        until += 1
    again = (keyed(_once(in_order, _restated(data, in_order, until))), stamp)
    place = data.draw(st.integers(0, len(otherwise)))

    seen = _seen(_delivered([*otherwise[:place], again, *otherwise[place:]]))

    assert seen == _seen(_delivered(in_order))


def _once(in_order: list[Registration], restated: dict[Path, Any]) -> dict[Path, Any]:
    """Leave out restatements: docs/explanation/decisions/0002-…, whose exception begins there."""
    stated = [each for statements, _ in in_order for each in short(statements).items()]
    often = {(path, value) for path, value in stated if stated.count((path, value)) > 1}
    named = {form for form in _forms_of(restated) if ((*form, "part"), form[-1]) in often}
    return {path: it for path, it in restated.items() if path[:2] not in named and (path, it) not in often}


@on_every_registry
@given(delivered=in_any_order())
def test_the_modification_date_is_the_same_in_any_order_of_delivery(
    new_registry: NewRegistry, delivered: tuple[list[Registration], list[Registration]]
) -> None:
    in_order, otherwise = (_delivered(registrations, new_registry) for registrations in delivered)

    assert _seen(otherwise) == _seen(in_order)


@given(IN_ORDER)
def test_a_record_was_last_changed_by_its_last_step(in_order: list[Registration]) -> None:
    registry = _delivered(in_order)
    record = registry.read([MAP])[MAP]

    steps = [step.stamp for step in registry.history(MAP).steps()]

    assert record.modified == max([record.created, *steps])
    assert set(registry.stamps(MAP)) <= {record.created, *steps}
