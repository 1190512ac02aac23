"""What the counts of a report are about: the identifiers in the rows of a file, and those that it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ginuri.registration.verdicts import Outcome, Verdict


@dataclass(slots=True)
class ReportScope:
    """The number of rows and identifiers of a file."""

    rows: int = 0
    identifiers: int = 0
    """How many identifiers the rows are about; one that cannot be read is one of its own."""
    absent: int = 0
    """How many other identifiers the upload is about: those that a snapshot does not have."""
    _last: str | None = None

    def add(self, verdict: Verdict, new_rows: int) -> None:
        """Add a verdict, in the order of the file, and how many of its lines no verdict had before."""
        if verdict.outcome is Outcome.WARNED:  # on a heading, or on the whole upload
            return
        self.rows += new_rows
        is_another = verdict.identifier is None or verdict.identifier != self._last
        self._last = verdict.identifier  # the rules of a prefix follow each other
        if verdict.lines:
            self.identifiers += is_another and bool(new_rows or verdict.identifier)
        elif verdict.identifier is not None:
            self.absent += is_another


def scope_members(scope: ReportScope) -> dict[str, int]:
    """Return the members of a report and of its summary that say what the counts are about."""
    return {"rows": scope.rows, "identifiers": scope.identifiers, "not_in_file": scope.absent}


def read_scope(members: Mapping[str, Any]) -> ReportScope:
    """Read them; zeros if they are missing."""
    return ReportScope(members.get("rows", 0), members.get("identifiers", 0), members.get("not_in_file", 0))
