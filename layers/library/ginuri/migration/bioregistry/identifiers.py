r"""The identifiers of a prefix as patterns: what its regular expression matches, or any text.

The Bioregistry matches whole identifiers (`re.fullmatch`), so that `^` and `$` of an expression add nothing.
A class of a pattern takes no escapes: an expression whose examples need some is not translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from urllib.parse import unquote

from ginuri.files.expressions.translation import translate
from ginuri.identifiers.messages import Message, message
from ginuri.registry.rules.faults import fault_of
from ginuri.registry.rules.grammar import ALL_THE_REST
from ginuri.registry.rules.patterns import Pattern

_ANCHOR_OR_DOT = re.compile(
    r"\\b|(?P<kept>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\.(?=[*+?{]))|[\^$]|(?P<dot>\.)", re.DOTALL
)
_ANY_CHARACTER = "[^/]"
_TOKEN = re.compile(r"\{\+?(?P<name>\w+)[^{}]*\}|(?P<bracket>[\[\]])|(?P<literal>[^{}\[\]]+)")
_MOST_FORMS = 8
"""The most patterns of an expression; each becomes a rule for each spelling of the prefix."""


@dataclass(frozen=True, slots=True)
class IdentifierForm:
    """A pattern for identifiers, and the template that writes an identifier again."""

    pattern: str
    template: str

    @property
    def may_end_in_slash(self) -> bool:
        """Whether some of the identifiers may be names that end in a slash."""
        return "/" in self.pattern or "{+" in self.pattern


ANY = IdentifierForm("{+id}", "{+id}")


@dataclass(frozen=True, slots=True)
class IdentifierForms:
    """The forms of a prefix's identifiers."""

    forms: tuple[IdentifierForm, ...]
    remark: Message | None = None


def forms_of(expression: str, examples: Iterable[str] = ()) -> IdentifierForms:
    """Translate the regular expression of a prefix; any identifier if no pattern can express it.

    The examples are identifiers as they are in a path.
    """
    if not expression:
        return IdentifierForms((ANY,))
    translation = translate(_match_whole(expression))
    if isinstance(translation, Message):
        return _any(expression, translation)
    forms = tuple(_capture(pattern) for pattern in translation.patterns if pattern)
    if [form.pattern for form in forms] == [ALL_THE_REST]:
        return IdentifierForms((ANY,))
    if fault := _find_fault(forms) or _find_odd(expression, forms, examples):
        return _any(expression, fault)
    return IdentifierForms(forms)


def _match_whole(expression: str) -> str:
    return f"^(?:{_ANCHOR_OR_DOT.sub(_write_token, expression)})$"


def _write_token(found: re.Match[str]) -> str:
    return found["kept"] or (_ANY_CHARACTER if found["dot"] else "")


def _find_fault(forms: Sequence[IdentifierForm]) -> Message | None:
    if not 0 < len(forms) <= _MOST_FORMS:
        return message("It needs more than {most} patterns.", most=str(_MOST_FORMS))
    return next(filter(None, (fault_of(form.pattern) for form in forms)), None)


def _find_odd(expression: str, forms: Sequence[IdentifierForm], examples: Iterable[str]) -> Message | None:
    """Find an example that the expression matches, and none of its forms."""
    patterns = [Pattern(form.pattern, ignore_case=True) for form in forms]
    for example in examples:
        if all(pattern.match(example) is None for pattern in patterns) and _matches(expression, example):
            return message("It does not match the example {example}.", example=example)
    return None


def _matches(expression: str, example: str) -> bool:
    """Return whether an expression matches an example, or its text without escapes."""
    try:
        compiled = re.compile(expression)
    except re.error:
        return True
    return any(compiled.fullmatch(text) for text in (example, unquote(example)))


def _any(expression: str, reason: Message) -> IdentifierForms:
    words = message(
        "The rule takes any identifier, as no pattern expresses {expression}. {reason}",
        expression=expression,
        reason=reason,
    )
    return IdentifierForms((ANY,), words)


def _capture(pattern: str) -> IdentifierForm:
    """Name the literals of options: an option that is absent must be absent from the location too.

    >>> _capture("{a:digits}[.{b:digits}]").pattern, _capture("{a:digits}[.{b:digits}]").template
    ('{a:digits}[{sign1:[.](1)}{b:digits}]', '{+a}{+sign1}{+b}')
    """
    written, template, is_option, numbers = [], [], False, count(1)
    for found in _TOKEN.finditer(pattern):
        if found["bracket"]:
            is_option = found["bracket"] == "["
            written.append(found[0])
        elif found["name"]:
            written.append(found[0])
            template.append(f"{{+{found['name']}}}")
        elif is_option:
            names = [f"sign{next(numbers)}" for _ in found[0]]
            written += (f"{{{name}:[{sign}](1)}}" for name, sign in zip(names, found[0], strict=True))
            template += (f"{{+{name}}}" for name in names)
        else:
            written.append(found[0])
            template.append(found[0])
    return IdentifierForm("".join(written), "".join(template))
