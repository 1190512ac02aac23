"""The type and the kind of an identifier change only by a correction with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.files.options import UploadOptions, write_options
from ginuri.registry.model import Alias, Resource, ResourceType
from tests.steward import Report, Steward, line, settled

KEY = "uri-gin/azgs/corrected.jsonl"
WELL = "uri-gin/azgs/doc/well/"
FORM = {"part": "a.pdf", "location": "https://a.example/a.pdf"}
REASON = "It was never a type."


def _correct(steward: Steward, content: str, reason: str = REASON) -> Report:
    said = write_options(UploadOptions(is_correction=True, reason=reason))
    return steward.deliver(steward.put(KEY, content, **said))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ({}, {"kind": "document"}),
        ({"kind": "document"}, {"kind": None}),
        ({"kind": "document"}, {"kind": "thing"}),
    ],
)
def test_the_kind_of_a_resource_cannot_change(first: dict[str, Any], then: dict[str, Any]) -> None:
    steward = settled()
    steward.upload(KEY, line(WELL, **first))

    report = steward.upload(KEY, line(WELL, **then))

    assert report.refused == {(1,): [("kind", "never reused")]}
    assert "correction" in report.verdicts[0].findings[0]["message"]


@pytest.mark.parametrize(("first", "then"), [(None, "thing"), ("thing", None), ("document", "document")])
def test_restating_the_kind_changes_nothing(first: str | None, then: str | None) -> None:
    steward = settled()
    steward.upload(KEY, line(WELL, kind=first))

    assert not steward.upload(KEY, line(WELL, kind=then)).refused


def test_a_kind_is_corrected_and_the_report_has_the_reason() -> None:
    steward = settled()
    steward.upload(KEY, line(WELL))

    report = _correct(steward, line(WELL, kind="document"))

    assert report.counts == {"changed": 1, "warned": 1}
    assert report.verdicts[0].warned == [("kind", "corrected")]
    assert REASON in report.verdicts[0].findings[0]["message"]
    assert (steward.values(WELL) or {})["kind"] == "document"


def test_a_correction_needs_a_reason() -> None:
    steward = settled()
    steward.upload(KEY, line(WELL))

    assert _correct(steward, line(WELL, kind="document"), reason="").refused == {
        (1,): [("kind", "never reused")]
    }


def test_a_record_corrected_to_another_type_loses_fields_of_the_old() -> None:
    steward = settled()
    steward.upload(KEY, line(WELL, kind="document", representations=[FORM], status="valid"))

    as_type = _correct(steward, line(WELL, record="resource-type"))
    held = steward.registry.fetch([WELL])[WELL]
    as_alias = _correct(steward, line(WELL, record="alias", stands_for="uri-gin/azgs/doc/x", status_code=302))
    alias = steward.registry.fetch([WELL])[WELL]
    _correct(steward, line(WELL, record="resource", location="https://a.example/", status_code=303))
    back = steward.registry.fetch([WELL])[WELL]

    assert (as_type.verdicts[0].broken, as_alias.verdicts[0].broken) == ([], [])
    assert isinstance(held, ResourceType)
    assert isinstance(alias, Alias)
    assert (alias.stands_for, alias.status_code) == (["uri-gin/azgs/doc/x"], 302)
    assert isinstance(back, Resource)
    assert (back.kind, [each.status_code for each in back.representations]) == (None, [303])


def test_a_correction_is_checked_like_a_registration() -> None:
    steward = settled()
    steward.upload(KEY, line("uri-gin/azgs/doc/well"))

    report = _correct(steward, line("uri-gin/azgs/doc/well", record="resource-type"))

    assert report.refused == {(1,): [("identifier", "resource-type")]}


def test_a_repeated_delivery_after_a_later_correction_gets_the_same_report() -> None:
    steward = settled()
    first = steward.put(KEY, line(WELL, kind="document", representations=[FORM]))
    steward.deliver(first)
    told = dict(steward.report(first).whole)
    _correct(steward, line(WELL, record="resource-type"))
    held = steward.values(WELL)
    steward.files.reports.clear()

    again = steward.deliver(first)

    assert again.refused == {}
    assert again.whole["counts"] == told["counts"]
    assert steward.values(WELL) == held


@pytest.mark.parametrize("order", [(1, 2), (2, 1), (2, 1, 2), (2, 1, 1)])
def test_the_later_of_two_corrections_counts_in_either_order(order: tuple[int, ...]) -> None:
    steward = settled()
    said = write_options(UploadOptions(is_correction=True, reason=REASON))
    uploads = [
        steward.put(KEY, line(WELL, kind="document", representations=[FORM])),
        steward.put(KEY, line(WELL, record="resource-type", definition="uri-gin/azgs/doc/x"), **said),
        steward.put(KEY, line(WELL, record="alias", stands_for="uri-gin/azgs/doc/x"), **said),
    ]

    for number in (0, *order):
        steward.deliver(uploads[number])

    assert all(steward.report(upload).refused == {} for upload in uploads)
    assert steward.values(WELL) == {
        "record": "alias",
        "title": {"": "Well"},
        "stands_for": ["uri-gin/azgs/doc/x"],
    }
    assert isinstance(steward.registry.fetch([WELL])[WELL], Alias)
