"""The characters of RFC 3986, and the normal form of escapes (§6.2.2.1, §6.2.2.2)."""

from __future__ import annotations

import re

from ginuri.identifiers.messages import message

# RFC 3986 §2.3  unreserved  = ALPHA / DIGIT / "-" / "." / "_" / "~"
UNRESERVED = r"[A-Za-z0-9\-._~]"
# RFC 3986 §2.1  pct-encoded = "%" HEXDIG HEXDIG
PCT_ENCODED = r"%[0-9A-Fa-f]{2}"
# RFC 3986 §2.2  sub-delims  = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
# RFC 3986 §3.3  pchar       = unreserved / pct-encoded / sub-delims / ":" / "@"
PCHAR = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|{PCT_ENCODED})"

_BROKEN_ESCAPE = r"%(?![0-9A-Fa-f]{2})"
BROKEN_ESCAPE = message('"%" must be followed by two hexadecimal digits')
"""The reason for a fault that `broken_escape` finds."""


def broken_escape(text: str) -> int | None:
    """Return the offset of the first "%" without two hexadecimal digits; None without one."""
    found = re.search(_BROKEN_ESCAPE, text)
    return found.start() if found else None


def normalise_escapes(text: str) -> str:
    """Undo the escapes of unreserved characters, and write the others in upper case.

    RFC 3986 §6.2.2: "%2D" is "-", but "%2F" is not "/". Broken escapes stay as they are.

    >>> normalise_escapes("a%2db%2fc")
    'a-b%2Fc'
    """
    return re.sub(PCT_ENCODED, _normal_escape, text) if "%" in text else text


def _normal_escape(escape: re.Match[str]) -> str:
    character = chr(int(escape[0][1:], 16))
    return character if re.fullmatch(UNRESERVED, character) else escape[0].upper()
