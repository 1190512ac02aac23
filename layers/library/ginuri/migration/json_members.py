"""Reads large JSON files: the members of an object or array with their lines, and single texts of a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ginuri.identifiers.errors import UnreadableFile

_BLANK = re.compile(r"[ \t\r\n]*")
_ENDS = ("]", "}")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class JsonMember:
    """A member of an object or an array."""

    name: str
    """Its name in the object; empty in an array."""
    value: Any
    start: int
    """Where its value starts in the text."""
    line: int


def decode_json(content: bytes) -> str:
    """Decode the text of a JSON file. Raises UnreadableFile."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile("UTF-8", "", "The file is not UTF-8. Save it as UTF-8.") from error


def read_members(text: str, start: int = 0) -> Iterator[JsonMember]:
    r"""Read the members of the object or array that starts here. Raises UnreadableFile.

    >>> [(member.name, member.value, member.line) for member in read_members('{"a": 1,\n "b": [2]}')]
    [('a', 1, 1), ('b', [2], 2)]
    """
    try:
        yield from _members(text, _skip(text, start))
    except json.JSONDecodeError as error:
        raise UnreadableFile("JSON", "", "The file is not valid JSON: {reason}", reason=str(error)) from error


def _members(text: str, at: int) -> Iterator[JsonMember]:
    is_object = text.startswith("{", at)
    if not is_object:
        _expect(text, at, "[")
    line, counted = 1 + text.count("\n", 0, at), at
    at = _skip(text, at + 1)
    while not text.startswith(_ENDS, at):
        line, counted = line + text.count("\n", counted, at), at
        name = ""
        if is_object:
            name, at = _DECODER.raw_decode(text, _expect(text, at, '"') - 1)
            at = _skip(text, _expect(text, _skip(text, at), ":"))
        value, end = _DECODER.raw_decode(text, at)
        yield JsonMember(name, value, at, line)
        at = _skip(text, end)
        if not text.startswith(_ENDS, at):
            at = _skip(text, _expect(text, at, ","))


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return at if blank is None else blank.end()


def _expect(text: str, at: int, character: str) -> int:
    if not text.startswith(character, at):
        raise json.JSONDecodeError(f"Expecting {character}", text, at)
    return at + 1


def text_at(value: Any, *names: str) -> str:  # noqa: ANN401  decoded JSON
    """Return the text at a path of names; numbers as texts, and an empty text for anything else.

    >>> text_at({"who": {"name": " A "}}, "who", "name"), text_at({"who": None}, "who", "name")
    ('A', '')
    """
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
