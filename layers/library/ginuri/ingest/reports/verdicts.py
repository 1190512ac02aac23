"""The verdicts of each task, stored for the report: a summary, and the verdicts in the order of the file."""

from __future__ import annotations

import heapq
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import itemgetter
from tempfile import TemporaryFile
from typing import IO

from ginuri.files.encodings import EncodingRefusal, is_about_encoding, merge_refusals, undecoded
from ginuri.files.reports.finding_groups import FindingGroups
from ginuri.files.reports.repeated_warnings import WarningCounter, add_warnings
from ginuri.files.reports.report import count
from ginuri.files.reports.verdict_lines import (
    VerdictWriter,
    group_of,
    read_verdict,
    write_groups,
    write_verdict,
)
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.queue_messages import Pass, RegisterRows
from ginuri.registration.rows import MOST_QUOTED
from ginuri.registration.verdicts import Outcome, Verdict

_AT_ONCE = 1024
"""The bytes of each task's verdicts that are read at once while the report is written."""
_AFTER_ALL_LINES = 1 << 40
"""The place of verdicts without a line."""


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """Identifiers that a snapshot did not retire, because they were registered after its upload."""

    number: int = 0
    names: tuple[str, ...] = ()
    """The alphabetically first ones, at most `MOST_QUOTED`."""

    def together_with(self, others: Iterable[str], number: int) -> LeftAlone:
        """Add a number of further identifiers, with some of their names."""
        return LeftAlone(self.number + number, tuple(heapq.nsmallest(MOST_QUOTED, (*self.names, *others))))


@dataclass(frozen=True, slots=True)
class VerdictSummary:
    """The summary of a task's verdicts, with those on the encoding separate."""

    counts: Mapping[str, int]
    undecoded: EncodingRefusal | None = None
    changed: int = 0
    """The number of changed identifiers; the verdicts on the rules of a prefix count as one."""
    spared: LeftAlone = LeftAlone()
    witnesses: tuple[str, ...] = ()
    """The last record that each task registered or changed: the first that a restored table lacks."""
    warnings: Mapping[str, int] = field(default_factory=dict)
    """The numbers of warnings by their marks (`files.reports.repeated_warnings`)."""


def verdicts_key(part: RegisterRows) -> str:
    """Return the name of the file with the verdicts of a task; it exists once the task is done."""
    return f"{step_prefix(part.through, part.step)}{part.number:06d}"


def step_prefix(through: Pass, step: int) -> str:
    """Return the prefix of these files of a step."""
    return f"verdicts/{through}/{step:06d}/"


def pass_prefix(through: Pass) -> str:
    """Return the prefix of these files of a pass."""
    return f"verdicts/{through}/"


class TaskFindings:
    """The verdicts of a task as bytes, which take much less memory than the verdicts themselves.

    `most_bytes` limits the verdicts with findings or changes.
    """

    def __init__(self, most_bytes: int) -> None:
        self._writer = VerdictWriter(most_bytes)
        self._lines: list[tuple[int, bytes]] = []
        self._counts: Counter[str] = Counter(count(()))
        self._encoding_refusals: list[EncodingRefusal] = []
        self._changed = 0
        self._last_changed: str | None = None
        self._spared = LeftAlone()
        self._witness: str | None = None
        self._warnings = WarningCounter()

    def add_all(self, verdicts: Sequence[Verdict]) -> None:
        """Add verdicts, in any order; those about the encoding are merged."""
        if refusal := undecoded(verdicts):
            self._encoding_refusals.append(refusal)
        for verdict in verdicts:
            if not is_about_encoding(verdict):
                self.add(verdict)

    def add(self, verdict: Verdict) -> None:
        """Add a verdict that is not about the encoding."""
        self._counts.update(count([verdict]))
        self._warnings.add(verdict)
        if verdict.outcome is Outcome.CHANGED and verdict.identifier != self._last_changed:
            self._changed += 1  # the verdicts of a prefix follow each other
            self._last_changed = verdict.identifier
        if verdict.outcome in {Outcome.REGISTERED, Outcome.CHANGED}:
            self._witness = verdict.record_name or verdict.identifier
        place = _place(verdict)
        self._lines.append((place, b"%d %b\n" % (place, self._writer.write(verdict))))

    def spare(self, names: Sequence[str]) -> None:
        """Add identifiers that a snapshot does not retire."""
        self._spared = self._spared.together_with(names, len(names))

    def write(self, checkpoints: Checkpoints, name: str) -> None:
        """Write the summary and the verdicts, in the order of the file. Raises RegistryUnavailable."""
        encoding_refusal = merge_refusals(self._encoding_refusals)
        encoding = encoding_refusal and [
            encoding_refusal.number,
            list(encoding_refusal.lines),
            write_verdict(encoding_refusal.first).decode(),
        ]
        self._lines.sort(key=itemgetter(0))
        summary_fields = {
            "counts": self._counts,
            "undecoded": encoding,
            "changed": self._changed,
            "spared": [self._spared.number, self._spared.names],
            "witness": self._witness,
            "warnings": self._warnings.counts,
            "groups": [json.loads(line) for line in write_groups(self._writer.groups)],
        }
        summary = json.dumps(summary_fields).encode() + b"\n"
        checkpoints.write(name, b"".join([summary, *(line for _, line in self._lines)]))


