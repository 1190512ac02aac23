"""Unwraps identifiers as people copy them: in brackets or quotes, with a prefix, broken across lines.

    RFC 3986 appendix C: "software that accepts user-typed URI should attempt to recognize and strip both
    delimiters and embedded whitespace"

Only text from a person or a program is unwrapped, never the path of a request.
"""

from __future__ import annotations

import re

# RFC 3986 appendix C: URIs are delimited "usually within double-quotes" or angle brackets; RFC 2141 §2.4:
# URNs contain neither. The others are quotes of word processors. No identifier begins with any of them.
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
# single "."": only one, so that a host with two dots stays malformed.
_FINAL_DOT = re.compile(r"\A((?:https?:)?//[^/?#:]*[^/?#:.])\.(?=[:/?#]|\Z)", re.IGNORECASE)


def unwrap(text: str) -> str:
    """Remove the wrapping of an identifier; any other text stays the same.

    Blanks within a line stay: they may be added or unescaped.

    >>> unwrap(' <URL:"http://example.org./uri-gin/azgs/">')
    'http://example.org/uri-gin/azgs/'
    """
    # RFC 3986 appendix C: whitespace "may have to be added to break a long URI across lines. The whitespace
    # should be ignored when the URI is extracted." RFC 2141 §2.4: octets 1 to 32 are no part of a URN.
    joined = "".join(map(str.strip, text.splitlines()))
    first, end = _wrapped(joined)
    return _FINAL_DOT.sub(r"\1", joined[first:end])


def _wrapped(text: str) -> tuple[int, int]:
    """Find the beginning and the end of the identifier in a line, in linear time."""
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
