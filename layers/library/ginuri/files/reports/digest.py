"""A report in brief: refusals, then warnings, then changes; findings of one kind are one entry.

Its memory does not depend on the size of the upload.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from os.path import commonprefix

from ginuri.files.reports.entries import EntriesOfKind, Entry
from ginuri.files.reports.finding_groups import MOST_KINDS, FindingGroup, Kind, kind_of
from ginuri.registration.verdicts import Finding, Level, Outcome, Verdict
from ginuri.registry.model import Status
from ginuri.registry.record.differences import FieldChange

MOST_LISTED = 1_000
"""The most findings and changed identifiers to list; all are counted."""
STOPPED, FAILING = "many", "tests"
"""The rules of findings that may refuse an upload as a whole: it changes too much, or tests fail."""


class Reach(Enum):
    """The rows that an entry is about."""

    SOME = auto()
    ALL = auto()
    ACCEPTED = auto()
    """All that are not refused."""


class ReportDigest:
    """The part of a report that pages and terminals show, with the most important first."""

    def __init__(self, verdicts: Iterable[Verdict] = ()) -> None:
        self._kinds: dict[Kind, EntriesOfKind] = {}
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
        self.refused_rows = 0
        """The number of rows of refused verdicts."""
        self.folder: str | None = None
        """The common beginning of the folders of all registered identifiers; None before the first one."""
        for verdict in verdicts:
            self.add(verdict)

    def add(self, verdict: Verdict) -> None:
        """Add a verdict, in the order of the file."""
        if verdict.outcome is Outcome.REFUSED:
            self.refused_rows += len(verdict.lines)
        elif (name := verdict.identifier) is not None:
            folder = name[: name.rstrip("/").rfind("/") + 1]
            self.folder = folder if self.folder is None else commonprefix([self.folder, folder])  # noqa: RUF071  by characters: slashes are data
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

    def _kind(self, finding: Finding, number: int) -> EntriesOfKind | None:
        """Return the kind of a finding; None if there are too many kinds already."""
        key = kind_of(finding)
        if key not in self._kinds:
            if len(self._kinds) >= MOST_KINDS:
                self.unlisted += number
                return None
            self._kinds[key] = EntriesOfKind(finding)
        return self._kinds[key]

    @property
    def has_columns(self) -> bool:
        """Whether any finding has a column."""
        return any(entry.column for kind in self._kinds.values() for entry in kind.entries())

    @property
    def has_corrections(self) -> bool:
        """Whether any finding has a correction."""
        return any(entry.corrections for kind in self._kinds.values() for entry in kind.entries())

    def entries(self, level: Level) -> list[Entry]:
        """List the findings of a level: on the whole upload first, then in file order."""
        entries = [entry for kind in self._kinds.values() for entry in kind.entries()]
        of_level = [entry for entry in entries if entry.finding.level is level]
        return sorted(of_level, key=lambda entry: (not entry.is_about_upload, entry.lines.first))

    def reach_of(self, entry: Entry, rows: int) -> Reach:
        """Return whether an entry is about every one of several rows of the file."""
        if entry.lines.count >= rows > 1:
            return Reach.ALL
        accepted = rows - self.refused_rows
        is_accepted = entry.finding.level is Level.WARNED and entry.lines.count >= accepted > 1
        return Reach.ACCEPTED if is_accepted else Reach.SOME

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
