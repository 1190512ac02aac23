"""The parts of a registration that have verdicts of their own: each rule, and the other fields together.

The accepted parts are written at once, as they are in one record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ginuri.registration.judging_context import JudgingContext
from ginuri.registration.rows import Registration, about_rule
from ginuri.registration.validation import judge, judge_stated_rules
from ginuri.registration.verdicts import Finding, Level, Outcome, Verdict, is_refused, outcome_of, refuse
from ginuri.registry.record.differences import Difference, differ
from ginuri.registry.record.record import DELEGATION, FIRST, RULES, Change, Path, Record, Value, is_first


@dataclass(frozen=True, slots=True)
class RegistrationPart:
    """One rule of a prefix, or the fields of the record besides its rules."""

    rule: str | None
    """The pattern of the rule; None for the other fields."""
    rules: Collection[str]
    """The patterns of all rules of the registration."""
    statements: Mapping[Path, Value]
    lines: Sequence[int]
    findings: Sequence[Finding] = ()

    @property
    def is_refused(self) -> bool:
        """Whether a finding refuses this part."""
        return is_refused(self.findings)

    def covers(self, path: Path) -> bool:
        """Tell whether a path belongs to this part."""
        rule = path[1] if path[0] == RULES[0] and path[1] in self.rules else None
        return rule == self.rule

    def with_findings(self, findings: Iterable[Finding]) -> RegistrationPart:
        """Return the part with further findings."""
        return replace(self, findings=(*self.findings, *findings))

    def without_refusals(self) -> RegistrationPart:
        """Return the part without the findings that refuse it."""
        return replace(
            self, findings=[finding for finding in self.findings if finding.level is not Level.REFUSED]
        )


def parts_of(registration: Registration) -> list[RegistrationPart]:
    """Split a registration into its parts; the fields besides the rules come first."""
    rules = registration.rules
    statements_by_rule: dict[str | None, dict[Path, Value]] = {}
    for path, value in registration.statements.items():
        rule = path[1] if path[0] == RULES[0] and path[1] in rules else None
        statements_by_rule.setdefault(rule, {})[path] = value
    parts = [
        RegistrationPart(
            pattern, rules.keys(), statements_by_rule.get(pattern, {}), rule.lines, rule.findings
        )
        for pattern, rule in rules.items()
    ]
    if registration.lines or not rules:
        main = RegistrationPart(
            None, rules.keys(), statements_by_rule.get(None, {}), registration.lines, registration.findings
        )
        parts.insert(0, main)
    return parts


def judge_parts(registration: Registration, context: JudgingContext) -> list[RegistrationPart]:
    """Split a registration into its parts, with the findings on each."""
    parts = parts_of(registration)
    main = [_judge_main_part(part, registration, context) for part in parts if part.rule is None]
    if not registration.rules:
        return main
    is_stated = any(
        path[0] != DELEGATION[0] for part in main if not part.is_refused for path in part.statements
    )
    prefix = registration.identifier.normal_form
    findings_by_rule = judge_stated_rules(registration, context, is_stated_itself=is_stated)
    rules = [
        part.with_findings(about_rule(prefix, part.rule, findings_by_rule[part.rule]))
        for part in parts
        if part.rule is not None
    ]
    return [*main, *rules]


def _judge_main_part(
    part: RegistrationPart, registration: Registration, context: JudgingContext
) -> RegistrationPart:
    own = replace(registration, statements=part.statements, findings=(), rules={})
    return part.with_findings(judge(own, context))


def as_before(part: RegistrationPart, applied: Collection[Path], before: Record) -> RegistrationPart:
    """Repeat the verdict on a part that an earlier delivery judged, from the paths it applied."""
    if any(part.covers(path) for path in applied if path != (FIRST,)):
        return part.without_refusals()
    is_in_force = all(
        before.get(*path) == value for path, value in part.statements.items() if not is_first(path)
    )
    if part.is_refused or is_in_force:
        return part
    finding = refuse(
        "",
        "delivered before",
        "",
        "This could not be registered when the upload was first processed. Upload it again.",
    )
    return part.with_findings([finding])


def verdicts_of(change: Change, before: Record, parts: Iterable[RegistrationPart]) -> Iterator[Verdict]:
    """Derive the verdict on each part; `before` is the record before the first delivery."""
    name = change.after.identifier
    for part in parts:
        if part.is_refused:
            yield Verdict(Outcome.REFUSED, part.lines, name, part.findings)
            continue
        before_part, after_part = _restrict(before, part), _restrict(change.after, part)
        outcome = outcome_of(replace(change, before=before_part, after=after_part))
        if part.rule is not None and all(map(is_first, before_part.in_force())):
            outcome = Outcome.REGISTERED
        difference = differ(before_part, after_part) if outcome is Outcome.CHANGED else Difference()
        yield Verdict(outcome, part.lines, name, part.findings, difference)


def _restrict(record: Record, part: RegistrationPart) -> Record:
    if not part.rules:
        return record
    kept = {path: entry for path, entry in record.entries.items() if path == (FIRST,) or part.covers(path)}
    return replace(record, entries=kept)
