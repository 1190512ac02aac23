"""What has a verdict of its own in a registration: each rule of a prefix, and all that is stated beside them.

All that may stand of it is written at once, in the one record that it is about.
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
    """One rule of a prefix, or all that is stated beside the rules."""

    rule: str | None
    """The pattern; None for what is stated beside the rules."""
    rules: Collection[str]
    """The patterns of all rules that are judged by themselves."""
    statements: Mapping[Path, Value]
    lines: Sequence[int]
    findings: Sequence[Finding] = ()

    @property
    def is_refused(self) -> bool:
        """Whether it may not be registered."""
        return is_refused(self.findings)

    def has(self, path: Path) -> bool:
        """Tell whether what stands at a path is its own."""
        rule = path[1] if path[0] == RULES[0] and path[1] in self.rules else None
        return rule == self.rule

    def found(self, findings: Iterable[Finding]) -> RegistrationPart:
        """Give it with more that was found."""
        return replace(self, findings=(*self.findings, *findings))

    def excused(self) -> RegistrationPart:
        """Give it without what spoke against it."""
        return replace(self, findings=[each for each in self.findings if each.level is not Level.REFUSED])


def parts_of(registration: Registration) -> list[RegistrationPart]:
    """Take a registration apart: what is stated beside the rules comes first."""
    rules = registration.rules
    stated: dict[str | None, dict[Path, Value]] = {}
    for path, value in registration.statements.items():
        rule = path[1] if path[0] == RULES[0] and path[1] in rules else None
        stated.setdefault(rule, {})[path] = value
    pieces = [
        RegistrationPart(pattern, rules.keys(), stated.get(pattern, {}), rule.lines, rule.findings)
        for pattern, rule in rules.items()
    ]
    if registration.lines or not rules:
        own = RegistrationPart(
            None, rules.keys(), stated.get(None, {}), registration.lines, registration.findings
        )
        pieces.insert(0, own)
    return pieces


def judge_parts(registration: Registration, around: JudgingContext) -> list[RegistrationPart]:
    """Find everything there is to say about each piece of a registration."""
    pieces = parts_of(registration)
    own = [_judge_own(each, registration, around) for each in pieces if each.rule is None]
    if not registration.rules:
        return own
    is_stated = any(
        path[0] != DELEGATION[0] for each in own if not each.is_refused for path in each.statements
    )
    prefix = registration.identifier.normal_form
    found = judge_stated_rules(registration, around, is_stated_itself=is_stated)
    rules = [
        each.found(about_rule(prefix, each.rule, found[each.rule]))
        for each in pieces
        if each.rule is not None
    ]
    return [*own, *rules]


def _judge_own(
    piece: RegistrationPart, registration: Registration, around: JudgingContext
) -> RegistrationPart:
    own = replace(registration, statements=piece.statements, findings=(), rules={})
    return piece.found(judge(own, around))


def as_before(piece: RegistrationPart, applied: Collection[Path], before: Record) -> RegistrationPart:
    """Judge a piece of a registration that was taken in before as it was then, by what of it was applied."""
    if any(piece.has(path) for path in applied if path != (FIRST,)):
        return piece.excused()
    stands = all(before.get(*path) == value for path, value in piece.statements.items() if not is_first(path))
    if piece.is_refused or stands:
        return piece
    finding = refuse(
        "",
        "delivered before",
        "",
        "This could not be registered when the upload was first processed. Upload it again.",
    )
    return piece.found([finding])


def verdicts_of(change: Change, before: Record, pieces: Iterable[RegistrationPart]) -> Iterator[Verdict]:
    """Tell what became of each piece; `before` is the record as it was before the first delivery."""
    name = change.after.identifier
    for piece in pieces:
        if piece.is_refused:
            yield Verdict(Outcome.REFUSED, piece.lines, name, piece.findings)
            continue
        stood, stands = _part(before, piece), _part(change.after, piece)
        outcome = outcome_of(replace(change, before=stood, after=stands))
        if piece.rule is not None and all(map(is_first, stood.in_force())):
            outcome = Outcome.REGISTERED
        difference = differ(stood, stands) if outcome is Outcome.CHANGED else Difference()
        yield Verdict(outcome, piece.lines, name, piece.findings, difference)


def _part(record: Record, piece: RegistrationPart) -> Record:
    if not piece.rules:
        return record
    kept = {path: it for path, it in record.entries.items() if path == (FIRST,) or piece.has(path)}
    return replace(record, entries=kept)
