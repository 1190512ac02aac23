"""Uploads delivered twice, late, at once, or interrupted: registry and report end the same."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier, Lock
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.reports.report import Upload
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.ingest.collaborators import Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryQueue, MemoryRegistry, MemoryUploads
from ginuri.registration.checks.near_duplicates import MOST_LOOKED_FOR
from ginuri.registry.model import Registered
from ginuri.registry.ports import MOST_MEMBERS, NamePage, UploadRegistry
from ginuri.registry.record.applied_uploads import AppliedUpload
from ginuri.registry.record.history import History
from ginuri.registry.record.record import Change, Entries, Record
from ginuri.registry.record.stamps import Stamp
from tests.builders import register
from tests.steward import LINES, TABLE, Steward, line, settled

WELL = "uri-gin/azgs/doc/well{}"
BEFORE = (
    line(WELL.format(1))
    + line(WELL.format(2), reason="why")
    + line(WELL.format(3), title={"de": "Brunnen"})
    + line(WELL.format(4), representations=[{"part": ".pdf", "location": "https://a.example/"}])
)
CLEARED = line(WELL.format(3), title=None)
NEXT = (
    line(WELL.format(1))
    + line(WELL.format(2), reason="another")
    + line(WELL.format(3), title={"de": "Brunnen"})
    + line(WELL.format(4), reason=None, representations=[{"part": ".pdf", "status": "retired"}])
    + line(WELL.format(5), representations=[{"part": ".pdf", "file": "well.pdf"}])
    + line(WELL.format(6), representations=[{"part": ".pdf", "file": "missing.pdf"}])
    + line(WELL.format(7), title=None)
    + line(WELL.format(8), location="htp://a.example/")
)
TOLD = {
    (1,): "unchanged",
    (2,): "changed",
    (3,): "changed",
    (4,): "changed",
    (5,): "registered",
    (6,): "refused",
    (7,): "registered",
    (8,): "refused",
}


class _Fragile:
    """A registry that fails after some writes, until it is repaired."""

    def __init__(self, registry: MemoryRegistry) -> None:
        self._registry = registry
        self.writes_left: int | None = None

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        return self._registry.fetch(names)

    def read(self, names: Sequence[str]) -> Mapping[str, Record]:
        return self._registry.read(names)

    @property
    def most_written(self) -> int:
        return self._registry.most_written

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        return self._registry.beginnings(prefix, start, after, most)

    def displaced(self, name: str, stamp: Stamp) -> Entries:
        return self._registry.displaced(name, stamp)

    def near(self, folded: str) -> Sequence[str]:
        return self._registry.near(folded)

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        return self._registry.beside(container, name, is_after=is_after)

    def history(self, name: str) -> History:
        return self._registry.history(name)

    def check(self, change: Change) -> None:
        self._registry.check(change)

    def applied(self, key: str, version: str) -> AppliedUpload | None:
        return self._registry.applied(key, version)

    def note_applied(self, upload: AppliedUpload) -> None:
        self._registry.note_applied(upload)

    def write(self, *changes: Change) -> None:
        if self.writes_left == 0:
            raise RegistryUnavailable("ProvisionedThroughputExceededException")
        if self.writes_left is not None:
            self.writes_left -= 1
        self._registry.write(*changes)


class _Contested(_Fragile):
    """A registry with another writer that is always a little faster."""

    others: int = 0

    def write(self, *changes: Change) -> None:
        if self.others:
            self.others -= 1
            register(
                self._registry, changes[0].after.identifier, 30 + self.others, reason=f"other {self.others}"
            )
        super().write(*changes)


def _with_history(registry: UploadRegistry | None = None) -> Steward:
    steward = settled(registry)
    steward.upload("uri-gin/azgs/well.pdf", b"%PDF")
    steward.upload(LINES, BEFORE)
    steward.upload(LINES, CLEARED)
    return steward


def _records(steward: Steward) -> Mapping[str, Record]:
    return steward.registry.read([WELL.format(number) for number in range(10)])


def _verdicts(steward: Steward, upload: Upload) -> dict[tuple[int, ...], str]:
    return {each.lines: each.verdict for each in steward.report(upload).verdicts}


def test_the_report_of_an_upload_lists_every_verdict() -> None:
    steward = _with_history()
    upload = steward.put(LINES, NEXT)

    steward.deliver(upload)

    assert _verdicts(steward, upload) == TOLD


def test_a_second_delivery_gives_the_same_report_and_the_same_registry() -> None:
    steward = _with_history()
    upload = steward.put(LINES, NEXT)

    first, held = steward.deliver(upload), _records(steward)
    second = steward.deliver(upload)

    assert second == first
    assert _records(steward) == held


def test_a_second_delivery_after_other_uploads_keeps_report_and_later_values() -> None:
    steward = _with_history()
    upload = steward.put(LINES, NEXT)
    first = steward.deliver(upload)
    steward.upload(LINES, line(WELL.format(2), reason="yet another") + line(WELL.format(5), title="Later"))
    held = _records(steward)

    second = steward.deliver(upload)

    assert second == first
    assert _records(steward) == held


@pytest.mark.parametrize("writes", range(6))
@pytest.mark.untraced
def test_an_ingest_that_crashed_half_way_completes_on_the_next_delivery(writes: int) -> None:
    undisturbed = _with_history()
    expected = undisturbed.deliver(undisturbed.put(LINES, NEXT))
    fragile = _Fragile(MemoryRegistry())
    steward = _with_history(fragile)
    upload = steward.put(LINES, NEXT)

    fragile.writes_left = writes
    with pytest.raises(RegistryUnavailable):
        steward.deliver(upload)
    fragile.writes_left = None
    report = steward.deliver(upload)

    assert _verdicts(steward, upload) == TOLD
    assert report == expected
    assert _records(steward) == _records(undisturbed)


def test_ingest_without_a_crash_makes_six_writes() -> None:
    fragile = _Fragile(MemoryRegistry())
    steward = _with_history(fragile)
    fragile.writes_left = 6

    steward.upload(LINES, NEXT)

    assert fragile.writes_left == 0


class _Unreported(MemoryUploads):
    """Uploads whose reports cannot be written, until they can."""

    is_away = True

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        if self.is_away:
            raise RegistryUnavailable("SlowDown")
        super().report(key, body)


def test_a_report_that_failed_to_write_is_written_on_redelivery() -> None:
    steward = settled()
    files = _Unreported()
    steward.files = files
    upload = steward.put(LINES, line(WELL.format(1)) + "{\n")

    with pytest.raises(RegistryUnavailable):
        ingest_part(upload, steward.collaborators)
    files.is_away = False
    counts = ingest_part(upload, steward.collaborators)

    assert {outcome: number for outcome, number in counts.items() if number} == {
        "registered": 1,
        "refused": 1,
    }
    assert len(files.reports) == 5


def test_uploads_in_any_order_end_in_the_same_registry() -> None:
    in_order, jumbled = settled(), settled()
    texts = [
        BEFORE,
        CLEARED,
        NEXT.replace("well.pdf", "no.pdf"),
        line(WELL.format(2), title={"de": "Brunnen"}),
    ]

    for text in texts:
        in_order.upload(LINES, text)
    uploads = [jumbled.put(LINES, text) for text in texts]
    for number in (2, 0, 2, 3, 1, 0):
        jumbled.deliver(uploads[number])

    names = [WELL.format(number) for number in range(10)]
    assert {name: jumbled.values(name) for name in names} == {name: in_order.values(name) for name in names}


def test_the_key_decides_between_two_uploads_of_one_moment() -> None:
    def put(steward: Steward, name: str) -> Upload:
        key = f"uri-gin/azgs/{name}.jsonl"
        steward.files.uploads[key, "v"] = line(WELL.format(1), title=name).encode()
        return Upload("uploads", key, "v", "2012-01-01T00:00:00.000Z")

    ends = []
    for names in ("ab", "ba"):
        steward = settled()
        for upload in [put(steward, name) for name in names]:
            steward.deliver(upload)
        ends.append(steward.values(WELL.format(1)))

    assert ends == [{"title": {"": "b"}}] * 2


def test_a_faster_concurrent_write_is_not_overwritten() -> None:
    contested = _Contested(MemoryRegistry())
    steward = settled(contested)
    steward.upload(LINES, line(WELL.format(1)))

    contested.others = 2
    report = steward.upload(LINES, line(WELL.format(1), title="New"))

    assert report.counts == {"changed": 1}
    assert steward.values(WELL.format(1)) == {"title": {"": "New"}, "reason": "other 1"}


def test_an_identifier_registered_meanwhile_by_another_upload_is_judged_again() -> None:
    class Rival(_Contested):
        def write(self, *changes: Change) -> None:
            if self.others:
                self.others -= 1
                register(self._registry, changes[0].after.identifier, 30, record="resource-type")
            self._registry.write(*changes)

    rival = Rival(MemoryRegistry())
    steward = settled(rival)

    rival.others = 1
    report = steward.upload(LINES, line("uri-gin/azgs/doc/map/", record="resource"))

    assert report.refused == {(1,): [("record", "never reused")]}


def test_a_record_under_constant_concurrent_writes_is_tried_again_later() -> None:
    contested = _Contested(MemoryRegistry())
    steward = settled(contested)
    contested.others = 1_000

    with pytest.raises(RegistryUnavailable):
        steward.upload(LINES, line(WELL.format(1)))


@pytest.mark.untraced
def test_many_workers_write_the_same_as_one() -> None:
    text = "identifier,title\n" + "".join(
        f"{WELL.format(number)},{'' if number % 7 else 'Well'}\n" for number in range(500)
    )
    alone, together = settled(), settled()
    expected = alone.upload(TABLE, text)
    upload = together.put(TABLE, text)

    with ThreadPoolExecutor(8) as pool:
        ingest_part(upload, replace(together.collaborators, mapper=pool.map))

    assert together.report(upload) == expected
    assert together.values(WELL.format(499)) == alone.values(WELL.format(499)) is not None


@pytest.mark.untraced
def test_a_thousand_identifiers_take_one_write_each_and_ten_reads() -> None:
    # Only some new names are looked up in other spellings (docs/explanation/decisions/0016-…).
    steward = settled()
    table = "identifier,title\n" + "".join(f"{WELL.format(n)},{{}}\n" for n in range(1_000))
    calls = []
    for title in ("Well", "Spring"):
        before = steward.memory.calls
        steward.deliver(steward.put(TABLE, table.replace("{}", title), many="true"))
        calls.append(steward.memory.calls - before)

    new, known = calls
    assert known <= 1_000 + 2 * 10 + 10
    assert new <= known + MOST_LOOKED_FOR


# Two uploads at once.


class _AsATable(MemoryRegistry):
    """A registry that serializes concurrent writes, like DynamoDB."""

    def __init__(self) -> None:
        super().__init__()
        self._turn = Lock()

    def write(self, *changes: Change) -> None:
        time.sleep(0)  # let the other writer be faster
        with self._turn:
            super().write(*changes)


def _titled(title: str, numbers: range) -> str:
    return "".join(line(WELL.format(number), title=title) for number in numbers)


@pytest.mark.parametrize("limits", [Limits(), Limits(task_rows=20, chunk_rows=25)])
@pytest.mark.untraced
def test_two_concurrent_uploads_of_the_same_identifiers_get_complete_reports(limits: Limits) -> None:
    texts = [_titled("A", range(80)) + "{\n", _titled("B", range(40, 120)) + "{\n"]
    one_by_one = settled()
    for text in texts:
        one_by_one.upload(LINES, text, many="true")
    together = settled(_AsATable())
    together.limits = limits
    uploads = [together.put(LINES, text, many="true") for text in texts]
    begin = Barrier(2)

    def work(upload: Upload) -> None:
        queue = MemoryQueue()
        collaborators = replace(together.collaborators, queue=queue)
        begin.wait()
        ingest_part(upload, collaborators)
        while queue.waiting:
            ingest_part(read_part(json.loads(queue.waiting.pop(0))), collaborators)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, uploads))

    names = [WELL.format(number) for number in range(120)]
    assert {name: together.values(name) for name in names} == {
        name: one_by_one.values(name) for name in names
    }
    for upload in uploads:
        report = together.report(upload)
        assert [each.lines for each in report.verdicts] == [(number,) for number in range(1, 82)]
        assert report.refused == {(81,): [("", "JSON")]}


# A, B, A.


@given(order=st.permutations([0, 1, 2, 0, 1, 2]), task_rows=st.sampled_from([3, 4_000]))
def test_a_restored_title_wins_in_any_order_of_delivery(order: Sequence[int], task_rows: int) -> None:
    steward = settled()
    steward.limits = Limits(task_rows=task_rows, chunk_rows=5)
    uploads = [steward.put(LINES, _titled(title, range(12)), many="true") for title in "ABA"]

    for number in order:
        ingest_part(uploads[number], steward.collaborators)
        if steward.queue.waiting and order[0] % 2:  # parts of several uploads wait beside each other
            ingest_part(read_part(json.loads(steward.queue.waiting.pop())), steward.collaborators)
    steward.work_off()

    assert {str(steward.values(WELL.format(number))) for number in range(12)} == {"{'title': {'': 'A'}}"}
    assert all(len(steward.report(upload).verdicts) == 12 for upload in uploads)
