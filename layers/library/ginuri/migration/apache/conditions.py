"""Whether a RewriteCond is met."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ginuri.identifiers.messages import message
from ginuri.migration.apache.requests import UnsupportedConfiguration
from ginuri.migration.apache.rules import Condition
from ginuri.migration.apache.variables import Scope, expand_variables

_NUMBERS: dict[str, Callable[[int, int], bool]] = {
    "-eq": int.__eq__,
    "-ne": int.__ne__,
    "-lt": int.__lt__,
    "-le": int.__le__,
    "-gt": int.__gt__,
    "-ge": int.__ge__,
}
_OF_FILES = re.compile("-[dfFslLhxHU]")


def test_conditions(
    conditions: Sequence[Condition], scope: Scope, is_file: Callable[[str, str], bool]
) -> Scope | None:
    """Return the scope with the match of the last condition; None if they are not met.

    `is_file` says whether a path names a file or a folder of the server, by a test such as `-f`.
    """
    at = 0
    while at < len(conditions):
        condition = conditions[at]
        tested = _test(condition, scope, is_file)
        if condition.is_alternative:
            if tested is None:
                at += 1
                continue
            while at < len(conditions) and conditions[at].is_alternative:
                at += 1
        elif tested is None:
            return None
        scope = tested
        at += 1
    return scope


def _test(condition: Condition, scope: Scope, is_file: Callable[[str, str], bool]) -> Scope | None:
    if condition.test == "expr":
        raise UnsupportedConfiguration(
            message("A rule has nothing like {expression}.", expression=condition.pattern)
        )
    text = expand_variables(condition.test, scope)
    pattern = condition.pattern
    if _OF_FILES.fullmatch(pattern):
        return scope if is_file(text, pattern) != condition.is_negative else None
    if not condition.is_expression:
        return (
            scope
            if _compare(condition, text, expand_variables(pattern, scope)) != condition.is_negative
            else None
        )
    found = condition.expression.search(text)
    if condition.is_negative:
        return scope if found is None else None
    return None if found is None else replace(scope, tested=found)


def _compare(condition: Condition, text: str, pattern: str) -> bool:
    if pattern[:3] in _NUMBERS:
        number = pattern[3:].strip()
        return text.isdigit() and number.isdigit() and _NUMBERS[pattern[:3]](int(text), int(number))
    sign, other = pattern[0], pattern[1:].removeprefix('""') if pattern == '=""' else pattern[1:]
    if "NC" in condition.flags:
        text, other = text.lower(), other.lower()
    match sign:
        case "=":
            return text == other
        case "<":
            return text < other
        case _:
            return text > other
