"""The directives of mod_rewrite: RewriteRule and RewriteCond with their flags.

    RewriteRule = pattern blank substitution [ blank "[" flag *( "," flag ) "]" ]
    RewriteCond = test blank pattern [ blank "[" flag *( "," flag ) "]" ]

An argument may be quoted; a blank may be preceded by a backslash. Text after the third argument is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ginuri.files.expressions.nodes import UnsupportedExpression
from ginuri.files.expressions.syntax import compile_expression
from ginuri.identifiers.messages import Message, message
from ginuri.migration.apache.directives import Directive
from ginuri.migration.entries import EntryPlace

REDIRECTS = range(300, 400)
_STATUS_NAMES = {"temp": 302, "permanent": 301, "seeother": 303, "gone": 410}
_LONG_NAMES = {
    "last": "L",
    "redirect": "R",
    "nocase": "NC",
    "noescape": "NE",
    "qsappend": "QSA",
    "qsdiscard": "QSD",
    "qslast": "QSL",
    "chain": "C",
    "skip": "S",
    "env": "E",
    "next": "N",
    "forbidden": "F",
    "gone": "G",
    "passthrough": "PT",
    "nosubreq": "NS",
    "discardpath": "DPI",
    "cookie": "CO",
    "handler": "H",
    "type": "T",
    "proxy": "P",
    "ornext": "OR",
    "novary": "NV",
}
_FLAGS = {*_LONG_NAMES.values(), "END", "B", "BNP", "BCTLS", "BNE"}
# A character with a quantifier may be absent.
_START = re.compile(r"\^((?:(?:\w|[/-]|\\[./-])(?![*?+{]))*)")
_NO_EXPRESSION = re.compile("[=<>]|-(?:[dfFslLhxHU]|eq|ne|lt|le|gt|ge)")


class UnreadableDirective(Exception):
    """A directive that Apache httpd refuses, with the reason."""

    def __init__(self, words: Message) -> None:
        super().__init__(words)
        self.words = words


@dataclass(frozen=True)
class Condition:
    """A RewriteCond: a text with variables, and the pattern that it must match."""

    test: str
    pattern: str
    """Without the `!` of a negation."""
    is_negative: bool
    flags: frozenset[str]

    @property
    def is_expression(self) -> bool:
        """Whether the pattern is a regular expression, no comparison and no test of a file."""
        return self.test != "expr" and not _NO_EXPRESSION.match(self.pattern)

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """The regular expression, for Python."""
        return compile_directive(self.pattern, ignore_case="NC" in self.flags)

    @property
    def is_alternative(self) -> bool:
        """Whether this condition or the next one suffices."""
        return "OR" in self.flags


@dataclass(frozen=True, eq=False)
class RewriteRule:
    """A RewriteRule with its conditions."""

    place: EntryPlace
    pattern: str
    """Without the `!` of a negation."""
    is_negative: bool
    substitution: str
    flags: dict[str, str]
    """The values of the flags, by short name; those of `E` joined by blanks."""
    conditions: Sequence[Condition] = ()

    @property
    def status(self) -> int | None:
        """The status that the rule gives; None if it only rewrites, unless the target is another server's."""
        if "G" in self.flags:
            return 410
        if "F" in self.flags:
            return 403
        if "R" not in self.flags:
            return None
        return _read_status(self.flags["R"])

    @property
    def ignores_case(self) -> bool:
        """Whether capitals do not matter."""
        return "NC" in self.flags

    @cached_property
    def start(self) -> str:
        """The literal text that all matched texts start with; empty if there is none."""
        found = _START.match(self.pattern)
        is_single = "|" not in self.pattern and not self.is_negative and not self.ignores_case
        return found[1].replace("\\", "") if found is not None and is_single else ""

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """The pattern, for Python."""
        return compile_directive(self.pattern, ignore_case=self.ignores_case)


def compile_directive(text: str, *, ignore_case: bool = False) -> re.Pattern[str]:
    """Compile an expression. Raises UnreadableDirective."""
    try:
        return compile_expression(text, ignore_case=ignore_case)
    except UnsupportedExpression as error:
        raise UnreadableDirective(error.words) from error


def read_rule(directive: Directive, conditions: Sequence[Condition]) -> RewriteRule:
    """Read a RewriteRule. Raises UnreadableDirective."""
    pattern, substitution, flags = _split(directive.text)
    rule = RewriteRule(
        EntryPlace(directive.file, directive.line, f"RewriteRule {pattern}"),
        pattern.removeprefix("!"),
        pattern.startswith("!"),
        substitution,
        dict(_read_flags(flags)),
        tuple(conditions),
    )
    compile_directive(rule.pattern, ignore_case=rule.ignores_case)
    return rule


def read_condition(directive: Directive) -> Condition:
    """Read a RewriteCond. Raises UnreadableDirective."""
    test, pattern, flags = _split(directive.text)
    names = frozenset(name for name, _ in _read_flags(flags))
    condition = Condition(test, pattern.removeprefix("!"), pattern.startswith("!"), names)
    if condition.is_expression:
        compile_directive(condition.pattern)
    return condition


def _split(text: str) -> tuple[str, str, str]:
    arguments: list[str] = []
    at = 0
    while len(arguments) < 3:  # noqa: PLR2004  the rest is ignored
        while text[at : at + 1].isspace():
            at += 1
        if at >= len(text):
            break
        argument, at = _read_argument(text, at)
        arguments.append(argument)
    if len(arguments) < 2:  # noqa: PLR2004  both are needed
        raise UnreadableDirective(message("It has fewer than two arguments."))
    return arguments[0], arguments[1], arguments[2] if len(arguments) > 2 else ""  # noqa: PLR2004  it may be absent


def _read_argument(text: str, at: int) -> tuple[str, int]:
    quote = text[at] if text[at] in "\"'" else ""
    at += len(quote)
    end = at
    while end < len(text) and not (text[end] == quote if quote else text[end].isspace()):
        end += 2 if text[end] == "\\" and text[end + 1 : end + 2].isspace() else 1
    return text[at:end], end + len(quote)


def _read_flags(text: str) -> Iterator[tuple[str, str]]:
    if not text:
        return
    if not (text.startswith("[") and text.endswith("]")):
        raise UnreadableDirective(message("Its flags, {flags}, are not in brackets.", flags=text))
    settings: list[str] = []
    for part in text[1:-1].split(","):
        name, _, value = part.strip().partition("=")
        short = _LONG_NAMES.get(name.strip().lower(), name.strip().upper())
        if short not in _FLAGS:
            raise UnreadableDirective(message("Apache httpd does not know the flag {flag}.", flag=name))
        if short == "R":
            _read_status(value)
        if short == "E":
            settings.append(value)
        else:
            yield short, value
    if settings:
        yield "E", "\n".join(settings)


def _read_status(text: str) -> int:
    digits = re.match(r"\d+", text)
    status = int(digits[0]) if digits else _STATUS_NAMES.get(text.lower(), 0) if text else 302
    if not 100 <= status < 600:  # noqa: PLR2004  RFC 9110 §15
        raise UnreadableDirective(message("{status} is no status code.", status=text))
    return status
