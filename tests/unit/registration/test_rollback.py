"""The statements that undo an upload, and the values that stay."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.memory import MemoryRegistry
from ginuri.registration.undo.rollback import Restatement, Skipped, plan_rollback
from tests.builders import MAP, register, short, stamp

UPLOAD = stamp().upload


def _undone(*registrations: dict[str, Any], second: int = 1) -> Restatement | Skipped | None:
    """Register one after the other, and undo the second."""
    registry = MemoryRegistry()
    for number, values in enumerate(registrations):
        register(registry, MAP, number, **values)
    return plan_rollback(registry.history(MAP), UPLOAD, f"v{second}")


def _stated(*registrations: dict[str, Any], second: int = 1) -> Any:
    undone = _undone(*registrations, second=second)
    assert isinstance(undone, Restatement)
    return short(undone.statements)


TITLE: dict[str, Any] = {"title": {"en": "Map"}}


@pytest.mark.parametrize(
    ("changes", "restated"),
    [
        ({"title": {"en": "Other"}}, {("title", "en"): "Map"}),
        ({"title": {"de": "Karte"}}, {("title", "de"): None}),
        ({"title": None}, {("title", "en"): "Map"}),
        ({"status": "retired"}, {("status",): None}),
        ({"properties": {"county": "Cochise"}}, {("properties", "county"): None}),
        ({"links": {"up": [{"href": "https://a.example/"}]}}, {("links", "up"): None}),
    ],
)
def test_what_was_changed_is_stated_as_it_stood(changes: dict[str, Any], restated: dict[Any, Any]) -> None:
    assert _stated(TITLE, changes) == restated


def test_an_upload_that_said_nothing_of_it_or_nothing_new_is_nothing_to_undo() -> None:
    assert _undone(TITLE, TITLE) is None
    assert _undone(TITLE, second=7) is None


@pytest.mark.parametrize("later", [{"title": {"en": "Third"}}, {"title": {"en": "Other"}}, {"title": None}])
def test_what_was_stated_since_is_left_alone_even_where_it_was_the_same(later: dict[str, Any]) -> None:
    undone = _undone(TITLE, {"title": {"en": "Other"}}, later)

    assert isinstance(undone, Skipped)
    assert undone.since == stamp(2)


def test_what_was_said_since_of_another_field_is_kept() -> None:
    assert _stated(TITLE, {"title": {"en": "Other"}}, {"reason": "x"}) == {("title", "en"): "Map"}


def test_a_form_that_was_retired_since_is_not_brought_back() -> None:
    def form(**fields: str) -> dict[str, Any]:
        return {"representations": [{"part": "a.pdf", **fields}]}

    stated = _stated(
        form(location="https://a.example/1"), form(location="https://a.example/2"), form(status="retired")
    )

    assert stated["representations", "a.pdf", "status"] == "retired"


def test_only_what_stays_for_good_makes_it_a_correction() -> None:
    corrected, changed = _undone(TITLE, {"kind": "document"}), _undone(TITLE, {"reason": "x"})

    assert isinstance(corrected, Restatement)
    assert isinstance(changed, Restatement)
    assert (corrected.is_correction, changed.is_correction) == (True, False)


def test_what_stands_under_another_type_since_is_stated_as_that_type() -> None:
    assert _stated(TITLE, {"record": "alias"}) == {("record",): "resource"}
    assert _undone(TITLE, {"record": "resource"}) is None


def test_a_successor_that_was_not_told_is_not_stated() -> None:
    assert _undone({"successor": "uri-gin/azgs/x"}, {"successor": None}) is None
