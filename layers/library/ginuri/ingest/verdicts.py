"""What a task found, put aside for the report: a summary and the verdicts, in the order of the file."""

from __future__ import annotations

import heapq
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import itemgetter
from tempfile import TemporaryFile

from ginuri.files.encodings import EncodingRefusal, is_about_encoding, undecoded
from ginuri.files.reports.report import count, read_verdict, write_verdict
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.queue_messages import Pass, RegisterRows
from ginuri.registration.rows import MOST_QUOTED
from ginuri.registration.verdicts import Outcome, Verdict

_AT_ONCE = 1024
"""How many bytes of each task's verdicts are held in memory while the report is written."""
_AFTER_ALL_LINES = 1 << 40
"""Where verdicts stand that are about no line."""


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """What a snapshot left alone, because it came after the file was put."""

    number: int = 0
    names: tuple[str, ...] = ()
    """The first of them, in the order of their characters: at most `MOST_QUOTED`."""

    def together_with(self, others: Iterable[str], number: int) -> LeftAlone:
        """Count more of them, some of which have these names."""
        return LeftAlone(self.number + number, tuple(heapq.nsmallest(MOST_QUOTED, (*self.names, *others))))


@dataclass(frozen=True, slots=True)
class VerdictSummary:
    """What the verdicts of a task amount to, those about the encoding apart."""

    counts: Mapping[str, int]
    undecoded: EncodingRefusal | None = None
    changed: int = 0
    """How many identifiers are changed: each rule of a prefix has a verdict, and they are one identifier."""
    spared: LeftAlone = LeftAlone()


def verdicts_key(part: RegisterRows) -> str:
    """Name the file with the verdicts of a task; that it is there says that the task is done."""
    return where_of(part.through, part.step, part.number)


def where_of(through: Pass, step: int, number: int) -> str:
    """Name it by the number of the step and that of the task."""
    return f"{of_step(through, step)}{number:06d}"


def of_step(through: Pass, step: int) -> str:
    """Give what the names of all such files of a step begin with."""
    return f"verdicts/{through}/{step:06d}/"


def of_pass(through: Pass) -> str:
    """Give what the names of all such files of a pass begin with."""
    return f"verdicts/{through}/"


class TaskFindings:
    """What a task finds, as the bytes that are put aside: verdicts themselves take much more."""

    def __init__(self) -> None:
        self._told: list[tuple[int, bytes]] = []
        self._counts: Counter[str] = Counter(count(()))
        self._apart: EncodingRefusal | None = None
        self._changed = 0
        self._last_changed: str | None = None
        self._spared = LeftAlone()

    def add_all(self, verdicts: Sequence[Verdict]) -> None:
        """Take in verdicts, in any order; those about the encoding are put together."""
        apart = undecoded(verdicts)
        if apart is not None:
            self._apart = apart.together_with(self._apart) if self._apart else apart
        for verdict in verdicts:
            if not is_about_encoding(verdict):
                self.add(verdict)

    def add(self, verdict: Verdict) -> None:
        """Take in a verdict that is not about the encoding."""
        self._counts.update(count([verdict]))
        if verdict.outcome is Outcome.CHANGED and verdict.identifier != self._last_changed:
            self._changed += 1  # the verdicts of a prefix follow each other
            self._last_changed = verdict.identifier
        place = _place(verdict)
        self._told.append((place, b"%d %b\n" % (place, write_verdict(verdict))))

    def spare(self, names: Sequence[str]) -> None:
        """Note what a snapshot leaves alone."""
        self._spared = self._spared.together_with(names, len(names))

    def write(self, work: Checkpoints, name: str) -> None:
        """Put it aside, in the order of the file. Raises RegistryUnavailable."""
        apart = self._apart
        told = apart and [apart.number, list(apart.lines), write_verdict(apart.first).decode()]
        self._told.sort(key=itemgetter(0))
        spared = [self._spared.number, self._spared.names]
        summed = {"counts": self._counts, "undecoded": told, "changed": self._changed, "spared": spared}
        summary = json.dumps(summed).encode() + b"\n"
        work.write(name, b"".join([summary, *(line for _, line in self._told)]))


def read_summary(body: bytes) -> VerdictSummary:
    """Read what the verdicts of a task amount to."""
    told = json.loads(body[: body.index(b"\n")])
    apart = None
    if told["undecoded"] is not None:
        lines_apart, lines, first = told["undecoded"]
        apart = EncodingRefusal(lines_apart, lines, read_verdict(first.encode()))
    number, names = told["spared"]
    return VerdictSummary(told["counts"], apart, told["changed"], LeftAlone(number, tuple(names)))


def add_up(summaries: Sequence[VerdictSummary]) -> VerdictSummary:
    """Put the summaries of several tasks together."""
    counts: Counter[str] = Counter(count(()))
    apart: EncodingRefusal | None = None
    spared = LeftAlone()
    for summary in summaries:
        counts.update(summary.counts)
        spared = spared.together_with(summary.spared.names, summary.spared.number)
        if summary.undecoded is not None:
            apart = summary.undecoded.together_with(apart) if apart else summary.undecoded
    return VerdictSummary(dict(counts), apart, sum(each.changed for each in summaries), spared)


@contextmanager
def all_found(work: Checkpoints, through: Pass) -> Iterator[tuple[VerdictSummary, Iterator[Verdict]]]:
    """Give what the tasks of a pass found: what it amounts to, and the verdicts in the order of the file.

    Not all of them are held in memory at once. Raises RegistryUnavailable.
    """
    with TemporaryFile() as spool:
        streams: list[Iterator[tuple[int, bytes]]] = []
        summaries = []
        end = 0
        for name in work.names(of_pass(through)):
            body = work.read(name)
            summaries.append(read_summary(body))
            begin = end
            end += spool.write(memoryview(body)[body.index(b"\n") + 1 :])
            del body  # before the next is read
            streams.append(_placed(spool.fileno(), begin, end))
        spool.flush()
        whole = add_up(summaries)
        if whole.undecoded is not None:
            apart = whole.undecoded.verdict()
            streams.append(iter([(_place(apart), write_verdict(apart))]))
            counts = {**whole.counts, "refused": whole.counts["refused"] + 1}
            whole = replace(whole, counts=counts)
        merged = heapq.merge(*streams, key=itemgetter(0))
        yield whole, (read_verdict(told) for _, told in merged)


def _placed(file: int, at: int, end: int) -> Iterator[tuple[int, bytes]]:
    # Hundreds of parts of one file are read beside each other: each holds little, and nothing is read early.
    rest = b""
    while at < end:
        rest += os.pread(file, min(_AT_ONCE, end - at), at)
        at = min(at + _AT_ONCE, end)
        while b"\n" in rest:
            line, _, rest = rest.partition(b"\n")
            place, _, told = line.partition(b" ")
            yield int(place), told


def _place(verdict: Verdict) -> int:
    return min(verdict.lines, default=_AFTER_ALL_LINES)
