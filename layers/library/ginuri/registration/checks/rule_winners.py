"""Checks that the winner of any two rules is clear, and that each rule wins for some identifier.

The longest prefix wins, then the pattern of the highest precedence. Each finding shows an identifier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from ginuri.identifiers.messages import Message, counted, message
from ginuri.identifiers.roots import printable_name
from ginuri.registration.checks.normal_forms import characters_under, never_under
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.rules.comparison import Intricate, Language, common_text, may_meet, text_outside
from ginuri.registry.rules.patterns import Pattern

NameRule = Callable[[str, Pattern], Message]
"""Names the rule of a prefix and a pattern, with its source."""
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class PlacedPattern:
    """The pattern of a rule, and the rule's prefix."""

    prefix: str
    pattern: Pattern

    @property
    def precedence(self) -> tuple[int, ...]:
        """Its place among the rules that match an identifier: the greatest wins."""
        return len(self.prefix), *self.pattern.precedence

    def is_same_rule(self, other: PlacedPattern) -> bool:
        """Return whether both are of one rule."""
        return (self.prefix, self.pattern.text) == (other.prefix, other.pattern.text)

    def after(self, prefix: str) -> Language:
        """Return its names as text after a shorter prefix, or its own."""
        return Language(self.pattern, self.prefix[len(prefix) :])

    def matches(self, identifier: str) -> bool:
        """Return whether it matches an identifier."""
        return (
            self.pattern.match(identifier[len(self.prefix) :]) is not None
            if identifier.startswith(self.prefix)
            else False
        )


def judge_winners(
    stated: PlacedPattern, others: Sequence[PlacedPattern], name_rule: NameRule
) -> Iterator[Finding]:
    """Find the rules that conflict with a stated one, that cover it, and that it covers.

    `others` are the rules of its prefix, of those above and of those below.
    """
    example = text_outside(
        stated.after(stated.prefix), never_under(stated.prefix), characters_under(stated.prefix)
    )
    if example is None:
        yield refuse(
            "pattern",
            "can win",
            stated.pattern.text,
            "No identifier in normal form under {prefix} matches this pattern.",
            prefix=printable_name(stated.prefix),
        )
        return
    near = _meeting(stated, [other for other in others if not other.is_same_rule(stated)])
    yield from _against_equal(stated, near, name_rule)
    yield from _against_better(stated, near, name_rule)
    for other in near:
        if other.precedence < stated.precedence:
            yield from _against_worse(stated, other, others, name_rule)


def _meeting(rule: PlacedPattern, others: Sequence[PlacedPattern]) -> list[PlacedPattern]:
    """Return the rules that match some identifier of a rule, as far as their literals show."""
    own = rule.after("")
    return [other for other in others if may_meet(own, other.after(""))]


def _against_equal(
    stated: PlacedPattern, near: Sequence[PlacedPattern], name_rule: NameRule
) -> Iterator[Finding]:
    characters = characters_under(stated.prefix)
    for other in near:
        is_equal = other.precedence == stated.precedence
        common = common_text(stated.after(""), other.after(""), characters) if is_equal else None
        if common is None:
            continue
        rules = {
            "rule": name_rule(stated.prefix, stated.pattern),
            "other": name_rule(other.prefix, other.pattern),
        }
        if isinstance(common, Intricate):
            yield refuse(
                "pattern",
                "one winner",
                stated.pattern.text,
                "{rule} and {other} are too intricate to compare, and one identifier could match both. Make "
                "one of the two patterns more literal, or shorter.",
                **rules,
            )
        else:
            yield refuse(
                "pattern",
                "one winner",
                stated.pattern.text,
                "One identifier could match both {rule} and {other}, such as {example}. Make one of the two "
                "patterns more literal.",
                **rules,
                example=printable_name(common),
            )


