"""A report in brief: refusals, then warnings, then changes; findings of one kind are one entry.

Its memory does not depend on the size of the upload.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ginuri.files.reports.finding_groups import MOST_KINDS, FindingGroup, Kind, kind_of, without_numbers
from ginuri.files.reports.line_ranges import MOST_RANGES, LineRanges
from ginuri.registration.verdicts import Finding, Level, Verdict
from ginuri.registry.model import Status
from ginuri.registry.record.differences import FieldChange

MOST_LISTED = 1_000
"""The most findings and changed identifiers to list; all are counted."""
MOST_SEPARATE = 3
"""The most refusals of one kind with different values as separate entries; more are merged."""
STOPPED, FAILING = "many", "tests"
"""The rules of findings that may refuse an upload as a whole: it changes too much, or tests fail."""


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

    def add(self, verdict: Verdict, finding: Finding, *, is_listed: bool) -> None:
        """Add an occurrence; the first is always listed."""
        self.count += 1
        lines = verdict.lines if finding.line is None else (finding.line,)
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


class _Kind:
    """The findings of one column, rule and sentence; a few different refusals are separate entries."""

    def __init__(self, finding: Finding) -> None:
        self._common = Entry(finding)
        self._separate: dict[tuple[str, str], Entry] | None = {} if finding.level is Level.REFUSED else None

    def add(self, verdict: Verdict, finding: Finding, *, is_listed: bool) -> None:
        self._common.add(verdict, finding, is_listed=is_listed)
        if self._separate is not None:
            entry = self._separate.setdefault((finding.value, str(finding.message)), Entry(finding))
            entry.add(verdict, finding, is_listed=is_listed)
            if len(self._separate) > MOST_SEPARATE:
                self._separate = None

    def add_group(self, group: FindingGroup) -> None:
        self._common.add_group(group)
        self._separate = None

    def entries(self) -> Iterable[Entry]:
        return [self._common] if self._separate is None else self._separate.values()


class ReportDigest:
    """The part of a report that pages and terminals show, with the most important first."""

    def __init__(self, verdicts: Iterable[Verdict] = ()) -> None:
        self._kinds: dict[Kind, _Kind] = {}
        self._listed = 0
        self._changed: list[Verdict] = []
        self.unlisted = 0
        """The number of findings in no entry."""
        self.grouped = 0
        """The number of findings of which only the lines are known."""
        self.changed = 0
        """The number of identifiers with listed changes."""
        self.changes_number = 0
        """The number of their changes."""
        self.more_fields = 0
        """The number of changes that verdicts leave out."""
        self.retiring = 0
        """The number of changes that retire a record, a form or a rule."""
        self.is_stopped = False
        """Whether the upload was refused as a whole."""
        for verdict in verdicts:
            self.add(verdict)

    def add(self, verdict: Verdict) -> None:
        """Add a verdict, in the order of the file."""
        for finding in verdict.findings:
            if _is_stop(finding):
                self.is_stopped = True  # the finding on the whole upload reports it
            else:
                self._add_finding(verdict, finding)
        if verdict.difference.changes or verdict.difference.untold:
            self.changed += 1
            self.changes_number += len(verdict.difference.changes)
            self.more_fields += verdict.difference.untold
            self.retiring += sum(map(retires, verdict.difference.changes))
        if verdict.difference.changes:
            self._changed.append(verdict)
            if len(self._changed) >= 2 * MOST_LISTED:
                self._changed = self.changes()

    def add_group(self, group: FindingGroup) -> None:
        """Add findings that the verdicts leave out."""
        if _is_stop(group.finding):
            self.is_stopped = True
            return
        self.grouped += 0 if group.is_identical else group.count
        if kind := self._kind(group.finding, group.count):
            kind.add_group(group)

    def _add_finding(self, verdict: Verdict, finding: Finding) -> None:
        if kind := self._kind(finding, 1):
            kind.add(verdict, finding, is_listed=self._listed < MOST_LISTED)
            self._listed += 1

    def _kind(self, finding: Finding, number: int) -> _Kind | None:
        """Return the kind of a finding; None if there are too many kinds already."""
        key = kind_of(finding)
        if key not in self._kinds:
            if len(self._kinds) >= MOST_KINDS:
                self.unlisted += number
                return None
            self._kinds[key] = _Kind(finding)
        return self._kinds[key]

    def entries(self, level: Level) -> list[Entry]:
        """List the findings of a level: on the whole upload first, then in file order."""
        entries = [entry for kind in self._kinds.values() for entry in kind.entries()]
        of_level = [entry for entry in entries if entry.finding.level is level]
        return sorted(of_level, key=lambda entry: (not entry.is_about_upload, entry.lines.first))

    def changes(self) -> list[Verdict]:
        """List at most `MOST_LISTED` changed identifiers in order, retired ones first."""
        return sorted(
            self._changed,
            key=lambda verdict: (
                not any(map(retires, verdict.difference.changes)),
                verdict.identifier or "",
            ),
        )[:MOST_LISTED]


def changes_of(verdict: Verdict) -> list[FieldChange]:
    """List the changes of a verdict, retirements first."""
    return sorted(verdict.difference.changes, key=lambda change: not retires(change))


def retires(change: FieldChange) -> bool:
    """Return whether a change retires an identifier, a form or a rule."""
    is_status = change.field == "status" or change.field.endswith("].status")
    return is_status and change.after == Status.RETIRED


def _is_stop(finding: Finding) -> bool:
    """Return whether a finding only refers to the one on the whole upload."""
    return finding.rule in {STOPPED, FAILING} and not finding.value