def read_summary(body: bytes) -> VerdictSummary:
    """Read the summary of a task's verdicts."""
    fields = json.loads(body[: body.index(b"\n")])
    encoding_refusal = None
    if fields["undecoded"] is not None:
        lines_apart, lines, first = fields["undecoded"]
        encoding_refusal = EncodingRefusal(lines_apart, lines, read_verdict(first.encode()))
    number, names = fields["spared"]
    return VerdictSummary(
        fields["counts"],
        encoding_refusal,
        fields["changed"],
        LeftAlone(number, tuple(names)),
        tuple(filter(None, [fields.get("witness")])),
        fields.get("warnings", {}),  # an older release did not count them
    )


def add_up(summaries: Sequence[VerdictSummary]) -> VerdictSummary:
    """Merge the summaries of several tasks."""
    counts, spared = Counter[str](count(())), LeftAlone()
    for summary in summaries:
        counts.update(summary.counts)
        spared = spared.together_with(summary.spared.names, summary.spared.number)
    return VerdictSummary(
        dict(counts),
        merge_refusals([summary.undecoded for summary in summaries if summary.undecoded is not None]),
        sum(summary.changed for summary in summaries),
        spared,
        tuple(name for summary in summaries for name in summary.witnesses),
        add_warnings(summary.warnings for summary in summaries),
    )


@contextmanager
def open_verdicts(
    checkpoints: Checkpoints, through: Pass, make_spool: Callable[[], IO[bytes]] = TemporaryFile
) -> Iterator[tuple[VerdictSummary, Iterator[Verdict], FindingGroups]]:
    """Open the verdicts of a pass, which are on disk and not all in memory at once.

    Yields their summary, the verdicts in the order of the file, and the findings that they leave out.
    Raises RegistryUnavailable.
    """
    with make_spool() as spool:
        groups, summaries, end = FindingGroups(), list[VerdictSummary](), 0
        streams: list[Iterator[tuple[int, bytes]]] = []
        for name in checkpoints.names(pass_prefix(through)):
            body = checkpoints.read(name)
            summaries.append(read_summary(body))
            for group in json.loads(body[: body.index(b"\n")]).get("groups", ()):
                groups.merge(group_of(group))
            begin = end
            end += spool.write(memoryview(body)[body.index(b"\n") + 1 :])
            del body  # before the next is read
            streams.append(_read_placed(spool.fileno(), begin, end))
        spool.flush()
        total = add_up(summaries)
        if total.undecoded is not None:
            encoding_refusal = total.undecoded.verdict()
            streams.append(iter([(_place(encoding_refusal), write_verdict(encoding_refusal))]))
            total = replace(total, counts={**total.counts, "refused": total.counts["refused"] + 1})
        merged = heapq.merge(*streams, key=itemgetter(0))
        yield total, (read_verdict(line) for _, line in merged), groups


def _read_placed(file: int, position: int, end: int) -> Iterator[tuple[int, bytes]]:
    # Hundreds of parts are merged at once, so each buffers little, and reads no earlier than needed.
    rest = b""
    while position < end:
        rest += os.pread(file, min(_AT_ONCE, end - position), position)
        position = min(position + _AT_ONCE, end)
        while b"\n" in rest:
            line, _, rest = rest.partition(b"\n")
            place, _, verdict = line.partition(b" ")
            yield int(place), verdict


def _place(verdict: Verdict) -> int:
    return min(verdict.lines, default=_AFTER_ALL_LINES)
