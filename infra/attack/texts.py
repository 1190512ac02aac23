"""The texts that people read in an answer, without the escapes of its format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape

from infra.attack.answer import Answer

_TEXTUAL = re.compile(
    r"text/.*|.*[/+](json|xml)|application/(n-triples|linkset|link-format|json.*)|image/svg.*"
)
_ESCAPED = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_TRIPLES = {"text/turtle", "application/n-triples"}
_MARKUP = re.compile(r"text/html|image/svg.*|.*[/+]xml")
_NOT_PLAIN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff\u202a-\u202e]"
)

_OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def find_control(text: str, *, of_terminals: bool = False) -> str | None:
    """Return the first character that is not allowed in plain text or that controls a terminal, else None."""
    found = (_OBEYED if of_terminals else _NOT_PLAIN).search(text)
    return found and f"U+{ord(found[0]):04X}"


def is_textual(answer: Answer) -> bool:
    """Return whether the body is text."""
    return _TEXTUAL.fullmatch(answer.media_type) is not None


def is_markup(answer: Answer) -> bool:
    """Return whether the body is HTML or XML."""
    return _MARKUP.fullmatch(answer.media_type) is not None


def read_text(answer: Answer) -> str:
    """Return the text of an answer as its reader sees it."""
    if answer.media_type.endswith("json"):
        return "\n".join(_strings(answer.document()))
    if is_markup(answer):
        return unescape(answer.text)
    if answer.media_type in _TRIPLES:
        return _ESCAPED.sub(lambda found: chr(int(found[1] or found[2], 16)), answer.text)
    return answer.text


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, inner in value.items():
                yield name
                yield from _strings(inner)
        case list():
            for inner in value:
                yield from _strings(inner)
        case _:
            pass


def is_json(text: str) -> bool:
    """Return whether a text is JSON."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
