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
def test_changed_values_are_restored(changes: dict[str, Any], restated: dict[Any, Any]) -> None:
    assert _stated(TITLE, changes) == restated


def test_an_upload_without_changes_to_a_record_has_no_undo() -> None:
    assert _undone(TITLE, TITLE) is None
    assert _undone(TITLE, second=7) is None


@pytest.mark.parametrize(
    ("later", "because"),
    [
        ({"title": {"en": "Third"}}, "Changed since by another upload"),
        ({"title": {"en": "Other"}}, "A later upload states the same"),
        ({"title": None}, "Changed since by another upload"),
    ],
)
def test_a_value_stated_since_is_kept_even_if_it_is_equal(later: dict[str, Any], because: str) -> None:
    undone = _undone(TITLE, {"title": {"en": "Other"}}, later)

    assert isinstance(undone, Skipped)
    assert undone.since == stamp(2)
    assert str(undone.because).startswith(because)


def test_a_later_statement_of_another_field_is_kept() -> None:
    assert _stated(TITLE, {"title": {"en": "Other"}}, {"reason": "x"}) == {("title", "en"): "Map"}


def test_a_form_retired_meanwhile_is_not_restored() -> None:
    def form(**fields: str) -> dict[str, Any]:
        return {"representations": [{"part": "a.pdf", **fields}]}

    stated = _stated(
        form(location="https://a.example/1"), form(location="https://a.example/2"), form(status="retired")
    )

    assert stated["representations", "a.pdf", "status"] == "retired"


def test_only_immutable_fields_make_it_a_correction() -> None:
    corrected, changed = _undone(TITLE, {"kind": "document"}), _undone(TITLE, {"reason": "x"})

    assert isinstance(corrected, Restatement)
    assert isinstance(changed, Restatement)
    assert (corrected.is_correction, changed.is_correction) == (True, False)


def test_a_record_of_another_type_since_is_stated_as_that_type() -> None:
    assert _stated(TITLE, {"record": "alias"}) == {("record",): "resource"}
    assert _undone(TITLE, {"record": "resource"}) is None


def test_an_ineffective_successor_is_not_restored() -> None:
    assert _undone({"successor": "uri-gin/azgs/x"}, {"successor": None}) is None
