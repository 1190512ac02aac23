"""Combines the rows of a file into registrations: one for each identifier, with rows anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ginuri.identifiers import Identifier
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registration.authorization import Scope
from ginuri.registration.checks.answer_tests import refuse_contradiction
from ginuri.registration.verdicts import Finding, Outcome, Verdict, at, is_refused, refuse, shown
from ginuri.registry.model import RecordType
from ginuri.registry.record.answer_tests import TESTS, find_contradiction, merge_tests, read_test
from ginuri.registry.record.grant_records import record_of_grants
from ginuri.registry.record.record import Entries, FieldEntry, Record
from ginuri.registry.record.rule_records import entries_of, put_under
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import (
    OF_DELEGATION,
    OF_GRANTS,
    OF_RECORD,
    RECORD_FIRST,
    JsonValue,
    Key,
    Statements,
)
from ginuri.registry.rules.beginnings import beginning_of, record_of_beginning

_RANKS = {str(kind): rank for rank, kind in enumerate(RecordType)}
RESOURCES = _RANKS[RecordType.RESOURCE]
"""The rank of resources, on which no other check depends."""
RECENT_RULES_SINCE = "2026-11-23"
"""The day from which uploads are refused by the rules of `Origin.has_recent_rules`.

Uploads put before it may be delivered again, or replayed, and must not be refused by newer rules.
"""
DOUBTS_SINCE = "2026-11-27"
"""The day from which rows are doubted (`registration.validation`)."""
MOST_QUOTED = 10
"""The most contradicting lines in a finding."""


@dataclass(frozen=True, slots=True)
class Row:
    """The statements of one line of a file; its identifier is None if unreadable."""

    line: int
    identifier: Identifier | None
    statements: Statements = field(default_factory=Statements)
    findings: Sequence[Finding] = ()
    rule: str | None = None
    """The pattern of the rule in the row, valid or not; None for no rule."""
    headings: Mapping[str, str] | None = None
    """The headings by field: all of a table's heading, but only the mapped members of a JSON object."""
    doubts: Sequence[Finding] = ()
    """The findings that count only if the identifier is new (`registration.validation`)."""
    grantee: str | None = None
    """The receiver of the grant in the row, valid or not; None for no grant."""

    @property
    def beginning(self) -> str:
        """The literal beginning by which its rule is stored; empty without one."""
        if self.rule is None or self.identifier is None or not self.identifier.is_terminated:
            return ""
        return beginning_of(self.identifier.normal_form, self.rule)

    @property
    def record_name(self) -> str | None:
        """The name of the record that it is about; None without an identifier."""
        if self.identifier is None:
            return None
        return _record_of(self.identifier, self.beginning, self.grantee)


@dataclass(frozen=True, slots=True)
class StatedRule:
    """One rule of a prefix as an upload states it, with its own verdict."""

    lines: Sequence[int]
    findings: Sequence[Finding] = ()


