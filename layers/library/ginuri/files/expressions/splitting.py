"""Splits a pattern into narrower ones that together match the same names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ginuri.registry.rules.faults import fault_of
from ginuri.registry.rules.grammar import ALL_THE_REST

_PIECE = r"\{[^{}]*\}"
_PART = re.compile(rf"(\[(?:[^\[\]{{}}]|{_PIECE})*\]|{_PIECE})")
_NAMED = re.compile(r"\{(\+?)\w+")
_REST = re.compile(r"\{\+\w+\}\]?$")
_PLAIN = re.compile(r"\{\w+\}")
_FIRST = re.compile(r"\{\w+:([a-z]+|\[[^\[\]{}]+\])\(1\)\}")
_MEMBERS = {"digits": "0-9", "letters": "A-Za-z", "upper": "A-Z", "lower": "a-z", "alnum": "A-Za-z0-9"}
_WORDS = re.compile(r"\{\w+:([^\[({}]*\|[^{}]*)\}")


def split_pattern(text: str) -> Sequence[str]:
    """Split a pattern by its first option, else by its words, else by the first slash of a piece.

    The result is empty if the pattern has none of them.

    >>> split_pattern("x[/]{id:a|b}"), split_pattern("x-{+rest}")
    (['x{id:a|b}', 'x/{id:a|b}'], ['x-{id}', 'x-{id}/', 'x-{id}/{+rest}', 'x-/', 'x-/{+rest}'])
    """
    parts = _PART.split(text)
    for choose in (_without_option, _one_word, _before_slash):
        for at, part in enumerate(parts):
            if choices := choose(part):
                before, after = "".join(parts[:at]), "".join(parts[at + 1 :])
                texts = [_rename(f"{before}{choice}{after}") for choice in choices]
                return [each for text in texts for each in _sound_parts(text)]
    return []


def exclude_first(text: str, other: str) -> Sequence[str]:
    """Narrow a piece to texts that begin with another character than the piece of another pattern there.

    The result is empty if the patterns have no such pieces. Texts that begin with an escape are left out.

    >>> exclude_first("v/{id}", "v/{part1:digits(1)}{part2}/x")
    ['v/{id:[^0-9](1)}', 'v/{part1:[^0-9](1)}{part2}']
    """
    parts, others = _PART.split(text), _PART.split(other)
    for at, (part, beside) in enumerate(zip(parts, others, strict=False)):
        first = _FIRST.fullmatch(beside)
        if first is not None and _PLAIN.fullmatch(part):
            members = _MEMBERS.get(first[1], first[1].strip("[]"))
            members = members[1:] if members.startswith("^") else f"^{members}"
            before, after = "".join(parts[:at]), "".join(parts[at + 1 :])
            texts = [f"{before}{{a:[{members}](1)}}{more}{after}" for more in ("", "{b}")]
            return [each for each in map(_rename, texts) if is_sound(each)]
        if _NAMED.sub("{", part) != _NAMED.sub("{", beside):
            break
    return []


def _sound_parts(text: str) -> Sequence[str]:
    """Return a text that is a pattern; else the patterns within it, if options keep it from being one."""
    if is_sound(text):
        return [text]
    has_option = any(part.startswith("[") for part in _PART.split(text))
    return split_pattern(text) if has_option else []


def is_name(text: str) -> bool:
    """Return whether a pattern is a single name."""
    return "{" not in text and "[" not in text


def is_sound(text: str) -> bool:
    """Return whether a text is a pattern, a name, or everything."""
    has_dots = not {".", ".."}.isdisjoint(text.split("/"))
    if text.startswith("/") or "//" in text or has_dots:
        return False
    return text in {"", ALL_THE_REST} or fault_of(text) is None


def _without_option(part: str) -> Sequence[str]:
    return ["", part[1:-1]] if part.startswith("[") else []


def _one_word(part: str) -> Sequence[str]:
    found = _WORDS.fullmatch(part)
    return found[1].split("|") if found is not None else []


def _before_slash(part: str) -> Sequence[str]:
    return ["{a}", "{a}/", "{a}/{+b}", "/", "/{+b}"] if part.startswith("{+") else []


def _rename(text: str) -> str:
    """Name the pieces `id` or `part1`, …; the last one `rest` if it is at the end and takes slashes."""
    number = len(_NAMED.findall(text))
    ends = _REST.search(text) is not None
    names = ["id"] if number - ends == 1 else [f"part{at}" for at in range(1, number - ends + 1)]
    following = iter([*names, *(["rest"] if ends else [])])
    return _NAMED.sub(lambda found: f"{{{found[1]}{next(following)}", text)
