"""Reports the progress of an upload: one rising figure for the file, from that of each of its parts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from math import ceil

from ginuri.files.reports.progress import UploadProgress, progress_key, read_progress, write_progress
from ginuri.ingest.checkpoints import Attempt, Checkpoints, CheckpointStore
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.plan import Plan
from ginuri.ingest.queue_messages import RegisterRows
from ginuri.ingest.reports.verdicts import step_prefix
from ginuri.registration.verdicts import Verdict
from ginuri.registry.clock import write_moment

PROGRESS_SECONDS = 2.0
"""The least seconds between two reports of one call on the progress of its upload."""
READING, REPORTING = 15.0, 5.0
"""The percentages for reading the file and for writing its report; the rows have the rest."""
_BEGUN = 0.1
_LEAST_ESTIMATED = 3.0
"""The percentage from which the time left is estimated."""


class FileProgress:
    """The progress of one upload, reported by one call. Its methods raise RegistryUnavailable."""

    def __init__(
        self, attempt: Attempt, checkpoints: Checkpoints, collaborators: IngestCollaborators
    ) -> None:
        self.attempt = attempt
        self._checkpoints = checkpoints
        self._uploads = collaborators.uploads
        self._clock, self._now = collaborators.clock, collaborators.now
        self._key = progress_key(attempt.upload.key, attempt.version)
        self._begun = write_moment(self._now())
        self._reported_at = self._clock()

    def begin(self) -> None:
        """Report that the work began, unless an earlier delivery did."""
        self._report(_BEGUN)

    def begin_again(self) -> None:
        """Report that all work is to be done again."""
        self._uploads.report(self._key, write_progress(UploadProgress(begun=self._begun)))

    def watch_reading(self, pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
        """Pass on the pieces of a file of this size."""
        done = 0
        for piece in pieces:
            yield piece
            done += len(piece)
            if self._is_due():
                self._report(READING * min(done / max(size, 1), 1.0))

    def watch_part(self, part: RegisterRows, plan: Plan) -> Callable[[int], None]:
        """Return the function that receives the number of finished rows of a part."""
        rows = plan.steps[part.step][part.number].rows

        def report(done: int) -> None:
            if self._is_due():
                own = min(done, rows)
                self._checkpoints.write(f"{_step_key(part)}{part.number:06d}", str(own).encode())
                self._report_rows(part, plan, own)

        return report

    def finish_part(self, part: RegisterRows, plan: Plan) -> None:
        """Report that a part is done; a file that one call processes is only reported at times."""
        if isinstance(self._checkpoints, CheckpointStore):
            self._report_rows(part, plan)

    def watch_report(self, verdicts: Iterable[Verdict], number: int) -> Iterator[Verdict]:
        """Pass on the verdicts of the report, of which there are about this number."""
        for done, verdict in enumerate(verdicts):
            if self._is_due():
                share = min(done / max(number, 1), 1.0)
                self._report(100 - REPORTING + REPORTING * share)
            yield verdict

    def _is_due(self) -> bool:
        now = self._clock()
        if now - self._reported_at < PROGRESS_SECONDS:
            return False
        self._reported_at = now
        return True

    def _report_rows(self, part: RegisterRows, plan: Plan, own: int = 0) -> None:
        rows = sum(task.rows for step in plan.steps for task in step)
        done = plan.passes.index(part.through) * rows + self._rows_of_pass(part, plan, own)
        share = done / max(rows * len(plan.passes), 1)
        self._report(READING + (100 - READING - REPORTING) * share, int(rows * share), rows)

    def _rows_of_pass(self, part: RegisterRows, plan: Plan, own: int) -> int:
        """Count the finished rows of a pass; unfinished parts have their own progress."""
        step, store = plan.steps[part.step], self._checkpoints
        finished = set(map(_number_of, store.names(step_prefix(part.through, part.step))))
        begun = {_number_of(name): name for name in store.names(_step_key(part))}
        done = sum(task.rows for earlier in plan.steps[: part.step] for task in earlier)
        done += sum(step[number].rows for number in finished)
        done += sum(
            int(store.read(name))
            for number, name in begun.items()
            if number not in finished and number != part.number
        )
        return done + (0 if part.number in finished else own)

    def _report(self, percent: float, done: int = 0, of: int = 0) -> None:
        """Write the figure, unless another call was further already."""
        body = self._uploads.reported(self._key)
        before = UploadProgress() if body is None else read_progress(json.loads(body))
        percent = round(percent, 1)
        if (percent, done) <= (before.percent, before.done):
            return
        begun, of = before.begun or self._begun, of or before.of
        done = of if percent >= 100 - REPORTING else max(done, before.done)
        progress = UploadProgress(percent, done, of, begun, self._estimate(begun, percent))
        self._uploads.report(self._key, write_progress(progress))

    def _estimate(self, begun: str, percent: float) -> int | None:
        seconds = (self._now() - datetime.fromisoformat(begun)).total_seconds()
        if percent < _LEAST_ESTIMATED or seconds < PROGRESS_SECONDS:
            return None
        return ceil(seconds * (100 - percent) / percent)


def _step_key(part: RegisterRows) -> str:
    return f"progress/{part.through}/{part.step:06d}/"


def _number_of(name: str) -> int:
    return int(name.rpartition("/")[2])