def _against_better(
    stated: PlacedPattern, near: Sequence[PlacedPattern], name_rule: NameRule
) -> Iterator[Finding]:
    better = [other for other in near if other.precedence > stated.precedence]
    for other in better:
        outside = _outside_one(stated, other)
        if isinstance(outside, Intricate):
            yield _warn_of_intricate(stated, other, name_rule)
        elif outside is None:
            yield refuse(
                "pattern",
                "can win",
                stated.pattern.text,
                "This rule would never apply: {other} matches everything that it matches, such as {example}.",
                other=name_rule(other.prefix, other.pattern),
                example=_example(stated),
            )
            return
    if _is_covered(stated, better):
        yield warn(
            "pattern",
            "can win",
            stated.pattern.text,
            "This rule never applies: together, {others} match everything that it matches, such as "
            "{example}.",
            others=_name_several(better, name_rule),
            example=_example(stated),
        )


def _against_worse(
    stated: PlacedPattern, other: PlacedPattern, others: Sequence[PlacedPattern], name_rule: NameRule
) -> Iterator[Finding]:
    outside = _outside_one(other, stated)
    if isinstance(outside, Intricate):
        yield _warn_of_intricate(stated, other, name_rule)
        return
    if outside is None:
        yield refuse(
            "pattern",
            "can win",
            stated.pattern.text,
            "With this rule, {other} would never apply again, not even to {example}. Retire that rule first.",
            other=name_rule(other.prefix, other.pattern),
            example=_example(other),
        )
        return
    before = [rule for rule in others if rule.precedence > other.precedence and not rule.is_same_rule(stated)]
    if not any(rule.matches(outside) for rule in before):  # cheap, and true of most
        return
    better = [*_meeting(other, before), stated]
    if _is_covered(other, better) and not _is_covered(other, better[:-1]):
        yield warn(
            "pattern",
            "can win",
            stated.pattern.text,
            "With this rule, {other} never applies again: together, {others} match everything that it "
            "matches, such as {example}.",
            other=name_rule(other.prefix, other.pattern),
            others=_name_several(better, name_rule),
            example=_example(other),
        )


def _outside_one(rule: PlacedPattern, better: PlacedPattern) -> str | Intricate | None:
    """Return an identifier that a rule matches and a better one does not; None without one."""
    example = f"{rule.prefix}{rule.pattern.example()}"
    return example if not better.matches(example) else _outside(rule, [better])


def _outside(rule: PlacedPattern, better: Sequence[PlacedPattern]) -> str | Intricate | None:
    """Return an identifier that only a rule matches, and none of the better ones; None without one."""
    prefix = rule.prefix
    languages = [*(other.after(prefix) for other in better), *never_under(prefix)]
    outside = text_outside(rule.after(prefix), languages, characters_under(prefix))
    return f"{prefix}{outside}" if isinstance(outside, str) else outside


def _is_covered(rule: PlacedPattern, better: Sequence[PlacedPattern]) -> bool:
    """Return whether several better rules together match every identifier of a rule."""
    example = f"{rule.prefix}{rule.pattern.example()}"
    return any(other.matches(example) for other in better) and _outside(rule, better) is None


def _example(rule: PlacedPattern) -> str:
    outside = _outside(rule, [])
    return printable_name(outside) if isinstance(outside, str) else printable_name(rule.prefix)


def _warn_of_intricate(stated: PlacedPattern, other: PlacedPattern, name_rule: NameRule) -> Finding:
    return warn(
        "pattern",
        "too intricate",
        stated.pattern.text,
        "{rule} and {other} are too intricate to compare: perhaps one of them never applies.",
        rule=name_rule(stated.prefix, stated.pattern),
        other=name_rule(other.prefix, other.pattern),
    )


def _name_several(rules: Sequence[PlacedPattern], name_rule: NameRule) -> Message:
    first, *others = (name_rule(rule.prefix, rule.pattern) for rule in rules[:_MOST_NAMED])
    more = len(rules) - _MOST_NAMED
    named = reduce(lambda before, name: message("{before}, {name}", before=before, name=name), others, first)
    return (
        counted("{named} and {number} more", "{named} and {number} more", more, named=named)
        if more > 0
        else named
    )
