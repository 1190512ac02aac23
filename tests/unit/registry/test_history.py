"""The values of every moment, and the statements that changed them."""

from __future__ import annotations

from ginuri.registry.record.history import HistoricalChange, History, gather_history
from ginuri.registry.record.record import Record, apply
from tests.builders import MAP, key, stamp, stated

TITLE = key("title", "en")


def _history(*registrations: tuple[int, dict[str, object]]) -> History:
    record, kept = Record(MAP, {}), []
    for second, values in registrations:
        change = apply(record, stated(values), stamp(second))
        record = change.after
        kept.append(change.displaced)
    return gather_history(MAP, [record.entries, *kept])


def _told(history: History) -> list[tuple[object, tuple[HistoricalChange, ...]]]:
    return [(step.stamp, step.fields) for step in history.steps()]


def test_the_first_registration_has_no_earlier_values() -> None:
    history = _history((2, {"title": {"en": "Map"}}))

    assert history.as_of(stamp(1)) is None
    assert history.at("2011-08-25T17:29:01.999Z") is None
    assert history.at("2011-08-25T17:29:02.000Z") is not None


def test_a_step_has_the_values_before_and_after() -> None:
    history = _history((1, {"title": {"en": "Map"}}), (2, {"title": {"en": "Geologic map"}, "reason": "x"}))

    assert _told(history) == [
        (stamp(1), (HistoricalChange(TITLE, None, "Map"),)),
        (
            stamp(2),
            (HistoricalChange(TITLE, "Map", "Geologic map"), HistoricalChange(key("reason"), None, "x")),
        ),
    ]


def test_clearing_several_fields_is_listed_field_by_field() -> None:
    history = _history((1, {"title": {"en": "Map", "de": "Karte"}}), (2, {"title": None}))

    assert _told(history)[1] == (
        stamp(2),
        (HistoricalChange(key("title", "de"), "Karte", None), HistoricalChange(TITLE, "Map", None)),
    )


def test_restating_current_values_is_no_step() -> None:
    title: dict[str, object] = {"title": {"en": "Map"}}
    history = _history((1, title), (2, title), (3, title))

    assert [step.stamp for step in history.steps()] == [stamp(1)]


def test_a_value_that_was_cleared_and_restated_has_its_gaps() -> None:
    title: dict[str, object] = {"title": {"en": "Map"}}
    history = _history(
        (1, title), (2, {"title": None}), (3, title), (4, {"title": None}), (5, {"title": None})
    )

    assert [(step.fields[0].before, step.fields[0].after) for step in history.steps()] == [
        (None, "Map"),
        ("Map", None),
        (None, "Map"),
        ("Map", None),
    ]


def test_forms_cleared_and_restated_at_once_were_current_all_along() -> None:
    form = {"part": "a.pdf", "location": "https://a.example/"}
    record, kept = Record(MAP, {}), []
    for second in (1, 2, 3, 4):
        again = {key("representations"): None, **stated({"representations": [form]})}
        change = apply(record, again, stamp(second))
        record = change.after
        kept.append(change.displaced)

    history = gather_history(MAP, [record.entries, *kept])

    stood = [history.as_of(stamp(second)) for second in (1, 2, 3, 4)]
    assert [each.values() for each in stood if each] == [record.values()] * 4
    assert len(list(history.steps())) == 1


def test_an_earlier_date_for_a_known_value_is_written() -> None:
    later = apply(Record(MAP, {}), stated({"title": {"en": "Map"}}), stamp(2))

    late = apply(later.after, stated({"title": {"en": "Map"}}), stamp(1))

    assert late.touches
    assert not apply(late.after, stated({"title": {"en": "Map"}}), stamp(1)).touches
