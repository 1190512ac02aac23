"""Warnings that are the same for several rows: a report lists each once, with the lines of all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from ginuri.files.reports.finding_groups import FindingGroup
from ginuri.registration.verdicts import Finding, Level, Verdict

MOST_COUNTED = 200
"""The most warnings that each part of an upload counts; in each part, the first ones."""


def mark_of(finding: Finding) -> str:
    """Return the mark of a warning, equal for those that differ only in their line; empty for other findings.

    A warning with a correction is about its cell, and stays there.
    """
    if finding.level is not Level.WARNED or finding.suggestion is not None:
        return ""
    told = "\n".join((finding.field, finding.column, finding.rule, finding.value, str(finding.message)))
    return blake2b(told.encode(), digest_size=8).hexdigest()


@dataclass(slots=True)
class WarningCounter:
    """Counts the warnings of a part that are the same for several rows."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, verdict: Verdict) -> None:
        """Count the warnings of a verdict on a row."""
        for finding in verdict.findings if verdict.lines else ():
            mark = mark_of(finding)
            if mark in self.counts or (mark and len(self.counts) < MOST_COUNTED):
                self.counts[mark] = self.counts.get(mark, 0) + 1


def add_warnings(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Add the numbers of warnings in the parts of an upload, by their marks."""
    total: dict[str, int] = {}
    for each in counts:
        for mark, number in each.items():
            total[mark] = total.get(mark, 0) + number
    return total


def find_repeated(counts: Mapping[str, int]) -> frozenset[str]:
    """Return the marks of the warnings that occur more than once."""
    return frozenset(mark for mark, number in counts.items() if number > 1)


class RepeatedWarnings:
    """The repeated warnings of a report, each with its number and its lines."""

    def __init__(self, marks: Collection[str] = ()) -> None:
        self._marks = marks
        self._groups: dict[str, FindingGroup] = {}

    def __iter__(self) -> Iterator[FindingGroup]:
        """Yield a group for each, in the order of their first lines."""
        return iter(self._groups.values())

    def take(self, verdict: Verdict) -> Verdict:
        """Return a verdict without its repeated warnings."""
        if not (self._marks and verdict.lines):
            return verdict
        kept = tuple(finding for finding in verdict.findings if not self._take(verdict, finding))
        taken = len(verdict.findings) - len(kept)
        return (
            replace(verdict, findings=kept, more_findings=verdict.more_findings + taken) if taken else verdict
        )

    def _take(self, verdict: Verdict, finding: Finding) -> bool:
        mark = mark_of(finding)
        if mark not in self._marks:
            return False
        self._groups.setdefault(mark, FindingGroup(finding, is_identical=True)).add(verdict, finding)
        return True
