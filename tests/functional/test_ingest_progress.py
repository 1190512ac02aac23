"""The progress of an upload: one figure for the file that only rises, whatever its parts do."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import IO

import pytest

from ginuri.files.reports.progress import UploadProgress, progress_key, read_progress
from ginuri.files.reports.report import Upload
from ginuri.ingest.collaborators import IngestCollaborators, Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.progress import READING, REPORTING
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryUploads
from tests.steward import LINES, Steward, line, settled

IN_PARTS = Limits(task_rows=20, chunk_rows=30)
ROWS = "".join(line(f"uri-gin/azgs/doc/{number}") for number in range(200))


class _Watched(MemoryUploads):
    """Uploads that keep each figure of the progress."""

    def __init__(self, steward: Steward) -> None:
        super().__init__(steward.content)
        self.figures: list[UploadProgress] = []

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        super().report(key, body)
        if key.endswith(".progress.json"):
            self.figures.append(read_progress(json.loads(self.reports[key])))


def _seconds() -> Iterator[float]:
    """Every look at this clock is three seconds after the last."""
    second = 0.0
    while True:
        second += 3
        yield second


def _ingest(limits: Limits, rows: str = ROWS, seed: int = 0) -> list[UploadProgress]:
    steward, seconds = settled(), _seconds()
    steward.files = watched = _Watched(steward)
    clock = datetime(2011, 8, 25, 18, tzinfo=UTC)

    def now() -> datetime:
        return clock + timedelta(seconds=next(seconds))

    collaborators = replace(steward.collaborators, limits=limits, clock=lambda: next(seconds), now=now)
    upload = steward.put(LINES, rows)
    ingest_part(upload, collaborators)
    chance = random.Random(seed)  # noqa: S311  an order, no secret
    while steward.queue.waiting:
        message = steward.queue.waiting.pop(chance.randrange(len(steward.queue.waiting)))
        ingest_part(read_part(json.loads(message)), collaborators)
    return watched.figures


@pytest.mark.parametrize("limits", [Limits(), IN_PARTS])
def test_the_figure_of_a_file_only_rises(limits: Limits) -> None:
    percents = [figure.percent for figure in _ingest(limits)]

    assert percents == sorted(set(percents))
    assert percents[0] < READING
    assert 100 - REPORTING < percents[-1] <= 100


def test_parts_in_any_order_never_lower_the_figure() -> None:
    for seed in range(3):
        figures = _ingest(IN_PARTS, seed=seed)

        assert [figure.done for figure in figures] == sorted(figure.done for figure in figures)
        assert max(figure.done for figure in figures) == max(figure.of for figure in figures) == 200


def test_a_dry_run_before_the_registration_is_half_of_the_work() -> None:
    steward = settled()
    steward.files = watched = _Watched(steward)
    steward.limits = IN_PARTS
    steward.upload(LINES, ROWS)
    watched.figures.clear()

    steward.upload(LINES, ROWS)

    halves = [figure.done for figure in watched.figures]
    assert halves == sorted(halves)
    assert 100 in halves
    assert halves[-1] == 200


def test_the_time_left_is_estimated_from_the_beginning() -> None:
    figures = _ingest(IN_PARTS)

    estimated = [figure for figure in figures if figure.seconds_left is not None]
    assert len({figure.begun for figure in figures}) == 1
    assert (estimated[0].seconds_left or 0) > (estimated[-1].seconds_left or 0)


def test_parts_that_run_at_once_are_added_up() -> None:
    steward, seconds = settled(), _seconds()
    steward.files = watched = _Watched(steward)
    collaborators = replace(steward.collaborators, limits=IN_PARTS, clock=lambda: next(seconds))
    upload = steward.put(LINES, ROWS)
    ingest_part(upload, collaborators)
    messages = list(steward.queue.waiting)

    # The first part stops halfway, as another one runs; its own progress still counts.
    _stop_in(messages[0], collaborators, watched)
    halfway = watched.figures[-1].done
    ingest_part(read_part(json.loads(messages[1])), collaborators)

    assert halfway > 0
    assert watched.figures[-1].done > halfway + 10


class _Stopped(Exception):
    pass


def _stop_in(message: str, collaborators: IngestCollaborators, watched: _Watched) -> None:
    number = len(watched.figures)

    def clock() -> float:
        if len(watched.figures) > number + 8:
            raise _Stopped
        return collaborators.clock()

    with pytest.raises(_Stopped):
        ingest_part(read_part(json.loads(message)), replace(collaborators, clock=clock))


def test_an_upload_that_begins_again_starts_from_zero() -> None:
    steward = settled()
    steward.files = watched = _Watched(steward)
    steward.limits = IN_PARTS
    upload = steward.put(LINES, ROWS)
    ingest_part(upload, steward.collaborators)
    for key in [key for key in watched.reports if key.startswith("_parts/")]:
        del watched.reports[key]

    steward.work_off()

    assert min(figure.percent for figure in watched.figures[1:]) == 0
    assert _last(watched, upload).done == 200


def _last(watched: _Watched, upload: Upload) -> UploadProgress:
    return read_progress(json.loads(watched.reports[progress_key(upload.key, upload.version)]))
