"""A table that is restored to an earlier moment: repeated deliveries are registered and reported again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import IO, Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from moto import mock_aws

from ginuri.aws.dynamodb.archive import DynamoArchive
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.dynamodb.table_scan import DynamoTableScan
from ginuri.files.reports.report import Upload, refused_key, report_key
from ginuri.files.reports.summary import summary_key
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.ingest.collaborators import Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryRegistry, MemoryUploads
from ginuri.publishing.feed import read_feed_entries
from ginuri.registry.record.applied_uploads import AppliedUpload
from ginuri.registry.record.rule_records import merge_rules
from tests.aws import dynamodb_client, new_table
from tests.report_schema import read_report
from tests.snapshots import Snapshot
from tests.steward import LINES, Steward, line, settled

SMALL = Limits(task_rows=5, chunk_rows=8)
WELL = "uri-gin/azgs/doc/well{}"
MIXED = "".join(line(WELL.format(number)) for number in range(40)) + line("uri-gin/usgin/doc/x") + "{\n"
COUNTS = {"registered": 40, "refused": 2}


@dataclass
class Drill:
    """A steward whose table can be restored to the beginning of the drill."""

    steward: Steward
    restore: Callable[[], None]

    def registered(self) -> set[str]:
        """Return the registered wells."""
        names = [WELL.format(number) for number in range(40)]
        return set(self.steward.registry.read(names))

    def attempt(self, upload: Upload, number: int) -> Any:
        """Read the report on an attempt."""
        key = report_key(upload.key, f"{upload.version}.{number}" if number > 1 else upload.version)
        return read_report(self.steward.files.reports[key])


def _in_memory() -> Drill:
    steward = settled()
    kept = deepcopy(steward.memory)

    def restore() -> None:
        steward.memory = steward.registry = deepcopy(kept)

    return Drill(steward, restore)


def _in_moto() -> Drill:
    client = dynamodb_client()
    table = new_table(client)
    steward = settled(DynamoRegistry(client, table))
    return Drill(steward, Snapshot(tables=[table]).restore)


@pytest.fixture(params=[_in_memory, _in_moto], ids=["memory", "moto"])
def drill(request: pytest.FixtureRequest) -> Iterator[Drill]:
    """Start a restore drill on each registry in turn."""
    with mock_aws():
        yield request.param()


def _counts(report: Mapping[str, Any]) -> dict[str, int]:
    return {outcome: number for outcome, number in report["counts"].items() if number}


@pytest.mark.parametrize("limits", [Limits(), SMALL], ids=["whole", "parts"])
def test_an_upload_delivered_again_after_a_restore_is_registered_again(drill: Drill, limits: Limits) -> None:
    drill.steward.limits = limits
    upload = drill.steward.put(LINES, MIXED)
    drill.steward.deliver(upload)

    drill.restore()
    lost = drill.registered()
    drill.steward.deliver(upload)

    assert lost == set()
    assert len(drill.registered()) == 40
    assert _counts(drill.attempt(upload, 2)) == COUNTS


def test_the_counts_returned_after_a_restore_are_those_of_the_registered_rows(drill: Drill) -> None:
    upload = drill.steward.put(LINES, MIXED)
    drill.steward.deliver(upload)
    drill.restore()

    counts = ingest_part(upload, drill.steward.collaborators)

    assert {outcome: number for outcome, number in counts.items() if number} == COUNTS


@pytest.mark.parametrize("limits", [Limits(), SMALL], ids=["whole", "parts"])
def test_the_first_report_and_its_files_are_never_overwritten(drill: Drill, limits: Limits) -> None:
    drill.steward.limits = limits
    upload = drill.steward.put(LINES, MIXED)
    drill.steward.deliver(upload)
    first = f"{upload.key}/{upload.version}."
    files = {name: body for name, body in drill.steward.files.reports.items() if name.startswith(first)}
    drill.restore()

    drill.steward.deliver(upload)

    reports = drill.steward.files.reports
    assert {name: reports[name] for name in files} == files
    further = {name for name in reports if name.startswith(f"{first}2.")} - {f"{first}2.progress.json"}
    assert further == {
        f"{first}2.{ending}" for ending in ("json", "html", "es.html", "refused.jsonl", "summary.json")
    }
    page = reports[f"{first}2.html"].decode()
    assert all(f'"./{upload.version}.2.{ending}"' in page for ending in ("json", "es.html", "refused.jsonl"))
    assert drill.attempt(upload, 2)["refused_lines"] == refused_key(upload.key, f"{upload.version}.2")


def test_every_restore_begins_another_attempt(drill: Drill) -> None:
    upload = drill.steward.put(LINES, MIXED)
    for number in (1, 2, 3):
        drill.restore()
        drill.steward.deliver(upload)
        drill.steward.deliver(upload)

        assert _counts(drill.attempt(upload, number)) == COUNTS
        assert summary_key(upload.key, f"{upload.version}.{number + 1}") not in drill.steward.files.reports


def test_a_summary_ends_a_dry_run_and_a_stored_file(drill: Drill) -> None:
    dry_run = drill.steward.put(LINES, MIXED, **{"dry-run": "true"})
    stored = drill.steward.put("uri-gin/azgs/well.pdf", b"%PDF")
    for upload in (dry_run, stored):
        drill.steward.deliver(upload)
        reports = dict(drill.steward.files.reports)
        drill.restore()

        drill.steward.deliver(upload)

        assert drill.steward.registry.applied(upload.key, upload.version) is None
        assert drill.steward.files.reports == reports


def test_an_upload_of_an_earlier_version_keeps_its_report(drill: Drill) -> None:
    upload = drill.steward.put(LINES, MIXED)
    # An earlier release wrote a report and a summary, and no proof.
    summary = b'{"put": "2011-08-25T17:29:00.000Z", "dry_run": false, "counts": {"changed": 1}}'
    for name in (summary_key, report_key):
        drill.steward.files.reports[name(upload.key, upload.version)] = summary

    ingest_part(upload, drill.steward.collaborators)
    ingest_part(upload, drill.steward.collaborators)

    reports = drill.steward.files.reports
    assert reports[summary_key(upload.key, upload.version)] == summary
    assert reports[report_key(upload.key, upload.version)] == summary
    assert _counts(drill.attempt(upload, 2)) == COUNTS
    assert report_key(upload.key, f"{upload.version}.3") not in reports
    assert len(drill.registered()) == 40


def test_the_feed_lists_an_upload_once_despite_several_attempts(drill: Drill) -> None:
    upload = drill.steward.put(LINES, MIXED)
    for _ in range(2):
        drill.restore()
        drill.steward.deliver(upload)

    summaries = [
        (name, body)
        for name, body in drill.steward.files.reports.items()
        if name.startswith(LINES) and name.endswith(".summary.json")
    ]

    assert len(summaries) == 2
    assert [entry.version for entry in read_feed_entries(summaries)] == [upload.version]


def test_the_proof_has_the_time_and_the_result_of_the_upload() -> None:
    drill = _in_memory()
    upload = drill.steward.put(LINES, MIXED)

    drill.steward.deliver(upload)

    proof = drill.steward.registry.applied(LINES, upload.version)
    assert proof is not None
    assert (proof.put, proof.processed >= "2026") == (upload.put, True)
    assert {outcome: number for outcome, number in proof.counts.items() if number} == COUNTS


# Big files.


def test_parts_of_an_earlier_attempt_do_not_count_for_the_next(drill: Drill) -> None:
    drill.steward.limits = SMALL
    upload = drill.steward.put(LINES, MIXED)
    drill.steward.deliver(upload)
    folders = {name.split("/")[-2] for name in drill.steward.files.reports if name.startswith("_parts/")}
    drill.restore()

    drill.steward.deliver(upload)

    proofs = [name for name in drill.steward.files.reports if f"/{upload.version}.2/verdicts/" in name]
    assert len(proofs) > 5
    assert folders


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32))
@pytest.mark.untraced
def test_parallel_deliveries_agree_on_the_attempt(seed: int) -> None:
    chance, drill = Random(seed), _in_memory()  # noqa: S311  nothing is to be kept secret
    drill.steward.limits = SMALL
    upload = drill.steward.put(LINES, MIXED)
    drill.steward.deliver(upload)
    drill.restore()

    ingest_part(upload, drill.steward.collaborators)
    waiting = drill.steward.queue.waiting
    while waiting:
        message = chance.choice(waiting)
        if chance.random() < 0.8:
            waiting.remove(message)
        if chance.random() < 0.1:
            ingest_part(upload, drill.steward.collaborators)
        ingest_part(read_part(json.loads(message)), drill.steward.collaborators)

    assert _counts(drill.attempt(upload, 2)) == COUNTS
    assert len(drill.registered()) == 40
    assert summary_key(LINES, f"{upload.version}.3") not in drill.steward.files.reports


def _process(steward: Steward, messages: int) -> None:
    for _ in range(messages):
        if steward.queue.waiting:
            ingest_part(read_part(json.loads(steward.queue.waiting.pop(0))), steward.collaborators)


@settings(max_examples=25, deadline=None)
@given(until_kept=st.integers(0, 30), until_restored=st.integers(0, 30), is_redelivered=st.booleans())
@pytest.mark.untraced
def test_a_restore_between_the_parts_of_a_big_file_loses_no_row(
    until_kept: int, until_restored: int, *, is_redelivered: bool
) -> None:
    steward = settled()
    steward.limits = SMALL
    upload = steward.put(LINES, MIXED)
    ingest_part(upload, steward.collaborators)

    _process(steward, until_kept)
    kept = deepcopy(steward.memory)
    _process(steward, until_restored)
    is_done = not steward.queue.waiting
    steward.memory = steward.registry = kept
    if is_redelivered or is_done:
        ingest_part(upload, steward.collaborators)
    steward.work_off()

    drill = Drill(steward, lambda: None)
    reports = steward.files.reports
    last = 2 if report_key(LINES, f"{upload.version}.2") in reports else 1
    assert len(drill.registered()) == 40
    assert _counts(drill.attempt(upload, last)) == COUNTS
    assert steward.registry.applied(LINES, upload.version) is not None


def test_a_restore_before_the_report_begins_the_upload_again(drill: Drill) -> None:
    drill.steward.limits = SMALL
    upload = drill.steward.put(LINES, MIXED)
    ingest_part(upload, drill.steward.collaborators)
    while '"report"' not in drill.steward.queue.waiting[0]:
        _process(drill.steward, 1)

    drill.restore()
    drill.steward.work_off()

    assert len(drill.registered()) == 40
    assert _counts(drill.attempt(upload, 1)) == COUNTS
    assert any("/restart-1/" in name for name in drill.steward.files.reports)


def test_records_that_another_upload_changed_meanwhile_are_not_missing(drill: Drill) -> None:
    drill.steward.limits = SMALL
    upload = drill.steward.put(LINES, MIXED)
    ingest_part(upload, drill.steward.collaborators)
    while '"report"' not in drill.steward.queue.waiting[0]:
        _process(drill.steward, 1)
    waiting, drill.steward.queue.waiting = drill.steward.queue.waiting, []
    others = "".join(line(WELL.format(number), title="Another") for number in range(40))
    drill.steward.upload("uri-gin/azgs/others.jsonl", others, many="true")

    drill.steward.queue.waiting = waiting
    drill.steward.work_off()

    assert _counts(drill.attempt(upload, 1)) == COUNTS
    assert not any("/restart-" in name for name in drill.steward.files.reports)


# Interrupted between the last record, the proof and the summary.


@dataclass
class _Order:
    """The writes, in order, and the number of writes after which all fail."""

    left: int = 1_000
    written: list[str] = field(default_factory=list)

    def write(self, name: str) -> None:
        if not self.left:
            raise RegistryUnavailable("cut off")
        self.left -= 1
        self.written.append(name)


class _OrderedRegistry(MemoryRegistry):
    def __init__(self, order: _Order) -> None:
        super().__init__()
        self.order = order

    def write(self, *changes: Any) -> None:
        self.order.write("record")
        super().write(*changes)

    def note_applied(self, upload: AppliedUpload) -> None:
        self.order.write("proof")
        super().note_applied(upload)


class _OrderedUploads(MemoryUploads):
    def __init__(self, order: _Order) -> None:
        super().__init__()
        self.order = order

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        self.order.write(key.partition(".")[2].rpartition(".")[0] or key)
        super().report(key, body)


def _ordered() -> tuple[Steward, _Order]:
    order = _Order()
    registry = _OrderedRegistry(order)
    steward = Steward(registry)
    steward.memory, steward.files = registry, _OrderedUploads(order)
    settle = settled().memory
    registry.__dict__ |= {**deepcopy(settle.__dict__), "order": order}
    return steward, order


def test_the_proof_is_written_after_the_last_record_and_before_the_summary() -> None:
    steward, order = _ordered()

    steward.upload(LINES, MIXED)

    assert order.written.count("proof") == 1
    at = order.written.index("proof")
    assert "record" not in order.written[at:]
    assert len(order.written[at:]) == 2
    assert any(name.endswith("summary.json") for name in steward.files.reports)


@pytest.mark.parametrize("is_restored", [False, True], ids=["kept", "restored"])
@pytest.mark.parametrize("writes_before_the_end", range(8))
def test_the_next_delivery_finishes_an_interrupted_upload(
    writes_before_the_end: int, *, is_restored: bool
) -> None:
    whole, order = _ordered()
    whole.upload(LINES, MIXED)
    steward, cut = _ordered()
    upload = steward.put(LINES, MIXED)
    registry = cast("_OrderedRegistry", steward.registry)
    before = deepcopy(registry.__dict__)

    cut.left = len(order.written) - writes_before_the_end - 1
    with pytest.raises(RegistryUnavailable):
        steward.deliver(upload)
    cut.left = 1_000
    if is_restored:
        registry.__dict__.update({**before, "order": cut})
    report = steward.deliver(upload)

    assert report.counts == COUNTS
    assert steward.registry.applied(upload.key, upload.version) is not None
    assert merge_rules(steward.memory.standing("")) == merge_rules(whole.memory.standing(""))
    assert report_key(upload.key, f"{upload.version}.2") not in steward.files.reports


def test_a_delivery_after_proof_and_summary_calls_the_registry_once() -> None:
    drill = _in_memory()
    upload = drill.steward.put(LINES, MIXED)
    drill.steward.deliver(upload)
    calls = drill.steward.memory.calls

    drill.steward.deliver(upload)

    assert drill.steward.memory.calls == calls + 1


@mock_aws
def test_publication_and_exports_leave_out_the_proofs_of_uploads() -> None:
    client = dynamodb_client()
    table = new_table(client)
    steward = settled(DynamoRegistry(client, table))
    steward.upload(LINES, MIXED)
    archive = DynamoArchive(client, table)

    published = {name for name, _, _ in DynamoTableScan(client, table).stored()}

    assert len(published) == 44
    assert {name for name, _ in archive.standing("")} == published
    assert {history.identifier for history in archive.histories("")} == published
    assert not any(" " in name for name in published)