@dataclass(frozen=True, slots=True)
class Registration:
    """The statements of an upload about one identifier, written together; rules are judged separately."""

    identifier: Identifier
    statements: Statements
    """All statements, including those of the rules."""
    lines: Sequence[int]
    """The lines with statements besides rules."""
    findings: Sequence[Finding] = ()
    rules: Mapping[str, StatedRule] = field(default_factory=dict)
    """The stated rules by pattern, in the order of the file."""
    beginning: str = ""
    """The literal beginning by which its rules are stored; empty for the record of the prefix."""
    doubts: Sequence[Finding] = ()
    """The findings that count only if the identifier is new."""
    grantee: str | None = None
    """The receiver of a grant on the identifier; None for all other registrations."""

    @property
    def record_name(self) -> str:
        """The name of the record that it is stored in."""
        return _record_of(self.identifier, self.beginning, self.grantee)

    def as_stored(self, statements: Mapping[Key, JsonValue]) -> Statements:
        """Return some of its statements as its record has them."""
        if not self.beginning:
            return Statements(statements)
        return put_under(self.identifier.normal_form, statements)

    def as_stated(self, stored: Record) -> Record:
        """Return the part of its record that is about its identifier, with the keys of its statements."""
        if not self.is_apart:
            return stored
        return replace(
            stored, identifier=self.identifier.normal_form, entries=self.entries_as_stated(stored.entries)
        )

    def entries_as_stated(self, stored: Entries) -> Entries:
        """Return those of the entries of its record that are about its identifier."""
        if self.grantee is not None:
            own = Key(OF_GRANTS, None, self.grantee)
            return {key: entry for key, entry in stored.items() if key in {RECORD_FIRST, own}}
        return entries_of(stored, self.identifier.normal_form) if self.beginning else stored

    @property
    def is_apart(self) -> bool:
        """Whether it is stored in another record than its identifier's."""
        return bool(self.beginning) or self.grantee is not None

    @property
    def first_line(self) -> int:
        """The first of all its lines; 0 without any."""
        of_rules = (line for rule in self.rules.values() for line in rule.lines)
        return min((*self.lines, *of_rules), default=0)


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions under which each registration of an upload is written."""

    if_match: str = ""
    """The entity tags one of which the record has, or `*` for any record (RFC 9110 §13.1.1)."""
    if_none_match: str = ""
    """`*`: nothing is registered under this name (RFC 9110 §13.1.2)."""
    is_only_new: bool = False
    """Whether nothing may answer for this name, nor for another spelling of it."""

    @property
    def are_any(self) -> bool:
        """Whether there is a condition."""
        return bool(self.if_match or self.if_none_match or self.is_only_new)


@dataclass(frozen=True, slots=True)
class Origin:
    """The upload that registrations come from."""

    put: str
    key: str
    version: str
    correction: str = ""
    """The reason to change immutable fields (`checks.immutability`); empty if the upload may not."""
    is_offline: bool = False
    """Whether registered records are unknown: those that the upload depends on are assumed to exist."""
    scope: Scope | None = None
    """The rights of the upload; None for one without a token, which may do all that its folder may."""
    conditions: Conditions = Conditions()

    @property
    def folder(self) -> str:
        """The folder of the upload, and of the stored files that it names."""
        return self.key[: self.key.rfind("/") + 1]

    @property
    def prefix(self) -> str:
        """The identifier prefix that the folder may register."""
        return folder_to_prefix(self.folder)

    @property
    def has_recent_rules(self) -> bool:
        """Whether texts must be plain, hosts of locations possible, and successors no circle."""
        return self.put >= RECENT_RULES_SINCE

    def states_field(self, entry: tuple[Key, FieldEntry]) -> bool:
        """Return whether an entry of a record is a statement of this upload about the record itself."""
        key, stated = entry
        is_own = (stated.stamp.upload, stated.stamp.version) == (self.key, self.version)
        return is_own and key.place == OF_RECORD and not key.is_first

    def stamp(self, registration: Registration) -> Stamp:
        """Return the stamp of a registration."""
        return Stamp(self.put, self.key, self.version, registration.first_line)

    def describe_source(self, stamp: Stamp) -> str:
        """Describe the source of a statement: a line of this upload, or another upload."""
        is_own = (stamp.put, stamp.upload, stamp.version) == (self.put, self.key, self.version)
        return f"line {stamp.line}" if is_own else stamp.source


def rank_of(statements: Statements) -> int:
    """Return the rank of a registration: records that other checks depend on are registered first.

    The rank of an identifier is the lowest one of its rows.
    """
    record_type = statements.text("record") or str(RecordType.RESOURCE)
    if record_type == RecordType.RESOURCE:
        places = {key.place for key in statements}
        if any(place.pattern is not None for place in places):
            return _RANKS[RecordType.RULE]
        if not statements.states("record") and OF_DELEGATION in places:
            return _RANKS[RecordType.DELEGATION]
        if OF_GRANTS in places:
            return _RANKS[RecordType.GRANT]
    return _RANKS[record_type]


def combine(rows: Iterable[Row]) -> Iterator[Registration | Verdict]:
    """Combine the rows of each identifier, in the order of their first rows.

    Those of rules are apart by their beginnings, those of grants by their receivers.

    Rows without an identifier have a verdict immediately, like rows that contradict each other about one rule
    of a prefix or about the other fields of one identifier.
    """
    groups: dict[tuple[str, str, str | None], list[Row]] = {}
    for row in rows:
        if row.identifier is not None:
            name = row.identifier.normal_form
            groups.setdefault((name, row.beginning, row.grantee), []).append(row)
        elif row.findings:
            outcome = Outcome.REFUSED if is_refused(row.findings) else Outcome.WARNED
            yield Verdict(outcome, (row.line,), None, row.findings)
    for group in groups.values():
        yield from _registration(group)


def _registration(rows: Sequence[Row]) -> Iterator[Registration | Verdict]:
    identifier, beginning, grantee = rows[0].identifier, rows[0].beginning, rows[0].grantee
    if identifier is None:
        raise AssertionError("rows are grouped by identifier")
    rows_by_rule: dict[str | None, list[Row]] = {}
    for row in rows:
        rows_by_rule.setdefault(row.rule, []).append(row)
    accepted: dict[str | None, StatedRule] = {}
    for pattern, rule_rows in rows_by_rule.items():
        findings = [finding for row in rule_rows for finding in row.findings] + list(
            _contradictions(rule_rows)
        )
        if pattern is not None:
            findings = about_rule(identifier.normal_form, pattern, findings)
        lines = tuple(row.line for row in rule_rows)
        if is_refused(findings):
            name, record_name = identifier.normal_form, rule_rows[0].record_name
            yield Verdict(
                Outcome.REFUSED,
                lines,
                name,
                findings,
                rule=pattern,
                record_name=record_name,
                grantee=grantee,
            )
        else:
            accepted[pattern] = StatedRule(lines, findings)
    if not accepted:
        return
    statements = Statements()
    for row in rows:
        if row.rule in accepted:
            for key, value in row.statements.items():
                statements[key] = _together(key, statements.get(key, value), value)
    statements |= {key: ordinal for ordinal, key in enumerate([key for key in statements if key.is_first])}
    main = accepted.pop(None, StatedRule(()))
    rules = {pattern: rule for pattern, rule in accepted.items() if pattern is not None}
    doubts = tuple(doubt for row in rows if row.rule is None for doubt in row.doubts)
    yield Registration(identifier, statements, main.lines, main.findings, rules, beginning, doubts, grantee)


def _record_of(identifier: Identifier, beginning: str, grantee: str | None) -> str:
    name = identifier.normal_form
    if grantee is not None:
        return record_of_grants(name)
    return record_of_beginning(name, beginning) if beginning else name


def retired_rules(registration: Registration) -> Iterator[tuple[str, str]]:
    """Yield the rules that a registration retires, each with its prefix before its pattern."""
    prefix = registration.identifier.normal_form
    for key, value in registration.statements.items():
        pattern = key.place.pattern
        if pattern is not None and key.form is None and key.field == "status" and value == "retired":
            yield prefix, pattern


def _together(key: Key, earlier: JsonValue, later: JsonValue) -> JsonValue:
    """Return the value of a field that several rows state: the first, or the tests of all of them."""
    if key.field == TESTS and isinstance(earlier, list) and isinstance(later, list):
        return merge_tests(earlier, later)
    return earlier


def about_rule(prefix: str, pattern: str, findings: Iterable[Finding]) -> list[Finding]:
    """Name the rule in each of its findings."""
    name = f"{prefix}{pattern or '…'}"
    return [
        finding
        if name in str(finding.message)
        else replace(finding, message=message("Rule {rule}: {finding}", rule=name, finding=finding.message))
        for finding in findings
    ]


def _contradictions(rows: Sequence[Row]) -> Iterator[Finding]:
    values_by_key: dict[Key, list[tuple[int, JsonValue]]] = {}
    for row in rows:
        for key, value in row.statements.items():
            if not key.is_first:
                values_by_key.setdefault(key, []).append((row.line, value))
    for key, values in values_by_key.items():
        if key.field == TESTS and len(values) > 1 and all(isinstance(value, list) for _, value in values):
            yield from _contradicting_tests(values)
            continue
        other = next(((line, value) for line, value in values if value != values[0][1]), None)
        if other is not None:
            quoted = [f"{shown(value)!r} ({line})" for line, value in values[:MOST_QUOTED]]
            # The field is enough: the quoted lines show which rule or representation it belongs to.
            finding = refuse(
                f"{key.field}.{key.member}" if key.member else key.field,
                "one value",
                other[1],
                "The rows of this identifier disagree; values by line: {values}. State one value, or give "
                "each row an identifier of its own.",
                values=", ".join([*quoted, *(["…"] if len(values) > MOST_QUOTED else [])]),
            )
            yield at(finding, other[0])


def _contradicting_tests(values: Sequence[tuple[int, JsonValue]]) -> Iterator[Finding]:
    lines = [
        (line, read_test(test))
        for line, tests in values
        for test in (tests if isinstance(tests, list) else ())
    ]
    if (test := find_contradiction(test for _, test in lines)) is not None:
        yield at(refuse_contradiction(TESTS, test), next(line for line, each in lines if each == test))
