"""Rows of a file → registrations: rows of one identifier belong together wherever they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ginuri.core.identifiers import Identifier
from ginuri.core.model import RecordType
from ginuri.core.record import DELEGATION, REPRESENTATIONS, RULES, Path, Value, is_first
from ginuri.core.verdicts import Finding, Level, Outcome, Verdict, refuse, shown

_RANKS = {str(kind): rank for rank, kind in enumerate(RecordType)}
RESOURCES = _RANKS[RecordType.RESOURCE]
"""The rank of what nothing else is judged by."""
MOST_SAID = 10
"""How many lines are quoted of those that contradict each other."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one line of a file states; None for an identifier that could not be read."""

    line: int
    identifier: Identifier | None
    statements: Mapping[Path, Value] = field(default_factory=dict)
    findings: Sequence[Finding] = ()


@dataclass(frozen=True, slots=True)
class Registration:
    """What a steward hands in about one identifier."""

    identifier: Identifier
    statements: Mapping[Path, Value]
    lines: Sequence[int]
    findings: Sequence[Finding] = ()
    rule_lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each rule it states, by pattern."""


def rank_of(statements: Mapping[Path, Value]) -> int:
    """Tell when a registration has its turn: what others are judged by comes before them.

    Of the rows of one identifier, one has the rank that all of them have together.
    """
    stated = statements.get(("record",)) or str(RecordType.RESOURCE)
    if stated == RecordType.RESOURCE:
        fields = {path[0] for path in statements}
        if RULES[0] in fields:
            return _RANKS[RecordType.RULE]
        if ("record",) not in statements and DELEGATION[0] in fields:
            return _RANKS[RecordType.DELEGATION]
    return _RANKS[stated]


def combine(rows: Iterable[Row]) -> Iterator[Registration | Verdict]:
    """Put the rows of each identifier together, in the order in which identifiers first appear.

    Gives a verdict at once for rows without an identifier, and for rows that contradict each other.
    """
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row.identifier is not None:
            groups.setdefault(row.identifier.normal_form, []).append(row)
        elif row.findings:
            refused = any(finding.level is Level.REFUSED for finding in row.findings)
            yield Verdict(Outcome.REFUSED if refused else Outcome.WARNED, (row.line,), None, row.findings)
    for group in groups.values():
        yield _registration(group)


def _registration(rows: Sequence[Row]) -> Registration | Verdict:
    identifier = rows[0].identifier
    if identifier is None:
        raise AssertionError("rows are grouped by identifier")
    lines = tuple(row.line for row in rows)
    findings = [finding for row in rows for finding in row.findings] + list(_contradictions(rows))
    if any(finding.level is Level.REFUSED for finding in findings):
        return Verdict(Outcome.REFUSED, lines, identifier.normal_form, findings)
    statements: dict[Path, Value] = {}
    for row in rows:
        statements |= {path: value for path, value in row.statements.items() if path not in statements}
    rule_lines = {
        path[1]: row.line for row in reversed(rows) for path in row.statements if path[0] == RULES[0]
    }
    return Registration(identifier, _in_order(statements), lines, findings, rule_lines)


def _contradictions(rows: Sequence[Row]) -> Iterator[Finding]:
    said: dict[Path, list[tuple[int, Value]]] = {}
    for row in rows:
        for path, value in row.statements.items():
            if not is_first(path):
                said.setdefault(path, []).append((row.line, value))
    for path, statements in said.items():
        if any(value != statements[0][1] for _, value in statements):
            sayings = "; ".join(
                f"line {line} says {shown(value)!r}" for line, value in statements[:MOST_SAID]
            )
            more = f"; and {len(statements) - MOST_SAID} more" if len(statements) > MOST_SAID else ""
            yield refuse(
                ".".join(step for step in path[_depth(path) :] if step),
                "one value",
                statements[-1][1],
                f"{sayings}{more}: rows of one identifier must agree; correct them, or name each apart",
            )


def _depth(path: Path) -> int:
    # Whose part or media type it is, the lines themselves tell.
    place = {RULES[0]: 2, DELEGATION[0]: 1}.get(path[0], 0)
    return place + 2 if path[place] == REPRESENTATIONS[0] else place


def _in_order(statements: dict[Path, Value]) -> dict[Path, Value]:
    ordinals = (path for path in statements if is_first(path))
    return statements | {path: ordinal for ordinal, path in enumerate(ordinals)}
