"""An expression and its target, such as `^gnis/([0-9]+)$` and `https://example.org/$1`, as rules.

Each pattern of the expression gets the location template that leads its examples to the same places as the
expression does. A pattern without such a template is split into narrower ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ginuri.files.expressions.examples import examples
from ginuri.files.expressions.expansion import Note
from ginuri.files.expressions.nodes import UnsupportedExpression
from ginuri.files.expressions.splitting import is_name, is_sound, split_pattern
from ginuri.files.expressions.syntax import compile_expression
from ginuri.files.expressions.templates import Example, find_template
from ginuri.files.expressions.translation import translate
from ginuri.identifiers.messages import Message, message
from ginuri.registry.rules.grammar import ALL, ALL_THE_REST, REST
from ginuri.registry.rules.patterns import Pattern

_REFERENCE = re.compile(r"[$]([0-9])")
_TRIED, _TAKEN = 24, 8
"""The number of examples of a pattern, and how many of them are used."""
_MOST_SPLITS = 3


@dataclass(frozen=True, slots=True)
class TargetRule:
    """A name or a pattern below a prefix, and where it leads."""

    prefix: str
    """A literal text that is empty or ends in a slash."""
    pattern: str
    """The text after the prefix; `{+rest}` for all names, and no piece for a single name."""
    location: str
    """A template."""

    @property
    def is_name(self) -> bool:
        """Whether it is a single name."""
        return is_name(self.pattern)


@dataclass(frozen=True, slots=True)
class TargetRules:
    """The rules of an expression."""

    rules: Sequence[TargetRule]
    ignore_case: bool
    notes: frozenset[Note]


def write_rules(
    expression: str, target: str, *, base: str = "", only: Sequence[str] = ()
) -> TargetRules | Message:
    """Write an expression and its target as rules, or give the reason why no rules are equivalent.

    `base` is the prefix of all rules, which other names do not get; without it, the prefix of a rule is the
    folder of its names. `only` has patterns of some of its names, if not all of them are needed.
    """
    translation = translate(expression)
    if isinstance(translation, Message):
        return translation
    try:
        found = compile_expression(expression)
    except UnsupportedExpression as fault:
        return fault.words
    if any(int(number) > found.groups for number in _REFERENCE.findall(target)):
        return message("The location refers to a piece that the expression does not have.")
    rules: list[TargetRule] = []
    for pattern in only or translation.patterns:
        if not pattern.startswith(base):
            continue
        prefix = base if base or translation.ignore_case else _prefix_of(pattern)
        source = _Source(found, target, prefix, ignore_case=translation.ignore_case)
        for text in _sound(pattern.removeprefix(prefix)):
            written = source.write(text)
            if isinstance(written, Message):
                return written
            rules += written
    if not rules:
        return message("No identifier matches the expression.")
    return TargetRules(rules, translation.ignore_case, translation.notes)


def _prefix_of(pattern: str) -> str:
    literal = re.split(r"[{\[]", pattern, maxsplit=1)[0]
    return literal[: literal.rfind("/") + 1]


def _sound(pattern: str) -> Sequence[str]:
    """Split a pattern that may match the prefix itself, such as `[{+rest}]`."""
    return [pattern] if is_sound(pattern) or is_name(pattern) else split_pattern(pattern)


@dataclass(frozen=True, slots=True)
class _Source:
    expression: re.Pattern[str]
    target: str
    prefix: str
    ignore_case: bool

    def write(self, pattern: str, splits: int = 0) -> list[TargetRule] | Message:
        """Write a pattern as rules; as several if its names lead to places of several forms."""
        if is_name(pattern) and not self.ignore_case:
            return [TargetRule(self.prefix, pattern, self._lead(pattern))]
        known = [example for name in examples(pattern, _TRIED) for example in self._example(pattern, name)]
        template = find_template(known[:_TAKEN]) if known else None
        if template is not None:
            return [TargetRule(self.prefix, pattern, template)]
        rules: list[TargetRule] = []
        parts = split_pattern(pattern) if splits < _MOST_SPLITS else []
        for part in parts:
            written = self.write(part, splits + 1)
            if isinstance(written, Message):
                return written
            rules += written
        return rules or message("No template writes the location of {pattern}.", pattern=pattern)

    def _example(self, pattern: str, name: str) -> Iterator[Example]:
        matched = Pattern("" if pattern == ALL_THE_REST else pattern, self.ignore_case).match(name)
        # Some patterns match more than their expressions.
        if matched is None or self.expression.search(f"{self.prefix}{name}") is None:
            return
        predefined = {REST, ALL} - {REST if ALL_THE_REST in pattern else ""}
        named = {piece: text for piece, text in matched.items() if piece not in predefined}
        yield Example(named, self._lead(name))

    def _lead(self, name: str) -> str:
        found = self.expression.search(f"{self.prefix}{name}")
        if found is None:
            return self.target
        return _REFERENCE.sub(lambda reference: found[int(reference[1])] or "", self.target)
