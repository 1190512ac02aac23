"""Checks that rules do not conflict: the winner of any two must be clear, and each must be able to win."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ginuri.identifiers import Identifier, read_identifier
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import printable_name
from ginuri.registration.checks.answer_tests import is_about_tests
from ginuri.registration.verdicts import Finding, is_refused, refuse, warn
from ginuri.registry.record.record import Record
from ginuri.registry.record.rule_records import place_in_rule_record
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import Statements, of_rule
from ginuri.registry.rules.beginnings import beginning_of, record_of_rule, signs_of
from ginuri.registry.rules.faults import expression_in
from ginuri.registry.rules.grammar import NO_EXPRESSION
from ginuri.registry.rules.patterns import Pattern
from ginuri.registry.rules.templates import expand, variables

_PAIRING = ("document", "document_of")
_LEADING = ("location", "identifier")
"""The fields of a representation with its target."""
MOST_RULES = 250
"""The most rules of one literal beginning."""


@dataclass(frozen=True, slots=True)
class SurroundingRules:
    """The rules that stated ones are compared with, and the lines of this upload that state some."""

    patterns: Mapping[str, Sequence[Pattern]] = field(default_factory=dict)
    """By prefix: that of the stated rules, those above and below it."""
    lines: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """By prefix and pattern."""
    records: Mapping[str, Record] = field(default_factory=dict)
    """The records of these rules, by name."""
    at_home: frozenset[tuple[str, str]] = frozenset()
    """The prefixes and patterns of the rules in the record of the stated ones."""
    is_crowded: bool = False
    """Whether the stated rules may meet too many others to be compared with them."""

    def name_rule(self, prefix: str, pattern: Pattern) -> Message:
        """Name a rule and its source: the line in this upload, or the upload that stated it."""
        rule = f"{prefix}{pattern.text or '…'}"
        if line := self.lines.get((prefix, pattern.text)):
            return message("the rule {rule} in line {line}", rule=rule, line=str(line))
        if stamp := self._stated_first(prefix, pattern.text):
            return message("the rule {rule} from {source}", rule=rule, source=stamp.source)
        return message("the rule {rule}", rule=rule)

    def _stated_first(self, prefix: str, pattern: str) -> Stamp | None:
        apart, own = self.records.get(record_of_rule(prefix, pattern)), self.records.get(prefix)
        stamp = apart.stated_first(place_in_rule_record(prefix, pattern)) if apart is not None else None
        return stamp or (own.stated_first(of_rule(pattern)) if own is not None else None)


def judge_rules(
    identifier: Identifier,
    rules: Mapping[str, Statements],
    neighbours: SurroundingRules,
    refused: Collection[str] = frozenset(),
) -> dict[str, list[Finding]]:
    """Find problems of each rule stated for a prefix, by pattern.

    A rule is judged by the rules around it, and by the accepted rules before it. Rules in `refused` are
    skipped.
    """
    prefix = identifier.normal_form
    if not identifier.is_terminated:
        finding = refuse(
            "identifier", "rule", prefix, "The identifier of a rule is a prefix; it must end in a slash."
        )
        return {text: [finding] for text in rules}
    stated = {text: rule for text, rule in rules.items() if text not in refused}
    retired = {text for text, rule in stated.items() if rule.value("status") == "retired"}
    in_force = {
        name: [pattern for pattern in patterns if name != prefix or pattern.text not in retired]
        for name, patterns in neighbours.patterns.items()
    }
    neighbours = replace(neighbours, patterns=in_force)
    before = {pattern.text: pattern for pattern in in_force.get(prefix, ())}
    at_home = set(neighbours.at_home) - {(prefix, text) for text in retired}
    findings: dict[str, list[Finding]] = {text: [] for text in rules}
    for text, rule in stated.items():
        if text in retired:
            continue
        if excess := _find_excess(prefix, text, at_home, is_crowded=neighbours.is_crowded):
            findings[text] = [excess]
            continue
        pattern = _stated_pattern(text, rule, before.get(text))
        findings[text] = list(_judge_rule(identifier, pattern, rule, before, neighbours))
        if not is_refused(findings[text]):
            before[text] = pattern
            at_home.add((prefix, text))
    return findings


def _find_excess(
    prefix: str, text: str, at_home: Collection[tuple[str, str]], *, is_crowded: bool
) -> Finding | None:
    """Refuse a rule beside too many others, or one that is about names of too many others."""
    if (prefix, text) not in at_home and len(at_home) >= MOST_RULES:
        return refuse(
            "pattern",
            "size",
            len(at_home) + 1,
            "At most {most} rules may begin with {beginning}. Begin some of the patterns with more literal "
            "text that ends in one of the characters {signs}.",
            most=MOST_RULES,
            beginning=f"{printable_name(prefix)}{beginning_of(prefix, text)}",
            signs=signs_of(prefix),
        )
    if is_crowded:
        return refuse(
            "pattern",
            "size",
            text,
            "This rule could match names of too many other rules to be compared with them. Begin its pattern "
            "with more literal text.",
        )
    return None


def _stated_pattern(text: str, rule: Statements, before: Pattern | None) -> Pattern:
    if rule.states("ignore_case") or before is None:
        return Pattern(text, bool(rule.value("ignore_case")))
    return before


def _judge_rule(
    identifier: Identifier,
    pattern: Pattern,
    rule: Statements,
    before: Mapping[str, Pattern],
    neighbours: SurroundingRules,
) -> Iterator[Finding]:
    from ginuri.registration.checks.rule_winners import PlacedPattern, judge_winners

    prefix = identifier.normal_form
    yield from _expression(pattern)
    yield from _answer(pattern, rule)
    yield from _pairs(identifier, pattern, rule)
    others = [PlacedPattern(prefix, other) for other in before.values()]
    others += [
        PlacedPattern(name, other)
        for name, patterns in neighbours.patterns.items()
        if name != prefix
        for other in patterns
    ]
    yield from judge_winners(PlacedPattern(prefix, pattern), others, neighbours.name_rule)


def _expression(pattern: Pattern) -> Iterator[Finding]:
    part = expression_in(pattern.text)
    if part is not None:
        yield warn(
            "pattern",
            "expression",
            pattern.text,
            '"{part}" only matches these characters. {advice}',
            part=part,
            advice=NO_EXPRESSION,
        )


def _answer(pattern: Pattern, rule: Statements) -> Iterator[Finding]:
    forms = rule.forms().values()
    if any(form.value("file") for form in forms):
        yield refuse(
            "file",
            "rule",
            pattern.text,
            "A rule redirects and has no files. Register the identifier of the file by itself.",
        )
    if any(form.states("part") for form in forms):
        yield refuse(
            "part",
            "rule",
            pattern.text,
            "A rule has no parts. Its pattern says which identifiers under the prefix it applies to.",
        )
    if any(form.value("valid_from") for form in forms):
        yield refuse(
            "valid_from",
            "rule",
            pattern.text,
            "A rule has no versions. Register the identifiers that have versions by themselves.",
        )
    leads = any(form.value(name) for form in forms for name in _LEADING) or any(map(rule.value, _PAIRING))
    if not (leads or rule.states("status_code") or rule.states("status") or is_about_tests(rule)):
        yield warn(
            "location",
            "nowhere",
            pattern.text,
            "This rule leads nowhere. State a `location`, or the `status_code` 404 or 410.",
        )


def _pairs(identifier: Identifier, pattern: Pattern, rule: Statements) -> Iterator[Finding]:
    stated = {name: template for name in _PAIRING if (template := rule.text(name))}
    if len(stated) > 1 or (stated and rule.forms()):
        yield refuse(
            next(iter(stated)),
            "rule",
            pattern.text,
            "A rule either leads to a web address, or pairs a document with the thing it is about. Make it "
            "two rules.",
        )
    for name, template in stated.items():
        formed = read_identifier(expand(template, dict.fromkeys(variables(template), "x")))
        if formed is None or formed.root != identifier.root:
            yield refuse(
                name,
                "same root",
                template,
                "A thing and its document must both start with {root}.",
                root=identifier.root,
            )


def _literal(pattern: Pattern) -> str:
    return pattern.text.partition("{")[0].partition("[")[0]
