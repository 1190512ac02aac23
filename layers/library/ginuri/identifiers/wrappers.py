"""Identifiers as people hand them over: in brackets or quotes, with a prefix, broken across lines.

    RFC 3986 appendix C: "software that accepts user-typed URI should attempt to recognize and strip both
    delimiters and embedded whitespace"

Only what a person or a program hands over as text is unwrapped, never the path of a request.
"""

from __future__ import annotations

import re

# RFC 3986 appendix C: URIs are delimited "usually within double-quotes" or angle brackets; RFC 2141 §2.4: no
# URN has either. The others are what word processors make of quotes. None of them can begin an identifier.
_CLOSING = {
    "<": ">",
    '"': '"',
    "'": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "\N{LEFT SINGLE QUOTATION MARK}": "\N{RIGHT SINGLE QUOTATION MARK}",
    "\N{DOUBLE LOW-9 QUOTATION MARK}": "\N{LEFT DOUBLE QUOTATION MARK}",
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}": "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}",
}
# RFC 3986 appendix C: 'The prefix "URL:" (with or without a trailing space) was formerly recommended'
_PREFIX = "url:"
# RFC 3986 §3.2.2: "The rightmost domain label of a fully qualified domain name in DNS may be followed by a
# single "."": one, so that a host of two dots stays what it is, which is none.
_FINAL_DOT = re.compile(r"\A((?:https?:)?//[^/?#:]*[^/?#:.])\.(?=[:/?#]|\Z)", re.IGNORECASE)


def unwrap(text: str) -> str:
    """Remove what surrounds the identifier in a text; any other text stays the same.

    Blanks within a line stay: whether one was added or not escaped is unknown.

    >>> unwrap(' <URL:"http://example.org./uri-gin/azgs/">')
    'http://example.org/uri-gin/azgs/'
    """
    # RFC 3986 appendix C: whitespace "may have to be added to break a long URI across lines. The whitespace
    # should be ignored when the URI is extracted." RFC 2141 §2.4: octets 1 to 32 are no part of a URN.
    joined = "".join(map(str.strip, text.splitlines()))
    first, end = _wrapped(joined)
    return _FINAL_DOT.sub(r"\1", joined[first:end])


def _wrapped(text: str) -> tuple[int, int]:
    """Find where the identifier in a line begins and ends: a step a character, however much is around it."""
    first, end = 0, len(text)
    while first < end:
        if text[first].isspace():
            first += 1
        elif text[end - 1].isspace():
            end -= 1
        elif end - first > 1 and _CLOSING.get(text[first]) == text[end - 1]:
            first, end = first + 1, end - 1
        elif text[first : first + len(_PREFIX)].lower() == _PREFIX:
            first += len(_PREFIX)
        else:
            break
    return first, max(first, end)
