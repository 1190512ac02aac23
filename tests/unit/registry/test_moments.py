"""Records as they are at a moment."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ginuri.registry.clock import BEGINNING, ENDING
from ginuri.registry.model import Resource, Status
from ginuri.registry.moments import record_at, records_at, values_at
from ginuri.registry.reading import read_stored, shown_values
from tests.builders import MAP, PUT

MIDNIGHT = datetime(2027, 3, 1, tzinfo=UTC)
EMBARGO = {"status": "embargoed", "until": "2027-03-01"}
FORMS = {"a": {"location": "https://a.example/"}}
CONTENT: dict[str, Any] = {"title": {"en": "A map"}, "description": {"en": "Rocks"}, "representations": FORMS}
MOMENTS = [
    (BEGINNING, Status.EMBARGOED),
    (MIDNIGHT - timedelta(days=1), Status.EMBARGOED),
    (MIDNIGHT - timedelta(milliseconds=1), Status.EMBARGOED),
    (MIDNIGHT, Status.VALID),
    (MIDNIGHT + timedelta(milliseconds=1), Status.VALID),
    (ENDING, Status.VALID),
]


def _read(**values: Any) -> Resource:
    record = read_stored(MAP, json.dumps(values), PUT.format(0))
    assert isinstance(record, Resource)
    return record


@pytest.mark.parametrize(("moment", "status"), MOMENTS)
def test_a_status_ends_at_midnight_of_its_day(moment: datetime, status: Status) -> None:
    record = record_at(_read(**CONTENT, **EMBARGO), moment)

    assert record.status is status
    assert record.titles == {"en": "A map"}
    assert bool(record.descriptions) == bool(record.representations) == (status is Status.VALID)


@pytest.mark.parametrize(("moment", "status"), MOMENTS)
def test_the_status_of_a_rule_ends_at_midnight_of_its_day(moment: datetime, status: Status) -> None:
    rules = {"": {"representations": FORMS, **EMBARGO}, "x": {"representations": FORMS}}

    record = record_at(_read(record="resource", rules=rules), moment)

    assert {rule.pattern.text: rule.answer.status for rule in record.rules} == {"": status, "x": Status.VALID}


@pytest.mark.parametrize(("moment", "status"), MOMENTS)
def test_the_values_of_a_moment_are_those_of_its_record(moment: datetime, status: Status) -> None:
    stored = {**CONTENT, **EMBARGO, "rules": {"": {"representations": FORMS, **EMBARGO}}}

    values = shown_values(values_at(stored, moment))

    is_open = status is Status.VALID
    assert values.get("status") == values["rules"][""].get("status") == (None if is_open else "embargoed")
    assert ("representations" in values) == ("representations" in values["rules"][""]) == is_open


def test_a_record_is_hidden_until_a_moment_is_known() -> None:
    record = _read(**CONTENT, **EMBARGO)

    assert (record.status, record.until) == (Status.EMBARGOED, "2027-03-01")
    assert (record.descriptions, record.representations) == ({}, ())


def test_an_opened_record_changed_at_midnight() -> None:
    assert record_at(_read(**EMBARGO), MIDNIGHT).modified == "2027-03-01T00:00:00.000Z"
    assert record_at(_read(status="embargoed", until="2001-01-01"), MIDNIGHT).modified == PUT.format(0)


def test_an_embargo_without_a_day_never_ends() -> None:
    assert record_at(_read(**CONTENT, status="embargoed"), ENDING).status is Status.EMBARGOED


def test_records_without_days_stay_the_same_mapping() -> None:
    records = {MAP: _read(**CONTENT)}

    assert records_at(records, MIDNIGHT) is records
