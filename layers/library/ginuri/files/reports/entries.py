"""The entries of a report: findings with the same correction, or else of the same kind, are one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ginuri.files.reports.finding_groups import FindingGroup, lines_of, without_numbers
from ginuri.files.reports.line_ranges import MOST_RANGES, LineRanges
from ginuri.registration.verdicts import Finding, Level, Verdict

MOST_SEPARATE = 3
"""The most refusals or corrections of one kind with different values as separate entries."""
MOST_REPEATED = 10
"""The most of them if each is for several rows; the others are merged."""
_MOST_TRACKED = 20
"""The most different values of one kind whose rows are counted separately."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A finding with its rows and its identifier."""

    lines: Sequence[int]
    identifier: str | None
    finding: Finding


@dataclass(slots=True)
class Entry:
    """Findings that are reported as one: the first ones, and the places of all."""

    finding: Finding
    count: int = 0
    lines: LineRanges = field(default_factory=LineRanges)
    occurrences: list[Occurrence] = field(default_factory=list)
    """The listed ones."""
    is_about_upload: bool = False
    """Whether it is about the whole upload, not about a line or an identifier."""
    _last: Sequence[int] = ()

    @property
    def column(self) -> str:
        """The column of its place; empty without one."""
        columns = {self.finding.column, *(each.finding.column for each in self.occurrences)}
        column = self.finding.column if len(columns) == 1 else without_numbers(self.finding.column)
        return column if self.lines.count else ""

    @property
    def corrections(self) -> list[tuple[str, str]]:
        """The different values of the listed findings, each with its correction; empty if one has none."""
        pairs = {
            (each.finding.value, each.finding.suggestion): None
            for each in self.occurrences or [Occurrence((), None, self.finding)]
        }
        known = [(value, suggestion) for value, suggestion in pairs if suggestion is not None]
        return known if len(known) == len(pairs) else []

    def add(self, verdict: Verdict, finding: Finding, *, is_listed: bool) -> None:
        """Add an occurrence; the first is always listed."""
        self.count += 1
        lines = lines_of(verdict, finding)
        if lines != self._last:  # a line counts once for each kind
            self.lines.add(lines)
            self._last = lines
        self.is_about_upload |= not verdict.lines and verdict.identifier is None
        if is_listed or not self.occurrences:
            self.occurrences.append(Occurrence(tuple(lines[:MOST_RANGES]), verdict.identifier, finding))

    def add_group(self, group: FindingGroup) -> None:
        """Add occurrences with known lines only."""
        if group.is_identical and group.count > self.count:  # the sentence for most rows
            self.finding = group.finding
        self.count += group.count
        self.lines.extend(group.lines.ranges())
        if not self.occurrences:
            line = group.finding.line
            self.occurrences.append(Occurrence(() if line is None else (line,), None, group.finding))


class EntriesOfKind:
    """The findings of one column, rule and sentence, as entries.

    Those with one value, and so with one correction, are an entry if they are for several rows, or if there
    are few values; the others of the kind are one entry. Warnings without a correction are always one.
    """

    def __init__(self, finding: Finding) -> None:
        self._common = Entry(finding)
        self._rest: Entry | None = None
        is_separate = finding.level is Level.REFUSED or finding.suggestion is not None
        self._separate: dict[tuple[str, str], Entry] | None = {} if is_separate else None

    def add(self, verdict: Verdict, finding: Finding, *, is_listed: bool) -> None:
        """Add a finding of the kind."""
        self._common.add(verdict, finding, is_listed=is_listed)
        if self._separate is None:
            return
        key = finding.value, str(finding.message)
        if key in self._separate or len(self._separate) < _MOST_TRACKED:
            entry = self._separate.setdefault(key, Entry(finding))
        else:
            entry = self._rest = self._rest or Entry(finding)
        entry.add(verdict, finding, is_listed=is_listed)

    def add_group(self, group: FindingGroup) -> None:
        """Add findings of the kind of which only the lines are known."""
        self._common.add_group(group)
        self._separate = None

    def entries(self) -> Iterable[Entry]:
        """Return the entries."""
        if self._separate is None:
            return [self._common]
        if self._rest is None and len(self._separate) <= MOST_SEPARATE:
            return self._separate.values()
        repeated = sorted(
            (entry for entry in self._separate.values() if entry.count > 1),
            key=lambda entry: entry.count,
            reverse=True,
        )[:MOST_REPEATED]
        if not repeated:
            return [self._common]
        kept = set(map(id, repeated))
        others = [entry for entry in self._separate.values() if id(entry) not in kept]
        if self._rest is not None:
            others.append(self._rest)
        return [*repeated, _merge(others)] if others else repeated


def _merge(entries: Sequence[Entry]) -> Entry:
    return Entry(
        entries[0].finding,
        sum(entry.count for entry in entries),
        LineRanges.union([entry.lines for entry in entries]),
        [occurrence for entry in entries for occurrence in entry.occurrences],
        is_about_upload=any(entry.is_about_upload for entry in entries),
    )
