"""Regular expressions as the patterns that match the same names.

`translate` reads an expression, expands it into variants, and writes each as a pattern. `templates.py` finds
the location of a rule from examples.
"""

from __future__ import annotations

from dataclasses import dataclass

from ginuri.files.expressions.expansion import Note, expand_expression
from ginuri.files.expressions.nodes import UnsupportedExpression
from ginuri.files.expressions.syntax import read_expression
from ginuri.files.expressions.writing import write_patterns
from ginuri.identifiers.messages import Message

_IGNORES_CASE = "(?i)"


@dataclass(frozen=True, slots=True)
class Translation:
    """The patterns of an expression, without the prefix that was stated."""

    patterns: tuple[str, ...]
    """Patterns and literal names; an empty text is the empty name, and `{+rest}` stands for all others."""
    notes: frozenset[Note]
    ignore_case: bool = False


def translate(
    expression: str, *, ignore_case: bool = False, after_slash: bool = False
) -> Translation | Message:
    """Translate an expression, or give the reason why no pattern can express it.

    `after_slash`: the expression is matched with a path that starts with a slash, which the patterns lack.
    """
    text = expression.removeprefix(_IGNORES_CASE)
    try:
        expansion = expand_expression(read_expression(text), after_slash=after_slash)
        patterns = write_patterns(expansion.variants)
    except UnsupportedExpression as fault:
        return fault.words
    return Translation(patterns, frozenset(expansion.notes), ignore_case or text != expression)
