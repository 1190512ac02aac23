"""The parts of a registration with separate verdicts: each rule, and the other fields together.

The accepted parts are written together, as they are in one record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ginuri.registration.checks.grants import judge_grant
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.checks.rights import judge_rights
from ginuri.registration.rows import Registration, StatedRule, about_rule
from ginuri.registration.validation import judge, judge_stated_rules
from ginuri.registration.verdicts import Finding, Level, Outcome, Verdict, is_refused, outcome_of, refuse
from ginuri.registry.record.differences import Difference, differ
from ginuri.registry.record.record import Change, Record
from ginuri.registry.record.statements import OF_DELEGATION, OF_GRANTS, RECORD_FIRST, Key, Statements


@dataclass(frozen=True, slots=True)
class RegistrationPart:
    """One rule of a prefix, or the fields of the record besides its rules."""

    rule: str | None
    """The pattern of the rule; None for the other fields."""
    rules: Collection[str]
    """The patterns of all rules of the registration."""
    statements: Statements
    lines: Sequence[int]
    findings: Sequence[Finding] = ()

    @property
    def is_refused(self) -> bool:
        """Whether a finding refuses this part."""
        return is_refused(self.findings)

    @property
    def is_grant(self) -> bool:
        """Whether it is a grant."""
        return any(key.place == OF_GRANTS for key in self.statements)

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
    stated: list[tuple[str | None, StatedRule]] = [*rules.items()]
    if registration.lines or not rules:
        stated.insert(0, (None, StatedRule(registration.lines, registration.findings)))
    statements = {pattern: Statements() for pattern in (None, *rules)}
    for key, value in registration.statements.items():
        statements[_rule_of(key, rules)][key] = value
    return [
        RegistrationPart(pattern, rules.keys(), statements[pattern], part.lines, part.findings)
        for pattern, part in stated
    ]


def _rule_of(key: Key, rules: Collection[str | None]) -> str | None:
    return key.place.pattern if key.place.pattern in rules else None


def judge_parts(registration: Registration, context: JudgingContext) -> list[RegistrationPart]:
    """Split a registration into its parts, with the findings on each."""
    parts = parts_of(registration)
    if registration.grantee is not None:
        return [part.with_findings(judge_grant(registration, context)) for part in parts]
    main = [
        part.with_findings(judge_rights(registration, part.statements, context)).with_findings(
            judge(replace(registration, statements=part.statements, findings=()), context)
        )
        for part in parts
        if part.rule is None
    ]
    if not registration.rules:
        return main
    is_stated = context.is_stated_itself or any(
        key.place != OF_DELEGATION for part in main if not part.is_refused for key in part.statements
    )
    prefix = registration.identifier.normal_form
    findings_by_rule = judge_stated_rules(registration, context, is_stated_itself=is_stated)
    rules = [
        part.with_findings(
            about_rule(
                prefix,
                part.rule,
                [*judge_rights(registration, part.statements, context), *findings_by_rule[part.rule]],
            )
        )
        for part in parts
        if part.rule is not None
    ]
    return [*main, *rules]


def as_before(part: RegistrationPart, applied: Collection[Key], before: Record) -> RegistrationPart:
    """Repeat the verdict on a part that an earlier delivery judged, from the fields it applied."""
    if any(_rule_of(key, part.rules) == part.rule for key in applied if key != RECORD_FIRST):
        return part.without_refusals()
    get = before.in_force().get
    is_in_force = all(get(key) == value for key, value in part.statements.items() if not key.is_first)
    if part.is_refused or is_in_force:
        return part
    return part.with_findings(
        [
            refuse(
                "",
                "delivered before",
                "",
                "This could not be registered when the upload was first processed. Upload it again.",
            )
        ]
    )


def verdicts_of(change: Change, before: Record, parts: Sequence[RegistrationPart]) -> Iterator[Verdict]:
    """Derive the verdict on each part; `before` is the record before the first delivery."""
    name, rules = change.after.identifier, {part.rule for part in parts} - {None}
    before_parts, after_parts = _divide(before, rules), _divide(change.after, rules)
    for part in parts:
        if part.is_refused:
            yield Verdict(Outcome.REFUSED, part.lines, name, part.findings, rule=part.rule)
            continue
        before_part, after_part = before_parts[part.rule], after_parts[part.rule]
        outcome = outcome_of(replace(change, before=before_part, after=after_part))
        is_one_of_several = part.rule is not None or part.is_grant
        if is_one_of_several and all(key.is_first for key in before_part.in_force()):
            # A new rule or grant in a record with others; the end of a grant that nobody has changes nothing.
            is_ended = part.is_grant and all(key.is_first for key in after_part.in_force())
            outcome = Outcome.UNCHANGED if is_ended else Outcome.REGISTERED
        difference = differ(before_part, after_part) if outcome is Outcome.CHANGED else Difference()
        yield Verdict(outcome, part.lines, name, part.findings, difference, rule=part.rule)


def _divide(record: Record, rules: Collection[str | None]) -> Mapping[str | None, Record]:
    """Divide a record into its rules and the other fields; each has the stamp of the first registration."""
    if not rules:
        return {None: record}
    first = {key: entry for key, entry in record.entries.items() if key == RECORD_FIRST}
    entries = {rule: dict(first) for rule in (None, *rules)}
    for key, entry in record.entries.items():
        entries[_rule_of(key, rules)][key] = entry
    return {rule: replace(record, entries=part) for rule, part in entries.items()}
