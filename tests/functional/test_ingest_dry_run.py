"""A dry run reports the effects of an upload, and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ginuri.ingest.flow import ingest_part
from ginuri.memory import MemoryRegistry
from ginuri.registry.model import Registered
from ginuri.registry.ports import MOST_MEMBERS, NamePage
from ginuri.registry.record.applied_uploads import AppliedUpload
from ginuri.registry.record.history import History
from ginuri.registry.record.record import Change, Entries, Record
from ginuri.registry.record.stamps import Stamp
from tests.steward import HOST, LINES, TABLE, TYPES, Report, Steward, line, settled

WELL = "uri-gin/azgs/doc/well{}"
NEXT = (
    line(WELL.format(1))
    + line(WELL.format(2), reason="another", status="retired")
    + line(WELL.format(3), location="htp://a.example/")
    + line(WELL.format(4), representations=[{"part": ".pdf", "file": "well.pdf"}])
    + line(WELL.format(5), representations=[{"part": ".pdf", "file": "new.pdf"}])
    + line(WELL.format(6), representations=[{"part": ".pdf", "file": "none.pdf"}])
    + line("uri-gin/azgs/old/", record="rule", location="https://a.example/{+rest}")
    + line("uri-gin/azgs/old/", record="rule", pattern="{a}", location="https://a.example/{a}")
    + line("uri-gin/azgs/map/", record="resource-type")
    + line("uri-gin/azgs/map/1/")
    + line("uri-gin/azgs/latest", record="alias", stands_for="uri-gin/azgs/map/1/")
    + line("uri-gin/azgs/newest", record="alias", stands_for="uri-gin/azgs/latest")
    + "{\n"
)


def _with_history() -> Steward:
    steward = settled()
    steward.upload("uri-gin/azgs/well.pdf", b"%PDF")
    steward.upload(
        LINES,
        line(WELL.format(1))
        + line(WELL.format(2), reason="why")
        + line(WELL.format(4), representations=[{"part": ".pdf", "file": "well.pdf"}]),
    )
    steward.upload("uri-gin/azgs/new.pdf", b"%PDF-1.7")
    return steward


def _verdicts(report: Report) -> list[Mapping[str, object]]:
    return list(report.whole["verdicts"])


def test_a_dry_run_has_the_report_of_the_upload() -> None:
    tried, done = _with_history(), _with_history()

    preview, report = tried.try_out(LINES, NEXT), done.upload(LINES, NEXT)

    assert _verdicts(preview) == _verdicts(report)
    assert preview.counts == report.counts
    assert preview.refused_lines == report.refused_lines
    assert (preview.whole["dry_run"], report.whole["dry_run"]) == (True, False)
    assert preview.whole["refused_lines"] is not None
    assert {each.verdict for each in report.verdicts} >= {"registered", "changed", "unchanged", "refused"}


class _Sealed:
    """A registry that can only be read."""

    def __init__(self, registry: MemoryRegistry) -> None:
        self._registry = registry

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
        raise AssertionError(f"{upload.key} was noted as applied")

    def write(self, *changes: Change) -> None:
        raise AssertionError(f"{changes[0].after.identifier} was written")


def test_a_dry_run_writes_no_record_and_keeps_no_file() -> None:
    steward = _with_history()
    held, files = steward.values(WELL.format(2)), dict(steward.content.files)
    steward.registry = _Sealed(steward.memory)

    preview = steward.try_out(LINES, NEXT)

    assert preview.counts["changed"] == 1
    assert steward.values(WELL.format(2)) == held
    assert steward.values(WELL.format(5)) is None
    assert steward.content.files == files


def test_a_dry_run_considers_the_earlier_lines_of_its_file() -> None:
    steward = Steward()

    preview = steward.try_out("_host/all.jsonl", HOST)
    refused = steward.try_out("uri-gin/azgs/1-types.jsonl", TYPES)
    steward.upload("_host/all.jsonl", HOST)
    below = steward.try_out(LINES, TYPES + line(WELL.format(1)))

    assert preview.counts == {"registered": 3}
    assert refused.refused == {(1,): [("identifier", "name authority")]}
    assert below.counts == {"registered": 2}


@pytest.mark.parametrize(
    ("said", "is_dry"), [("true", True), ("True", True), ("yes", True), ("", True), ("false", False)]
)
def test_a_dry_run_registers_nothing_in_any_spelling(said: str, *, is_dry: bool) -> None:
    steward = settled()

    report = steward.deliver(steward.put(TABLE, f"identifier\n{WELL.format(1)}\n", **{"dry-run": said}))

    assert report.whole["dry_run"] is is_dry
    assert (steward.values(WELL.format(1)) is None) is is_dry


def test_a_dry_run_counts_no_registration_however_often_it_is_delivered() -> None:
    steward = settled()
    upload = steward.put(TABLE, f"identifier\n{WELL.format(1)}\n", **{"dry-run": "true"})

    for _ in range(2):
        counts = ingest_part(upload, steward.collaborators)
        assert set(counts.values()) == {0}
    assert steward.report(upload).counts == {"registered": 1, "warned": 1}


def test_a_stored_file_is_not_new_to_a_dry_run() -> None:
    steward = _with_history()
    stated = line(WELL.format(4), representations=[{"part": ".pdf", "file": "well.pdf"}])

    assert steward.try_out(LINES, stated).counts == {"unchanged": 1}
    steward.upload("uri-gin/azgs/well.pdf", b"%PDF, corrected")
    assert steward.try_out(LINES, stated).counts == {"changed": 1}


def test_many_workers_preview_the_same_as_one() -> None:
    text = "identifier,title\n" + "".join(f"{WELL.format(number)},Well\n" for number in range(500))
    alone, together = settled(), settled()
    expected = alone.try_out(TABLE, text)
    upload = together.put(TABLE, text, **{"dry-run": "true"})

    with ThreadPoolExecutor(8) as pool:
        ingest_part(upload, replace(together.collaborators, mapper=pool.map))

    assert together.report(upload) == expected
