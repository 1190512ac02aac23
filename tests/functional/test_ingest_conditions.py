"""Conditions of an upload: judged against the record of the write itself, and only once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import IO

import pytest

from ginuri.files.reports.report import Upload
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.ingest.collaborators import Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryRegistry, MemoryUploads
from ginuri.registry.record.entity_tags import entity_tag
from ginuri.registry.record.record import Change
from tests.builders import register
from tests.steward import LINES, Report, Steward, line, settled

WELL = "uri-gin/azgs/doc/well{}"
OLD = WELL.format(1)
SPRING = line(OLD, title="Spring")
ONLY_NEW = {"only-new": "true"}


@pytest.fixture
def steward() -> Steward:
    """A steward with a registered well."""
    steward = settled()
    steward.upload(LINES, line(OLD))
    return steward


def _tag(steward: Steward, name: str = OLD) -> str:
    return entity_tag(steward.registry.read([name]).get(name))


def _broken(report: Report) -> list[tuple[str, str]]:
    [verdict] = report.verdicts
    return verdict.broken


# If-Match and If-None-Match.


@pytest.mark.parametrize("stated", ["{tag}", '"other", {tag}', 'W/"other" , {tag}', "*"])
def test_a_record_with_a_stated_entity_tag_is_changed(steward: Steward, stated: str) -> None:
    report = steward.upload(LINES, SPRING, **{"if-match": stated.format(tag=_tag(steward))})

    assert report.counts == {"changed": 1}


@pytest.mark.parametrize("stated", ['"other"', "W/{tag}", '""'])
def test_a_record_with_another_entity_tag_is_not_changed(steward: Steward, stated: str) -> None:
    before = steward.values(OLD)

    report = steward.upload(LINES, SPRING, **{"if-match": stated.format(tag=_tag(steward))})

    assert _broken(report) == [("", "if-match")]
    assert steward.values(OLD) == before


def test_the_refusal_states_the_current_entity_tag(steward: Steward) -> None:
    report = steward.upload(LINES, SPRING, **{"if-match": '"other"'})

    [finding] = report.verdicts[0].findings
    assert _tag(steward) in finding["message"]


@pytest.mark.parametrize("stated", ['"other"', "*"])
def test_an_absent_record_has_no_entity_tag(steward: Steward, stated: str) -> None:
    report = steward.upload(LINES, line(WELL.format(2)), **{"if-match": stated})

    assert _broken(report) == [("", "if-match")]
    assert steward.values(WELL.format(2)) is None


@pytest.mark.parametrize("status", ["valid", "reserved", "retired"])
def test_a_registered_identifier_is_not_registered_as_a_new_one(steward: Steward, status: str) -> None:
    steward.upload(LINES, line(OLD, status=status))

    refused = [
        steward.upload(LINES, SPRING, **{"if-none-match": "*"}),
        steward.upload(LINES, SPRING, **ONLY_NEW),
    ]
    report = steward.upload(LINES, line(WELL.format(2)), **{"if-none-match": "*"})

    assert [_broken(each) for each in refused] == [
        [("identifier", "if-none-match")],
        [("identifier", "only new")],
    ]
    assert report.counts == {"registered": 1}


def test_a_record_with_a_stated_entity_tag_is_not_changed(steward: Steward) -> None:
    tag = _tag(steward)
    refused = steward.upload(LINES, SPRING, **{"if-none-match": f'"other", W/{tag}'})
    changed = steward.upload(LINES, SPRING, **{"if-none-match": '"other"'})

    assert _broken(refused) == [("", "if-none-match")]
    assert tag in refused.verdicts[0].findings[0]["message"]
    assert changed.counts == {"changed": 1}


def test_each_identifier_of_a_file_has_its_own_condition(steward: Steward) -> None:
    text = SPRING + line(WELL.format(2))

    report = steward.upload(LINES, text, **{"if-match": _tag(steward)})

    assert [each.verdict for each in report.verdicts] == ["changed", "refused"]


def test_a_dry_run_judges_conditions(steward: Steward) -> None:
    report = steward.upload(LINES, SPRING, **{"if-match": '"other"', "dry-run": "true"})

    assert _broken(report) == [("", "if-match")]


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"if-match": "other"}, "if-match"),
        ({"if-match": '"a" "b"'}, "if-match"),
        ({"if-none-match": "other"}, "if-none-match"),
        ({"if-match": "*", "snapshot": "uri-gin/azgs/"}, "condition"),
        ({"if-none-match": "*", "snapshot": "uri-gin/azgs/"}, "condition"),
        ({"only-new": "true", "snapshot": "uri-gin/azgs/"}, "condition"),
    ],
)
def test_impossible_conditions_refuse_the_upload(
    steward: Steward, options: Mapping[str, str], rule: str
) -> None:
    report = steward.upload(LINES, SPRING, **options)

    assert [found for _, found in _broken(report)] == [rule]
    assert steward.values(OLD) == {"title": {"": "Well"}}


def test_a_rule_with_a_literal_beginning_has_no_condition(steward: Steward) -> None:
    rule = line("uri-gin/azgs/old/", record="rule", pattern="HP_{id}", location="https://a.example/{id}")

    report = steward.upload(LINES, rule, **{"if-none-match": "*"})

    assert _broken(report) == [("", "if-match")]


# Only new names.


@pytest.mark.parametrize(
    ("before", "name"),
    [
        (line(f"{OLD}.csv"), f"{OLD}.csv"),
        (line(OLD, representations=[{"part": ".pdf", "location": "https://a.example/"}]), f"{OLD}.pdf"),
        (
            line(
                "uri-gin/azgs/doc/map/",
                representations=[{"part": "image.pdf", "location": "https://a.example/"}],
            ),
            "uri-gin/azgs/doc/map/image",
        ),
        (
            line(OLD, representations=[{"part": ".pdf", "location": "https://a.example/"}])
            + line(OLD, representations=[{"part": ".pdf", "status": "retired"}]),
            f"{OLD}.pdf",
        ),
        (line("uri-gin/azgs/doc/WELL1"), "uri-gin/azgs/doc/Well1"),
        (line(f"{WELL.format(2)}/"), WELL.format(2)),
        (line(WELL.format(2)), WELL.format("%32")),
        (line(WELL.format("A")), WELL.format("a")),
        (
            line("uri-gin/azgs/doc/", record="rule", location="https://a.example/{+rest}"),
            WELL.format(2),
        ),
        (
            line("uri-gin/azgs/doc/", record="rule", pattern="well{id}", location="https://a.example/{id}"),
            WELL.format(2),
        ),
    ],
    ids=["name", "part", "before a dot", "retired", "case", "slash", "escape", "letter", "rule", "beginning"],
)
def test_a_name_that_anything_answers_for_is_not_new(steward: Steward, before: str, name: str) -> None:
    for each in before.splitlines(keepends=True):
        steward.upload("uri-gin/azgs/before.jsonl", each)

    report = steward.upload(LINES, line(name), **ONLY_NEW)

    assert _broken(report) == [("identifier", "only new")]


@pytest.mark.parametrize("name", ["well2", "well11", "well1.pdf", "well1/a", "other/well1"])
def test_a_name_that_nothing_answers_for_is_new(steward: Steward, name: str) -> None:
    report = steward.upload(LINES, line(f"uri-gin/azgs/doc/{name}"), **ONLY_NEW)

    assert report.counts == {"registered": 1}


def test_the_second_of_two_spellings_in_a_file_is_not_new(steward: Steward) -> None:
    report = steward.upload(LINES, line(WELL.format("A")) + line(WELL.format("a")), **ONLY_NEW)

    assert report.refused == {(2,): [("identifier", "only new")]}
    assert steward.values(WELL.format("A")) is not None


# Other writers, and repeated deliveries.


class _Contested(MemoryRegistry):
    """A registry in which another writer registers something just before a write."""

    rival: Callable[[MemoryRegistry], object] | None = None

    def write(self, *changes: Change) -> None:
        if self.rival is not None:
            rival, self.rival = self.rival, None
            rival(self)
        super().write(*changes)


def _with_rival(rival: Callable[[MemoryRegistry], object]) -> Steward:
    registry = _Contested()
    steward = settled(registry, registry)
    steward.upload(LINES, line(OLD))
    registry.rival = rival
    return steward


@pytest.mark.parametrize(
    ("options", "name", "rule"),
    [
        ({"if-match": "{tag}"}, OLD, "if-match"),
        ({"if-none-match": "*"}, WELL.format(2), "if-none-match"),
        ({"only-new": "true"}, WELL.format(2), "only new"),
    ],
)
def test_a_condition_is_judged_again_after_another_write(
    options: Mapping[str, str], name: str, rule: str
) -> None:
    steward = _with_rival(lambda registry: register(registry, name, 50, reason="faster"))
    stated = {each: text.format(tag=_tag(steward)) for each, text in options.items()}

    report = steward.upload(LINES, line(name, title="Slower"), **stated)

    assert [found for _, found in _broken(report)] == [rule]
    values = steward.values(name)
    assert values is not None
    assert values["reason"] == "faster"


class _Cut(MemoryUploads):
    """A store that fails, together with the registry, after some calls."""

    left = 1_000_000

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        self.count()
        super().report(key, body)
        self.count()

    def count(self) -> None:
        if not self.left:
            raise RegistryUnavailable("killed")
        self.left -= 1


class _CutRegistry(MemoryRegistry):
    """A registry whose writes may fail before and after they are made."""

    def __init__(self, store: _Cut) -> None:
        super().__init__()
        self._store = store

    def write(self, *changes: Change) -> None:
        self._store.count()
        super().write(*changes)
        self._store.count()


def _deliver_until_done(steward: Steward, upload: Upload, store: _Cut, between: str) -> bool:
    """Deliver an upload that is cut off once, with another upload in between; return whether it was."""
    waiting: list[str | None] = [None]
    was_cut = False
    while waiting or steward.queue.waiting:
        waiting += steward.queue.waiting
        steward.queue.waiting.clear()
        message = waiting.pop(0)
        try:
            ingest_part(upload if message is None else read_part(json.loads(message)), steward.collaborators)
        except RegistryUnavailable:
            waiting.insert(0, message)
            store.left, was_cut = 1_000_000, True
            if between:
                steward.deliver(steward.put("uri-gin/azgs/between.jsonl", between))
    return was_cut


@pytest.mark.parametrize("task_rows", [100, 1])
@pytest.mark.parametrize("condition", ["if-match", "if-none-match", "only-new"])
def test_a_fulfilled_condition_is_not_judged_again_after_a_kill(condition: str, task_rows: int) -> None:
    names = [OLD] if condition == "if-match" else [WELL.format(number) for number in (2, 3)]
    calls, was_cut = 0, True
    while was_cut:
        store = _Cut()
        registry = _CutRegistry(store)
        steward = settled(registry, registry)
        steward.files, steward.memory = store, registry
        steward.limits = replace(Limits(), task_rows=task_rows, chunk_rows=1)
        steward.upload(LINES, line(OLD))
        stated = {"if-match": _tag(steward), "if-none-match": "*", "only-new": "true"}[condition]
        upload = steward.put(
            LINES, "".join(line(each, title="Spring") for each in names), **{condition: stated}
        )
        store.left = calls

        was_cut = _deliver_until_done(steward, upload, store, "")

        calls += 1
        outcome = "changed" if condition == "if-match" else "registered"
        assert steward.report(upload).counts == {outcome: len(names)}, calls
        assert {len(list(registry.history(each).steps())) for each in names} == {1 + (names == [OLD])}
    assert calls > 4


def test_a_condition_that_was_fulfilled_stays_so_after_another_change() -> None:
    store = _Cut()
    registry = _CutRegistry(store)
    steward = settled(registry, registry)
    steward.files, steward.memory = store, registry
    steward.upload(LINES, line(OLD))
    upload = steward.put(LINES, SPRING, **{"if-match": _tag(steward)})
    store.left = 1  # the record is written, and nothing else

    assert _deliver_until_done(steward, upload, store, line(OLD, title="Geyser"))

    assert steward.report(upload).refused == {}
    assert steward.values(OLD) == {"title": {"": "Geyser"}}
    assert [step.fields[0].after for step in registry.history(OLD).steps()] == ["Well", "Spring", "Geyser"]


def test_a_failed_condition_stays_failed_on_redelivery(steward: Steward) -> None:
    tag = _tag(steward)
    upload = steward.put(LINES, SPRING, **{"if-match": '"other"'})
    first = steward.deliver(upload)

    steward.upload("uri-gin/azgs/other.jsonl", line(OLD, title="Geyser"))
    steward.upload("uri-gin/azgs/other.jsonl", line(OLD))
    again = steward.deliver(upload)

    assert (again, _tag(steward)) == (first, tag)
    assert steward.values(OLD) == {"title": {"": "Well"}}
