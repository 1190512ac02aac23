"""Plain text: the allowed characters of texts in a registration, and the removal of all others.

Unicode 17, §23: no controls but tabs and line feeds, and no noncharacters. UAX #9, §2: no embeddings, no
overrides, and isolates in pairs. The marks LRM, RLM and ALM and the joiners stay: some languages need them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from unicodedata import is_normalized, normalize

from ginuri.identifiers.messages import Message, message
from ginuri.registry.texts.literals import QUOTED, read_literal, write_literal

MOST_CHARACTERS = 32_767
"""The longest text: the limit of a cell of a spreadsheet."""
LINES = {
    **dict.fromkeys(("title", "requested_by", "contact", "registrant", "label"), False),
    **dict.fromkeys(("description", "reason", "definition", "grammar", "normalization"), True),
    **dict.fromkeys(("properties", "triples"), True),
}
"""The fields that are texts, and whether a text may have several lines."""
_KEYED = frozenset({"representations", "links", "rules"})
"""Fields with objects: in a list when they are stated, by a key when they are stored."""
_OBJECT = ""
_READ = LINES.keys() | _KEYED | {"services", "documentation", "delegation", "tests"}
_MOST_DEPTH = 9
"""The deepest nesting of texts: in the title of a representation of a rule."""

_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
_NONCHARACTERS = r"\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
_EMBEDDINGS = r"\u202a-\u202e"
UNPLAIN = f"{_CONTROLS}{_NONCHARACTERS}{_EMBEDDINGS}"
"""The characters that no text may have, for the brackets of a regular expression."""
_OPENING, _CLOSING = "\u2066\u2067\u2068", "\u2069"
_PIECE = re.compile(f"{QUOTED}|[{UNPLAIN}]")
_REFUSED = re.compile(f"[{UNPLAIN}]")
_ISOLATE = re.compile(f"[{_OPENING}{_CLOSING}]")
# Few ranges are faster than many: characters above plane 1 are checked one by one.
_ODD = re.compile(r"[^\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ufdcf\ufdf0-\ufffd\U00010000-\U0001fffd]")
_ESCAPE = re.compile(r"\\[bfnrtu]")
_RETURN = re.compile(r"\r\n?")
_LINE_END = re.compile(r"\r\n?|[\x0b\x0c]")
_BREAK = re.compile(r" *[\t\n]+ *")
# A C1 control is nearly always a Windows-1252 character that was read as Latin-1.
_WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}

Clean = Callable[[str, str, str], str]
"""Cleans a text; its arguments are the place of the text, its field, and the text."""


def plain(text: str, *, has_lines: bool = True) -> str:
    r"""Return a text without the characters that plain text must not have, in normal form C.

    >>> plain("Map\x1b[31m of\r\nCafe\u0301"), plain("Map\nof it", has_lines=False)
    ('Map[31m of\nCafé', 'Map of it')
    """
    if text.isascii() and text.isprintable():
        return text
    cleaned = text
    if _REFUSED.search(text):
        cleaned = _REFUSED.sub("", _LINE_END.sub("\n", text).translate(_WINDOWS))
    if _ISOLATE.search(text):
        cleaned = "\n".join(map(_without_single_isolates, cleaned.split("\n")))
    if not has_lines:
        cleaned = _BREAK.sub(" ", cleaned)
    if text.strip() and not cleaned.strip():
        return "\N{REPLACEMENT CHARACTER}"
    return normalize("NFC", cleaned)


def fault_of(text: str) -> Message | None:
    """Return the reason why a text is not plain; None if it is, in any normal form and with any line ends."""
    if len(text) > MOST_CHARACTERS:
        return message(
            "The text has {number} characters; at most {most} are allowed. Shorten it.",
            number=f"{len(text):,}",
            most=f"{MOST_CHARACTERS:,}",
        )
    if found := _REFUSED.search(_RETURN.sub("\n", text)):
        return message(
            "The text contains the invisible character {code}, which is not allowed in texts. Delete it.",
            code=_code(found[0]),
        )
    for line in text.split("\n") if _ISOLATE.search(text) else ():
        for at in _single_isolates(line):
            return message(
                "The text contains {code}, which isolates a text of another direction, without its "
                "counterpart in the same line. Delete it, or add the counterpart.",
                code=_code(line[at]),
            )
    return None


def is_plain_json(body: str) -> bool:
    """Return whether all texts in JSON are surely plain, which is faster than parsing and cleaning them."""
    return not (_ODD.search(body) or _ESCAPE.search(body)) and is_normalized("NFC", body)


def plain_values(values: Mapping[str, Any]) -> dict[str, Any]:
    r"""Return the values of a record with plain texts.

    >>> plain_values({"title": {"en": "Map\x07"}, "links": {"up": [{"title": "\x07Up"}]}})
    {'title': {'en': 'Map'}, 'links': {'up': [{'title': 'Up'}]}}
    """
    return clean_texts(values, lambda _, field, text: plain(text, has_lines=LINES[field]))


def clean_texts(
    given: Mapping[str, Any], clean: Clean, place: str = "", depth: int = _MOST_DEPTH
) -> dict[str, Any]:
    """Return a registration, or the values of a record, with each of its texts cleaned."""
    return {
        name: _clean(name, value, clean, f"{place}{name}", depth) if name in _READ else value
        for name, value in given.items()
    }


def _clean(field: str, value: Any, clean: Clean, place: str, depth: int) -> Any:  # noqa: ANN401  any JSON
    is_text, left = field in LINES, depth - 1
    inner = field if is_text else _OBJECT
    match value:
        case str() if field == "triples":
            return _PIECE.sub(lambda found: _clean_piece(found, clean), value)
        case str() if is_text:
            return clean(place, field, value)
        case list() if left:
            return [
                _clean(inner, item, clean, f"{place}.{number}", left) for number, item in enumerate(value)
            ]
        case dict() if left and (is_text or field in _KEYED):
            return {key: _clean(inner, item, clean, f"{place}.{key}", left) for key, item in value.items()}
        case dict() if left:
            return clean_texts(value, clean, f"{place}.", left)
        case _:
            return value


def _clean_piece(found: re.Match[str], clean: Clean) -> str:
    """Clean a literal, or a character outside literals that no text may have."""
    text: str | None = found[1]
    if text is None:
        return clean("triples", "triples", found[0])
    return f'"{write_literal(clean("triples", "triples", read_literal(text)))}"'


def _without_single_isolates(line: str) -> str:
    single = set(_single_isolates(line))
    return "".join(character for at, character in enumerate(line) if at not in single)


def _single_isolates(line: str) -> list[int]:
    """Return the offsets of isolates without a counterpart: UAX #9, BD9, within a paragraph."""
    opened, closing = list[int](), list[int]()
    for found in _ISOLATE.finditer(line):
        if found[0] in _OPENING:
            opened.append(found.start())
        elif opened:
            opened.pop()
        else:
            closing.append(found.start())
    return [*opened, *closing]


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
