"""The judgement of one registration: its parts are judged, and the accepted ones applied to its record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from ginuri.identifiers.roots import ancestors_of
from ginuri.registration.conditions import ConditionJudge
from ginuri.registration.context_reader import ContextReader
from ginuri.registration.parts import RegistrationPart, as_before, judge_parts, verdicts_of
from ginuri.registration.redirects.circles import CircleFinder
from ginuri.registration.redirects.successors import judge_successor
from ginuri.registration.rows import Origin, Registration, about_rule
from ginuri.registration.rule_neighbours import RuleNeighbours
from ginuri.registration.validation import as_registered, ignored_fields, with_captures, with_kind_of_concept
from ginuri.registration.verdicts import Finding, Outcome, Verdict
from ginuri.registry.ports import MOST_FETCHED, Registry
from ginuri.registry.record.differences import without
from ginuri.registry.record.history import apply_with_history
from ginuri.registry.record.record import Change, Record
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import Key

MOST_TRIES = 8
"""The most tries to write before other writers."""
ExcessFinder = Callable[[Change], Finding | None]
"""Returns a finding if a change makes a record too large."""
Observer = Callable[[Change, Registration], None]
"""Receives each change that was applied, now or by an earlier delivery, with its registration."""


class Judgement:
    """Judges registrations by the records around them, and applies what it accepts.

    `records` are those that are known by name, with the revisions that a write must find; more are added.
    """

    def __init__(  # noqa: PLR0913, PLR0917  the upload and the collaborators
        self,
        registry: Registry,
        origin: Origin,
        reader: ContextReader,
        circles: CircleFinder,
        neighbours: RuleNeighbours,
        conditions: ConditionJudge,
    ) -> None:
        self._registry = registry
        self._origin = origin
        self._reader = reader
        self._circles = circles
        self._neighbours = neighbours
        self._conditions = conditions
        self.passed: dict[str, None] = {}
        """The prefixes whose rules redirects in this registry passed."""

    def fit(self, stated: Registration, records: dict[str, Record]) -> Registration:
        """Fit a registration to what is registered."""
        stored = records.get(stated.record_name)
        before = stated.as_stated(stored) if stored is not None else None
        fitted = with_captures(as_registered(stated, before), before)
        return with_kind_of_concept(fitted, before) if self._origin.has_recent_rules else fitted

    def judge(
        self, registration: Registration, records: dict[str, Record], stamp: Stamp
    ) -> list[RegistrationPart]:
        """Split a registration into its parts, with the findings on each. Raises RegistryUnavailable."""
        surrounding = self._neighbours.find(registration, records)
        parts = judge_parts(registration, self._reader.context(registration, records, surrounding))
        if failed := self._conditions.judge(registration, records):
            parts = [part.with_findings(failed) for part in parts]
        stored = records.get(registration.record_name)
        if stored is None or not (registration.rules or any(part.is_refused for part in parts)):
            return parts
        applied = self._applied_before(registration, stored, stamp)
        before = registration.as_stated(stored)
        return [as_before(part, applied, before) for part in parts] if applied else parts

    def apply(
        self,
        registration: Registration,
        before: Record | None,
        parts: list[RegistrationPart],
        stamp: Stamp,
        find_excess: ExcessFinder,
    ) -> tuple[Change | None, list[RegistrationPart]]:
        """Apply the accepted parts, except those that make the record too large; None if no part is left."""
        name = registration.record_name
        record, read_history = before or Record(name, {}), partial(self._registry.history, name)

        def applied(accepted: Iterable[RegistrationPart]) -> Change:
            statements = {key: value for part in accepted for key, value in part.statements.items()}
            cleared = ignored_fields(registration, self._origin.correction)
            stored = registration.as_stored({**cleared, **statements})
            return apply_with_history(record, stored, stamp, read_history)

        accepted = [part for part in parts if not part.is_refused]
        change = applied(accepted) if accepted else None
        if change is None or not find_excess(change):
            return change, parts
        kept: list[RegistrationPart] = []
        for number, part in enumerate(parts):
            # What is only stated again stays as it is: there may be no room for its new stamps.
            if part.is_refused or _restates(applied([part])):
                continue
            if size := find_excess(applied([*kept, part])):
                parts[number] = part.with_findings([size])
            else:
                kept.append(part)
        if kept:
            return applied(kept), parts
        is_refused = all(part.is_refused for part in parts)
        return None if is_refused else Change(record, record, {}, stamp), parts

    def without_circles(
        self,
        registration: Registration,
        change: Change,
        parts: list[RegistrationPart],
        records: dict[str, Record],
        find_excess: ExcessFinder,
    ) -> tuple[Change | None, list[RegistrationPart]]:
        """Refuse the parts that close a loop; if there are any, apply the others again."""
        judged = self._judge_circles(registration, change, parts, records)
        if [part.is_refused for part in judged] == [part.is_refused for part in parts]:
            return change, judged
        return self.apply(registration, change.before, judged, change.stamp, find_excess)

    def verdicts(
        self, registration: Registration, change: Change, parts: Sequence[RegistrationPart]
    ) -> Sequence[Verdict]:
        """Derive the verdict on each part; the same ones if it was applied before."""
        before = change.before
        if not change.touches:  # delivered again after a crash: the verdicts must be the same
            before = without(before, self._registry.displaced(before.identifier, change.stamp), change.stamp)
        stated = replace(
            change,
            before=registration.as_stated(change.before),
            after=registration.as_stated(change.after),
            displaced=registration.entries_as_stated(change.displaced),
        )
        verdicts = verdicts_of(stated, registration.as_stated(before), parts)
        about, grantee = registration.record_name, registration.grantee
        return [replace(verdict, record_name=about, grantee=grantee) for verdict in verdicts]

    def _judge_circles(
        self,
        registration: Registration,
        change: Change,
        parts: Sequence[RegistrationPart],
        records: dict[str, Record],
    ) -> list[RegistrationPart]:
        """Find the parts that redirect within this registry, and refuse those that close a loop."""
        findings_by_rule = self._circles.judge(change.after, registration)
        while registration.rules and self._read_passed(records):
            # Again, now that a write would notice a change of the rules that were passed.
            findings_by_rule = self._circles.judge(change.after, registration)
        if self._origin.has_recent_rules:
            findings_by_rule[None] = [
                *findings_by_rule.get(None, ()),
                *judge_successor(change, self._registry),
            ]
        prefix, applied = registration.identifier.normal_form, frozenset[Key]()
        judged = [
            part if part.is_refused else _add_findings(part, findings_by_rule.get(part.rule, ()), prefix)
            for part in parts
        ]
        if any(part.is_refused for part in judged) and change.before.revision:
            applied = self._applied_before(registration, change.before, change.stamp)
        if not applied:
            return judged
        before = registration.as_stated(change.before)
        return [
            part if part.is_refused else as_before(after, applied, before)
            for part, after in zip(parts, judged, strict=True)
        ]

    def _read_passed(self, records: dict[str, Record]) -> bool:
        """Read the prefixes of the names that redirects passed; return whether there are new ones."""
        passed = dict.fromkeys(name for each in self._circles.passed for name in ancestors_of(each))
        unread = [name for name in passed if name not in self.passed]
        for start in range(0, len(unread), MOST_FETCHED):
            records |= self._registry.read(unread[start : start + MOST_FETCHED])
        self.passed |= dict.fromkeys(unread)
        return bool(unread)

    def _applied_before(self, registration: Registration, stored: Record, stamp: Stamp) -> frozenset[Key]:
        """Return the keys that an earlier delivery applied, even if refused now or displaced since."""
        if stored.latest < stamp:
            return frozenset()
        statements = self._registry.history(stored.identifier).statements
        entries = {each.key: stored.entries[each.key] for each in statements if each.stamp == stamp}
        return frozenset(registration.entries_as_stated(entries))


def refusals(registration: Registration, parts: Iterable[RegistrationPart]) -> list[Verdict]:
    """Return the verdicts on the parts of a registration that is refused as a whole."""
    name, grantee = registration.identifier.normal_form, registration.grantee
    return [
        Verdict(Outcome.REFUSED, part.lines, name, part.findings, rule=part.rule, grantee=grantee)
        for part in parts
    ]


def _add_findings(piece: RegistrationPart, findings: Iterable[Finding], prefix: str) -> RegistrationPart:
    return piece.with_findings(findings if piece.rule is None else about_rule(prefix, piece.rule, findings))


def _restates(change: Change) -> bool:
    """Return whether a change leaves every value as it is."""
    return not change.displaced and change.after.values() == change.before.values()
