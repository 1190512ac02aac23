"""The scope of a report's counts: the identifiers in the rows, those missing from a snapshot, and grants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ginuri.registration.verdicts import Outcome, Verdict


@dataclass(slots=True)
class ReportScope:
    """The number of rows and identifiers of a file."""

    rows: int = 0
    identifiers: int = 0
    """The number of identifiers in the rows; each unreadable one counts separately."""
    absent: int = 0
    """The number of identifiers missing from a snapshot."""
    grants: Counter[str] = field(default_factory=Counter)
    """The number of grants by verdict, which the counts of the report include."""
    _last: str | None = None

    def add(self, verdict: Verdict, new_rows: int) -> None:
        """Add a verdict in file order, and the number of its lines without an earlier verdict."""
        if verdict.outcome is Outcome.WARNED:  # on a heading, or on the whole upload
            return
        self.rows += new_rows
        if verdict.grantee is not None:
            self.grants[str(verdict.outcome)] += 1
        is_another = verdict.identifier is None or verdict.identifier != self._last
        self._last = verdict.identifier  # the rules of a prefix follow each other
        if verdict.lines:
            self.identifiers += is_another and bool(new_rows or verdict.identifier)
        elif verdict.identifier is not None:
            self.absent += is_another


def scope_members(scope: ReportScope) -> dict[str, Any]:
    """Return the scope as members of a report and of its summary."""
    members = {"rows": scope.rows, "identifiers": scope.identifiers, "not_in_file": scope.absent}
    return {**members, **({"grants": dict(scope.grants)} if scope.grants else {})}


def read_scope(members: Mapping[str, Any]) -> ReportScope:
    """Read the scope from these members; zeros if they are missing."""
    return ReportScope(
        members.get("rows", 0),
        members.get("identifiers", 0),
        members.get("not_in_file", 0),
        Counter(members.get("grants", {})),
    )
