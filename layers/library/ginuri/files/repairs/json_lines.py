"""Writes a repaired value into a line of JSON; the rest of the line is unchanged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")
_NEXT = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
_LAST = re.compile(r",[ \t\r\n]*\Z")


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object, or an item of an array."""

    name: str
    begin: int
    """The position of its name, or of its value in an array."""
    value: int
    end: int


def repair_line(line: bytes, member: str, text: str) -> bytes | None:
    r"""Replace the text at a path of members; an empty text removes the member.

    Returns None unless the line has exactly one text there: names of members may contain full stops.

    >>> repair_line(b'{"a": [{"b" : "\\u00fc"}]}\n', "a.0.b", "x")
    b'{"a": [{"b" : "x"}]}\n'
    >>> repair_line(b'{"a": {"b": "y"}, "a.b": "z"}', "a.b", "x") is None
    True
    """
    content = line.decode()
    all_found = list(_find(content, _skip(content, 1 if content.startswith("\ufeff") else 0), member))
    if len(all_found) != 1 or content[all_found[0].value] != '"':
        return None
    [found] = all_found
    before, after = content[: found.value], content[found.end :]
    if text:
        return f"{before}{json.dumps(text, ensure_ascii=content.isascii())}{after}".encode()
    before = content[: found.begin]
    if following := _NEXT.match(after):
        return f"{before}{after[following.end() :]}".encode()
    return f"{_LAST.sub('', before)}{after}".encode()


def _find(content: str, at: int, path: str) -> Iterator[_Member]:
    for member in _members(content, at):
        if member.name == path:
            yield member
        elif path.startswith(f"{member.name}."):
            yield from _find(content, member.value, path[len(member.name) + 1 :])


def _members(content: str, at: int) -> Iterator[_Member]:
    """Yield the members of the object or array that begins there; none for other values."""
    if content[at] not in "{[":
        return
    is_object = content[at] == "{"
    at, number = _skip(content, at + 1), 0
    while content[at] not in "}]":
        begin, name = at, str(number)
        if is_object:
            name, at = _DECODER.raw_decode(content, at)
            at = _skip(content, _skip(content, at) + 1)
        _, end = _DECODER.raw_decode(content, at)
        yield _Member(name, begin, at, end)
        at, number = _skip(content, end), number + 1
        if content[at] == ",":
            at = _skip(content, at + 1)


def _skip(content: str, at: int) -> int:
    found = _BLANKS.match(content, at)
    return found.end() if found else at
