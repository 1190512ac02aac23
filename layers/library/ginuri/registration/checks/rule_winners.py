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
from ginuri.registry.rules.comparison import Intricate, Language, common_text, text_outside
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
        yield _refuse_impossible(stated)
        return
    near = [other for other in others if _may_meet(stated, other) and not other.is_same_rule(stated)]
    better = [other for other in near if other.precedence > stated.precedence]
    yield from _against_equal(stated, near, name_rule)
    yield from _against_better(stated, better, name_rule)
    for other in near:
        if other.precedence < stated.precedence:
            yield from _against_worse(stated, other, [*near, stated], name_rule)


def _may_meet(one: PlacedPattern, other: PlacedPattern) -> bool:
    return one.prefix.startswith(other.prefix) or other.prefix.startswith(one.prefix)


def _refuse_impossible(stated: PlacedPattern) -> Finding:
    return refuse(
        "pattern",
        "can win",
        stated.pattern.text,
        "No identifier in normal form under {prefix} matches this pattern.",
        prefix=printable_name(stated.prefix),
    )


def _against_equal(
    stated: PlacedPattern, near: Sequence[PlacedPattern], name_rule: NameRule
) -> Iterator[Finding]:
    for other in near:
        if other.precedence != stated.precedence or other.prefix != stated.prefix:
            continue
        common = common_text(
            stated.after(stated.prefix), other.after(stated.prefix), characters_under(stated.prefix)
        )
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
                example=printable_name(stated.prefix + common),
            )


def _against_better(
    stated: PlacedPattern, better: Sequence[PlacedPattern], name_rule: NameRule
) -> Iterator[Finding]:
    escaped: list[str] = []
    for other in better:
        outside = _outside(stated, [other])
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
        else:
            escaped.append(outside)
    if better and _is_covered(stated, better, escaped):
        yield warn(
            "pattern",
            "can win",
            stated.pattern.text,
            "This rule never applies: together, {others} match everything that it matches, such as "
            "{example}.",
            others=_name_several(_meeting(stated, better), name_rule),
            example=_example(stated),
        )


def _against_worse(
    stated: PlacedPattern, other: PlacedPattern, rules: Sequence[PlacedPattern], name_rule: NameRule
) -> Iterator[Finding]:
    outside = _outside(other, [stated])
    if isinstance(outside, Intricate):
        yield _warn_of_intricate(stated, other, name_rule)
    elif outside is None:
        yield refuse(
            "pattern",
            "can win",
            stated.pattern.text,
            "With this rule, {other} would never apply again, not even to {example}. Retire that rule first.",
            other=name_rule(other.prefix, other.pattern),
            example=_example(other),
        )
    else:
        better = [rule for rule in rules if rule.precedence > other.precedence]
        before = [rule for rule in better if rule is not stated]
        if _is_covered(other, better, [outside]) and not _is_covered(other, before, []):
            yield warn(
                "pattern",
                "can win",
                stated.pattern.text,
                "With this rule, {other} never applies again: together, {others} match everything that it "
                "matches, such as {example}.",
                other=name_rule(other.prefix, other.pattern),
                others=_name_several(_meeting(other, better), name_rule),
                example=_example(other),
            )


def _outside(rule: PlacedPattern, better: Sequence[PlacedPattern]) -> str | Intricate | None:
    """Return an identifier that only a rule matches, and none of the better ones; None without one."""
    prefix = rule.prefix
    languages = [*(other.after(prefix) for other in better), *never_under(prefix)]
    outside = text_outside(rule.after(prefix), languages, characters_under(prefix))
    return f"{prefix}{outside}" if isinstance(outside, str) else outside


def _is_covered(rule: PlacedPattern, better: Sequence[PlacedPattern], known: Sequence[str]) -> bool:
    """Return whether better rules match every identifier of a rule.

    `known` are some that they may not match: trying these first is cheap.
    """
    if any(not any(other.matches(name) for other in better) for name in known):
        return False
    return _outside(rule, better) is None


def _meeting(rule: PlacedPattern, better: Sequence[PlacedPattern]) -> list[PlacedPattern]:
    own = rule.after(rule.prefix)
    return [other for other in better if common_text(own, other.after(rule.prefix)) is not None]


def _example(rule: PlacedPattern) -> str:
    outside = _outside(rule, [])
    return printable_name(outside) if isinstance(outside, str) else rule.prefix


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
