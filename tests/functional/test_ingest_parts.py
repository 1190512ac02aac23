"""A file that is cut into parts has the same result as a whole one: shuffled, repeated, or interrupted."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import IO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginuri.files.reports.report import Upload
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.ingest.collaborators import Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import RegisterRows, read_part
from ginuri.memory import MemoryRegistry, MemoryUploads
from ginuri.registry.record.record import Change
from ginuri.registry.record.rule_records import merge_rules
from tests.steward import LINES, TABLE, Report, Steward, line, settled

SMALL = Limits(task_rows=5, chunk_rows=8, names=3)
WELL = "uri-gin/azgs/doc/well{}"
NUMBERS = range(60)


def _mixed() -> str:
    """Return rows of all kinds, those of one identifier far apart, and some that are refused."""
    wells = [line(WELL.format(number)) for number in NUMBERS]
    forms = [
        line(
            WELL.format(number), representations=[{"part": ".pdf", "location": f"https://a.example/{number}"}]
        )
        for number in NUMBERS[::2]
    ]
    others = [
        line("uri-gin/azgs/map/", record="resource-type"),
        *(line(f"uri-gin/azgs/map/{number}/") for number in range(5)),
        line("uri-gin/azgs/old/", record="rule", location="https://a.example/{+rest}"),
        line("uri-gin/azgs/old/", record="rule", pattern="{id}/", location="https://a.example/{id}"),
        line("uri-gin/azgs/map/first/", record="alias", stands_for="uri-gin/azgs/map/0/"),
        line("uri-gin/azgs/core/", record="delegation", answered_by="cores.example.org"),
        line(WELL.format(3), title="Another"),
        line("uri-gin/usgin/doc/x"),
        "{\n",
        "\n",
        line("none"),
    ]
    return "".join([*wells, *others, *forms])


def _table() -> bytes:
    rows = [f'{WELL.format(number)},"Well\n{number}",https://a.example/{number}\n' for number in NUMBERS]
    rows[7] = f'{WELL.format(7)},"never closed,https://a.example/\n'
    rows[9] = f"{WELL.format(9)},Too,many,cells\n"
    again = [f"{WELL.format(number)},,https://a.example/b\n" for number in NUMBERS[::3]]
    coded = [f"{WELL.format(100 + number)},Brünnen,\n".encode("latin-1") for number in range(3)]
    return "".join(["identifier,title,location\n", *rows, *again]).encode() + b"".join(coded)


def _state(steward: Steward) -> dict[str, object]:
    return dict(sorted(merge_rules(steward.memory.standing("")).items()))


def _both(key: str, content: str | bytes, limits: Limits = SMALL) -> tuple[Steward, Report, Steward, Report]:
    whole, parted = settled(), settled()
    parted.limits = limits
    return whole, whole.upload(key, content), parted, parted.upload(key, content)


@pytest.mark.parametrize(("key", "content"), [(LINES, _mixed()), (TABLE, _table())])
@pytest.mark.parametrize("task_rows", [1, 5, 40])
@pytest.mark.untraced
def test_a_file_in_parts_gets_the_report_and_registry_of_the_whole(
    key: str, content: str | bytes, task_rows: int
) -> None:
    limits = replace(SMALL, task_rows=task_rows)
    whole, expected, parted, report = _both(key, content, limits)

    assert report.counts == expected.counts
    assert [(each.lines, each.verdict) for each in report.verdicts] == [
        (each.lines, each.verdict) for each in expected.verdicts
    ]
    assert report.refused_lines == expected.refused_lines
    assert _state(parted) == _state(whole)


def test_a_wrong_encoding_is_reported_once_for_all_parts() -> None:
    _, _, _, report = _both(TABLE, _table())

    [(lines, _)] = [(each, told) for each, told in report.refused.items() if ("title", "UTF-8") in told]
    assert len(lines) == 3


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32))
@pytest.mark.untraced
def test_parts_in_any_order_and_repeated_give_the_same_result(seed: int) -> None:
    chance, content = random.Random(seed), _mixed()  # noqa: S311  nothing secret
    whole = settled()
    expected = whole.upload(LINES, content)
    parted = settled()
    parted.limits = SMALL
    upload = parted.put(LINES, content)

    ingest_part(upload, parted.collaborators)
    while parted.queue.waiting:
        message = chance.choice(parted.queue.waiting)
        if chance.random() < 0.8:
            parted.queue.waiting.remove(message)
        if chance.random() < 0.1:
            ingest_part(upload, parted.collaborators)
        ingest_part(read_part(json.loads(message)), parted.collaborators)

    report = parted.report(upload)
    assert report.counts == expected.counts
    assert [each.lines for each in report.verdicts] == [each.lines for each in expected.verdicts]
    assert _state(parted) == _state(whole)


class _Cut(MemoryUploads):
    """A store that fails together with all others after some calls."""

    left = 1_000_000

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        self.count()
        super().report(key, body)

    def reported(self, key: str) -> bytes | None:
        self.count()
        return super().reported(key)

    def count(self) -> None:
        if not self.left:
            raise RegistryUnavailable("cut off")
        self.left -= 1


class _CutRegistry(MemoryRegistry):
    """A registry whose writes count as calls of the store."""

    def __init__(self, store: _Cut) -> None:
        super().__init__()
        self._store = store

    def write(self, *changes: Change) -> None:
        self._store.count()
        super().write(*changes)


@pytest.mark.parametrize("calls", range(0, 260, 26))
def test_an_ingest_interrupted_anywhere_is_finished_by_the_next_deliveries(calls: int) -> None:
    content = _mixed()
    whole = settled()
    expected = whole.upload(LINES, content)
    store = _Cut()
    registry = _CutRegistry(store)
    parted = settled(registry)
    parted.files, parted.limits, parted.memory = store, SMALL, registry
    upload = parted.put(LINES, content)

    store.left = calls
    waiting: list[str | None] = [None]
    while waiting or parted.queue.waiting:
        waiting += parted.queue.waiting
        parted.queue.waiting.clear()
        message = waiting.pop(0)
        try:
            ingest_part(upload if message is None else read_part(json.loads(message)), parted.collaborators)
        except RegistryUnavailable:
            waiting.append(message)
            store.left = 1_000_000

    report = parted.report(upload)
    assert report.counts == expected.counts
    assert [(each.lines, each.verdict) for each in report.verdicts] == [
        (each.lines, each.verdict) for each in expected.verdicts
    ]
    assert _state(parted) == _state(whole)


# Missing intermediate results.


def _stopped_after(messages: int, **said: str) -> tuple[Steward, Upload]:
    """Return a steward after so many messages of an upload; a snapshot would retire six names."""
    parted = _with_wells(12, SMALL) if said else settled()
    parted.limits = replace(SMALL, cut_seconds=0)
    kept = "".join(line(WELL.format(number)) for number in range(6, 40))
    upload = parted.put(LINES, kept if said else _mixed(), **said)
    ingest_part(upload, parted.collaborators)
    for _ in range(messages):
        if parted.queue.waiting:
            ingest_part(read_part(json.loads(parted.queue.waiting.pop(0))), parted.collaborators)
    return parted, upload


def _said(report: Report) -> list[tuple[tuple[int, ...], str]]:
    return [(each.lines, each.verdict) for each in report.verdicts]


@pytest.mark.parametrize("messages", [0, 5])
def test_a_file_deleted_during_chunking_is_refused(messages: int) -> None:
    parted, upload = _stopped_after(messages)
    before = _state(parted)

    del parted.files.uploads[upload.key, upload.version]
    parted.work_off()

    assert parted.report(upload).refused == {(1,): [("", "uploaded")]}
    assert _state(parted) == before


@pytest.mark.parametrize("messages", [20, 30])
def test_a_file_deleted_between_its_parts_is_still_finished(messages: int) -> None:
    whole = settled()
    expected = whole.upload(LINES, _mixed())
    parted, upload = _stopped_after(messages)

    del parted.files.uploads[upload.key, upload.version]
    parted.work_off()

    report = parted.report(upload)
    assert _said(report) == _said(expected)
    assert report.whole["refused_lines"] is None
    assert _state(parted) == _state(whole)


@pytest.mark.parametrize("messages", [15, 25, 35, 45, 55])
@pytest.mark.parametrize("kind", ["rows/000003", "plan", "metadata", "verdicts/register/000000/000000"])
@pytest.mark.untraced
def test_lost_intermediate_data_are_written_again(messages: int, kind: str) -> None:
    whole = settled()
    expected = whole.upload(LINES, _mixed())
    parted, upload = _stopped_after(messages)

    parted.files.reports.pop(f"_parts/{upload.key}/{upload.version}/{kind}", None)
    parted.work_off()

    assert _said(parted.report(upload)) == _said(expected)
    assert _state(parted) == _state(whole)


@pytest.mark.parametrize("deliveries", [1, 3])
def test_a_part_sends_its_successors_once_however_often_it_is_delivered(deliveries: int) -> None:
    parted, _ = _stopped_after(0)
    sent = list[str]()

    while parted.queue.waiting:
        message = parted.queue.waiting.pop(0)
        part = read_part(json.loads(message))
        registers = isinstance(part, RegisterRows)
        sent += [message] * registers
        for _ in range(deliveries if registers else 1):
            ingest_part(part, parted.collaborators)

    assert len(sent) == len(set(sent)) > 20


def test_a_snapshot_with_lost_intermediate_data_ends_with_an_explanation() -> None:
    parted, upload = _stopped_after(9, snapshot="uri-gin/azgs/doc/")
    del parted.files.reports[f"_parts/{upload.key}/{upload.version}/standing/000000"]

    parted.work_off()

    report = parted.report(upload)
    assert report.refused == {(1,): [("", "parts")]}
    assert "Upload it again." in report.whole["verdicts"][0]["findings"][0]["message"]


def test_a_snapshot_delivered_again_half_way_retires_the_same() -> None:
    undisturbed, upload = _stopped_after(0, snapshot="uri-gin/azgs/doc/")
    undisturbed.work_off()
    parted, again = _stopped_after(14, snapshot="uri-gin/azgs/doc/")

    ingest_part(again, parted.collaborators)
    parted.work_off()

    assert _said(parted.report(again)) == _said(undisturbed.report(upload))
    assert _state(parted) == _state(undisturbed)


def test_reading_the_file_continues_in_another_call_when_it_takes_long() -> None:
    content = _mixed()
    whole = settled()
    expected = whole.upload(LINES, content)
    parted = settled()
    parted.limits = replace(SMALL, cut_seconds=0)
    upload = parted.put(LINES, content)

    ingest_part(upload, parted.collaborators)

    assert '"after"' in parted.queue.waiting[0]
    parted.work_off()
    assert parted.report(upload).counts == expected.counts
    assert _state(parted) == _state(whole)


def test_a_dry_run_in_parts_considers_the_registrations_of_earlier_parts() -> None:
    content = "".join(
        [
            line("uri-gin/azgs/map/", record="resource-type"),
            *(line(f"uri-gin/azgs/map/{number}/") for number in range(20)),
        ]
    )
    steward = settled()
    steward.limits = SMALL

    report = steward.try_out(LINES, content)

    assert report.counts == {"registered": 21}
    assert report.whole["dry_run"] is True
    assert "uri-gin/azgs/map/" not in _state(steward)


# More than a tenth.


def _with_wells(number: int, limits: Limits | None = None) -> Steward:
    steward = settled()
    steward.limits = limits or Limits()
    steward.upload(LINES, "".join(line(WELL.format(each)) for each in range(number)))
    return steward


def _retitled(number: int) -> str:
    return "".join(line(WELL.format(each), title="New") for each in range(number))


@pytest.mark.parametrize("limits", [Limits(), SMALL])
def test_changing_over_a_tenth_is_refused_as_a_whole_with_details(
    limits: Limits,
) -> None:
    steward = _with_wells(200, limits)
    before = _state(steward)

    report = steward.upload(LINES, _retitled(22) + line("uri-gin/azgs/doc/new"))

    [about, *others] = report.whole["verdicts"]
    assert report.counts == {"refused": 24}
    assert about["lines"] == []
    assert "--many" in about["findings"][0]["message"]
    assert others[0]["changes"] == [{"field": "title", "before": "Well", "after": "New"}]
    assert report.refused_lines is None
    assert _state(steward) == before


@pytest.mark.parametrize("limits", [Limits(), SMALL])
@pytest.mark.parametrize(
    ("stands", "changes", "is_done"), [(200, 20, True), (200, 21, False), (50, 10, True), (50, 11, False)]
)
@pytest.mark.untraced
def test_changes_to_a_tenth_or_ten_identifiers_are_always_allowed(
    limits: Limits, stands: int, changes: int, *, is_done: bool
) -> None:
    steward = _with_wells(stands - 2, limits)  # the type and the authority's own things count as well
    steward.upload(LINES, line(WELL.format("a")))

    report = steward.upload(LINES, _retitled(changes))

    assert report.counts == ({"changed": changes} if is_done else {"refused": changes + 1})


def test_the_option_many_allows_changing_many() -> None:
    steward = _with_wells(60)

    report = steward.upload(LINES, _retitled(60), many="true")

    assert report.counts == {"changed": 60}


def test_a_dry_run_reports_that_it_needs_the_option_many() -> None:
    steward = _with_wells(60)

    report = steward.deliver(steward.put(LINES, _retitled(60), **{"dry-run": "true"}))

    assert report.counts == {"changed": 60, "warned": 1}
    assert "--many" in str(report.verdicts[0].findings)


def test_new_and_unchanged_identifiers_do_not_count_as_changes() -> None:
    steward = _with_wells(60)
    new = "".join(line(f"uri-gin/azgs/doc/new{number}") for number in range(100))

    report = steward.upload(LINES, new + "".join(line(WELL.format(number)) for number in range(60)))

    assert report.counts == {"registered": 100, "unchanged": 60}


# Snapshots.


@pytest.mark.parametrize("limits", [Limits(), SMALL])
def test_a_snapshot_retires_identifiers_under_its_prefix_missing_from_the_file(limits: Limits) -> None:
    steward = _with_wells(30, limits)
    steward.upload(LINES, line("uri-gin/azgs/map/1/") + line("uri-gin/azgs/doc2/x"))
    before = _state(steward)
    kept = "".join(line(WELL.format(number)) for number in range(25))

    report = steward.upload(LINES, kept, snapshot="uri-gin/azgs/doc/", reason="the annual review")

    assert report.counts == {"unchanged": 25, "changed": 5}
    after = _state(steward)
    gone = {WELL.format(number) for number in range(25, 30)}
    assert {name for name in before if before[name] != after[name]} == gone
    assert after[WELL.format(29)] == {
        "title": {"": "Well"},
        "status": "retired",
        "reason": "the annual review",
    }
    told = {each.identifier: each.lines for each in report.verdicts if each.verdict == "changed"}
    assert told == dict.fromkeys(gone, ())


def test_a_repeated_snapshot_retires_no_more() -> None:
    steward = _with_wells(12)
    kept = "".join(line(WELL.format(number)) for number in range(10))
    steward.upload(LINES, kept, snapshot="uri-gin/azgs/doc/")

    report = steward.upload(LINES, kept, snapshot="uri-gin/azgs/doc/")

    assert report.counts == {"unchanged": 10}


@pytest.mark.untraced
def test_retiring_over_a_tenth_needs_the_option_many() -> None:
    steward = _with_wells(100)
    before = _state(steward)

    refused = steward.upload(LINES, _retitled(1), snapshot="uri-gin/azgs/doc/")
    assert _state(steward) == before
    done = steward.upload(LINES, _retitled(1), snapshot="uri-gin/azgs/doc/", many="true")

    assert set(refused.counts) == {"refused"}
    assert done.counts == {"changed": 100}


def test_a_refused_line_of_a_snapshot_keeps_its_identifier() -> None:
    steward = _with_wells(12)
    bad = line(WELL.format(11), location="htp://a.example/")

    steward.upload(
        LINES, "".join(line(WELL.format(n)) for n in range(11)) + bad, snapshot="uri-gin/azgs/doc/"
    )

    assert steward.values(WELL.format(11)) == {"title": {"": "Well"}}


@pytest.mark.parametrize("limits", [Limits(), SMALL])
def test_a_line_without_an_identifier_stops_the_retirements_of_a_snapshot(limits: Limits) -> None:
    steward = _with_wells(12, limits)

    report = steward.upload(LINES, line(WELL.format(0)) + "{\n", snapshot="uri-gin/azgs/doc/")

    assert report.refused[()] == [("identifier", "snapshot")]
    assert steward.values(WELL.format(11)) == {"title": {"": "Well"}}
    assert report.counts == {"unchanged": 1, "refused": 2}


@pytest.mark.parametrize("prefix", ["uri-gin/usgin/", "uri-gin/", "uri-gin/azgs/d", "azgs", "uri-gin/a.x/"])
def test_a_snapshot_outside_the_folder_is_refused(prefix: str) -> None:
    steward = _with_wells(2)

    report = steward.upload(LINES, line(WELL.format(0)), snapshot=prefix)

    assert [each.verdict for each in report.verdicts] == ["refused"]
    assert report.verdicts[0].findings[0]["field"] == "snapshot"


def test_a_snapshot_retires_rules_too() -> None:
    steward = _with_wells(1)
    steward.upload(LINES, line("uri-gin/azgs/doc/old/", record="rule", location="https://a.example/{+rest}"))

    steward.upload(LINES, line(WELL.format(0)), snapshot="uri-gin/azgs/doc/")

    assert steward.values("uri-gin/azgs/doc/old/") == {}


@pytest.mark.parametrize("limits", [Limits(), SMALL])
def test_a_late_snapshot_keeps_and_reports_identifiers_registered_after_it(limits: Limits) -> None:
    steward = _with_wells(12, limits)
    kept = "".join(line(WELL.format(number)) for number in range(10))
    snapshot = steward.put(LINES, kept, snapshot="uri-gin/azgs/doc/")
    steward.upload(LINES, "".join(line(WELL.format(number)) for number in range(20, 32)))
    steward.upload(LINES, line("uri-gin/azgs/doc/old/", record="rule", location="https://a.example/{+rest}"))

    report = steward.deliver(snapshot)

    assert report.counts == {"unchanged": 10, "changed": 2, "warned": 1}
    assert steward.values(WELL.format(11)) != steward.values(WELL.format(20)) == {"title": {"": "Well"}}
    [about_the_whole] = [each for each in report.verdicts if each.identifier is None]
    [found] = about_the_whole.findings
    assert (found["level"], found["rule"], found["value"]) == ("warned", "snapshot", "13")
    assert f"not retired: uri-gin/azgs/doc/old/, {WELL.format(20)}, " in found["message"]
    assert f"{WELL.format(28)}, …. " in found["message"]


def test_a_snapshot_delivered_twice_reports_the_same() -> None:
    once, twice = _with_wells(12), _with_wells(12)
    kept = "".join(line(WELL.format(number)) for number in range(10))

    uploads = [each.put(LINES, kept, snapshot="uri-gin/azgs/doc/") for each in (once, twice)]
    first = once.deliver(uploads[0])
    twice.deliver(uploads[1])
    twice.files.reports.clear()

    assert twice.deliver(uploads[1]) == first
    assert _state(twice) == _state(once)


def test_a_late_snapshot_retires_only_the_rules_of_its_own_moment() -> None:
    prefix = "uri-gin/azgs/doc/old/"
    steward = _with_wells(1)
    steward.upload(LINES, line(prefix, record="rule", pattern="{id}", location="https://a.example/{id}"))
    snapshot = steward.put(LINES, line(WELL.format(0)), snapshot="uri-gin/azgs/doc/")
    steward.upload(LINES, line(prefix, record="rule", pattern="x-{id}", location="https://a.example/{id}"))

    report = steward.deliver(snapshot)

    assert [rule.pattern.text for rule in steward.rules(prefix)] == ["x-{id}"]
    [found] = report.verdicts[0].findings
    assert f"not retired: {prefix}x-{{id}}. " in found["message"]
