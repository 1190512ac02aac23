"""Rows of a file → registrations: rows of one identifier belong together wherever they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ginuri.identifiers import Identifier
from ginuri.identifiers.messages import message
from ginuri.registration.verdicts import Finding, Outcome, Verdict, is_refused, refuse, shown
from ginuri.registry.model import RecordType
from ginuri.registry.record.record import DELEGATION, REPRESENTATIONS, RULES, Path, Value, is_first

_RANKS = {str(kind): rank for rank, kind in enumerate(RecordType)}
RESOURCES = _RANKS[RecordType.RESOURCE]
"""The rank of what nothing else is judged by."""
MOST_QUOTED = 10
"""How many lines are quoted of those that contradict each other."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one line of a file states; None for an identifier that could not be read."""

    line: int
    identifier: Identifier | None
    statements: Mapping[Path, Value] = field(default_factory=dict)
    findings: Sequence[Finding] = ()
    rule: str | None = None
    """The pattern of the rule that it is about, also where it cannot be read; None where it is about none."""


@dataclass(frozen=True, slots=True)
class StatedRule:
    """One rule of a prefix as an upload states it: it has a verdict of its own."""

    lines: Sequence[int]
    findings: Sequence[Finding] = ()


@dataclass(frozen=True, slots=True)
class Registration:
    """What a steward hands in about one identifier; it is written at once, and each rule judged by itself."""

    identifier: Identifier
    statements: Mapping[Path, Value]
    """All of them, those of its rules included."""
    lines: Sequence[int]
    """Those of what it states beside its rules."""
    findings: Sequence[Finding] = ()
    rules: Mapping[str, StatedRule] = field(default_factory=dict)
    """The rules it states, by pattern, in the order of the file."""

    @property
    def first_line(self) -> int:
        """The first line of all; 0 where no line states it."""
        of_rules = (line for rule in self.rules.values() for line in rule.lines)
        return min((*self.lines, *of_rules), default=0)


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

    Gives a verdict at once for rows without an identifier, and for rows that contradict each other: about one
    rule of a prefix, or about anything else of one identifier.
    """
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row.identifier is not None:
            groups.setdefault(row.identifier.normal_form, []).append(row)
        elif row.findings:
            outcome = Outcome.REFUSED if is_refused(row.findings) else Outcome.WARNED
            yield Verdict(outcome, (row.line,), None, row.findings)
    for group in groups.values():
        yield from _registration(group)


def _registration(rows: Sequence[Row]) -> Iterator[Registration | Verdict]:
    identifier = rows[0].identifier
    if identifier is None:
        raise AssertionError("rows are grouped by identifier")
    pieces: dict[str | None, list[Row]] = {}
    for row in rows:
        pieces.setdefault(row.rule, []).append(row)
    stated: dict[str | None, StatedRule] = {}
    for pattern, same in pieces.items():
        findings = [finding for row in same for finding in row.findings] + list(_contradictions(same))
        if pattern is not None:
            findings = about_rule(identifier.normal_form, pattern, findings)
        lines = tuple(row.line for row in same)
        if is_refused(findings):
            yield Verdict(Outcome.REFUSED, lines, identifier.normal_form, findings)
        else:
            stated[pattern] = StatedRule(lines, findings)
    if not stated:
        return
    statements: dict[Path, Value] = {}
    for row in rows:
        if row.rule in stated:
            statements |= {path: value for path, value in row.statements.items() if path not in statements}
    own = stated.pop(None, StatedRule(()))
    rules = {pattern: rule for pattern, rule in stated.items() if pattern is not None}
    yield Registration(identifier, _in_order(statements), own.lines, own.findings, rules)


def about_rule(prefix: str, pattern: str, findings: Iterable[Finding]) -> list[Finding]:
    """Have each finding name the rule that it is about."""
    name = f"{prefix}{pattern or '…'}"
    return [
        finding
        if name in str(finding.message)
        else replace(finding, message=message("Rule {rule}: {finding}", rule=name, finding=finding.message))
        for finding in findings
    ]


def _contradictions(rows: Sequence[Row]) -> Iterator[Finding]:
    stated: dict[Path, list[tuple[int, Value]]] = {}
    for row in rows:
        for path, value in row.statements.items():
            if not is_first(path):
                stated.setdefault(path, []).append((row.line, value))
    for path, statements in stated.items():
        if any(value != statements[0][1] for _, value in statements):
            quoted = [f"{shown(value)!r} ({line})" for line, value in statements[:MOST_QUOTED]]
            yield refuse(
                ".".join(step for step in path[_depth(path) :] if step),
                "one value",
                statements[-1][1],
                "The rows of this identifier disagree; values by line: {values}. State one value, or give "
                "each row an identifier of its own.",
                values=", ".join([*quoted, *(["…"] if len(statements) > MOST_QUOTED else [])]),
            )


def _depth(path: Path) -> int:
    # Whose part or media type it is, the lines themselves tell.
    place = {RULES[0]: 2, DELEGATION[0]: 1}.get(path[0], 0)
    return place + 2 if path[place] == REPRESENTATIONS[0] else place


def _in_order(statements: dict[Path, Value]) -> dict[Path, Value]:
    ordinals = (path for path in statements if is_first(path))
    return statements | {path: ordinal for ordinal, path in enumerate(ordinals)}
