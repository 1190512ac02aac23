"""Processes uploads once more by the flow of ingest, into a registry that has lost them.

Statements get the stamps that they had: the time, the key, the version and the line of their upload. What an
upload did is compared with its first report.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from ginuri.files.reports.report import Upload
from ginuri.files.reports.summary import read_summary, summary_key
from ginuri.ingest.collaborators import IngestCollaborators, Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.replay.files import ReplayFiles, ReplayKeeper
from ginuri.replay.ports import ReplayStack, ReplayTarget
from ginuri.replay.processed_uploads import ProcessedUpload, UploadOrder

# Every prerequisite that an upload once waited for was processed before it.
LIMITS = Limits(wait_seconds=float("-inf"))


@dataclass(frozen=True, slots=True)
class ReplayedUpload:
    """An upload that was processed again, and both results."""

    processed: ProcessedUpload
    counts: Mapping[str, int]
    """The number of verdicts by outcome, without zeros."""

    @property
    def is_different(self) -> bool:
        """Whether the report of then had other counts; False if no report is left."""
        return self.processed.counts is not None and self.processed.counts != self.counts


class Replay:
    """Replays uploads into a registry; a drill stores no file in the stack."""

    def __init__(
        self,
        stack: ReplayStack,
        target: ReplayTarget,
        order: UploadOrder,
        *,
        is_drill: bool = False,
        limits: Limits = LIMITS,
    ) -> None:
        self._stack, self._target, self._limits = stack, target, limits
        self._keeper = ReplayKeeper(stack, order.puts, may_keep=not is_drill)

    def run(self, uploads: Iterable[ProcessedUpload], *, ignores_proofs: bool) -> Iterator[ReplayedUpload]:
        """Process uploads of the order. Raises RegistryUnavailable; the same call then continues.

        An upload with a proof in the registry is passed over, unless proofs are ignored.
        """
        with (
            TemporaryDirectory(prefix="ginuri-") as folder,
            closing(ReplayFiles(self._stack.uploads, Path(folder))) as files,
        ):
            for processed in uploads:
                upload = processed.upload
                if ignores_proofs or self._target.registry.applied(upload.key, upload.version) is None:
                    yield ReplayedUpload(processed, self._process(processed, files))

    def _process(self, processed: ProcessedUpload, files: ReplayFiles) -> Mapping[str, int]:
        upload, parts = processed.upload, _Parts()
        self._keeper.moment = f"{processed.processed:%Y-%m-%dT%H:%M:%SZ}"
        collaborators = IngestCollaborators(
            files,
            self._target.registry,
            self._target.lister,
            self._keeper,
            parts,
            time.monotonic,
            self._target.mapper,
            self._limits,
            now=_always(processed.processed),
            canonical_host=self._stack.canonical_host,
            api_identity=processed.api_identity,
        )
        ingest_part(upload, collaborators)
        while parts.waiting:
            ingest_part(read_part(json.loads(parts.waiting.popleft())), collaborators)
        counts = _counts(upload, files)
        files.delete_reports("")
        return counts


class _Parts:
    """The queue of one upload, whose parts are processed one after the other."""

    def __init__(self) -> None:
        self.waiting: deque[str] = deque()

    def send(self, messages: Sequence[str], delay: int = 0) -> None:  # noqa: ARG002  nothing else is waited for
        self.waiting += messages


def _always(moment: datetime) -> Callable[[], datetime]:
    return lambda: moment


def _counts(upload: Upload, files: ReplayFiles) -> dict[str, int]:
    body = files.reported(summary_key(upload.key, upload.version))
    if body is None:
        raise AssertionError(f"{upload.key} has no summary after its last part")
    summary = read_summary(json.loads(body))
    return {outcome: number for outcome, number in summary.counts.items() if number}
