"""The changes of a registration to a record, field by field."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.registry.record.differences import MOST_CHANGES, Difference, FieldChange, differ, without
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.serialization import Path
from ginuri.registry.record.statements import FIRST
from tests.builders import MAP, changed, keyed, stamp

FORM = ("representations", "part map.pdf")
HTML = ("representations", "form text/html de ")
RULE = ("rules", "HP_{id}/")


def _changed(before: dict[Path, Any], then: dict[Path, Any]) -> list[tuple[str, Any, Any]]:
    first = apply(Record(MAP, {}), keyed(before), stamp(1))
    second = apply(first.after, keyed(then), stamp(2))
    difference = differ(second.before, second.after)
    assert difference.untold == 0
    assert differ(without(second.after, second.displaced, stamp(2)), first.after) == Difference()
    return [(each.field, each.before, each.after) for each in difference.changes]


@pytest.mark.parametrize(
    ("before", "then", "told"),
    [
        ({("reason",): "old"}, {("reason",): "old"}, []),
        ({}, {("reason",): "new"}, [("reason", None, "new")]),
        ({("reason",): "old"}, {("reason",): "new"}, [("reason", "old", "new")]),
        ({("reason",): "old"}, {("reason",): None}, [("reason", "old", None)]),
        ({}, {("reason",): None}, []),
        ({("title", ""): "Map"}, {("title", ""): "A map"}, [("title", "Map", "A map")]),
        ({("title", "de"): "Karte"}, {("title",): None}, [("title@de", "Karte", None)]),
        ({("links", "up"): []}, {("links", "up"): [{"rel": "up"}]}, [("links.up", [], [{"rel": "up"}])]),
        ({}, {("properties", "status"): "good"}, [("properties.status", None, "good")]),
        ({}, {("status",): "valid"}, []),
        ({}, {("status",): "retired"}, [("status", "valid", "retired")]),
        (
            {(*FORM, FIRST): 0, (*FORM, "status"): "valid", (*FORM, "location"): "https://a.example/"},
            {(*FORM, FIRST): 3, (*FORM, "status"): "retired"},
            [("representations[map.pdf].status", "valid", "retired")],
        ),
        (
            {},
            {(*HTML, FIRST): 0, (*HTML, "status"): "valid", (*HTML, "title", "en"): "Page"},
            [("representations[text/html de].title@en", None, "Page")],
        ),
        (
            {},
            {("representations", "form   ", "quality"): 0.5},
            [("representations[…].quality", None, 0.5)],
        ),
        (
            {(*RULE, *FORM, "location"): "https://a.example/"},
            {(*RULE, "status"): "retired", (*RULE, *FORM, "location"): "https://b.example/"},
            [
                ("rules[HP_{id}/].status", "valid", "retired"),
                (
                    "rules[HP_{id}/].representations[map.pdf].location",
                    "https://a.example/",
                    "https://b.example/",
                ),
            ],
        ),
        (
            {},
            {("delegation", "answered_by"): "a.example", ("delegation", "title", "de"): "Kerne"},
            [("delegation.answered_by", None, "a.example"), ("delegation.title@de", None, "Kerne")],
        ),
    ],
)
def test_a_field_is_shown_with_its_former_and_current_value(
    before: dict[Path, Any], then: dict[Path, Any], told: list[tuple[str, Any, Any]]
) -> None:
    assert _changed(before, then) == told


def test_a_statement_overridden_by_a_later_one_changed_nothing() -> None:
    later = changed(MAP, 2, reason="later")

    late = changed(MAP, 1, before=later.after, reason="late", successor="uri-gin/azgs/b")

    assert differ(late.before, late.after).changes == (FieldChange("successor", None, "uri-gin/azgs/b"),)


def test_many_changes_are_cut_but_counted_with_the_status_first() -> None:
    properties = {f"p{number:02}": "x" for number in range(MOST_CHANGES)}

    change = changed(MAP, 1, properties=properties, status="retired", title={"": "Map"})
    difference = differ(change.before, change.after)

    assert (len(difference.changes), difference.untold) == (MOST_CHANGES, 2)
    assert difference.changes[0] == FieldChange("status", "valid", "retired")


def test_a_record_does_not_differ_from_itself() -> None:
    record = changed(MAP, 1, title={"": "Map"}).after

    assert differ(record, record) == Difference()
