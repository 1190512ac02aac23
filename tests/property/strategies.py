"""What may come in: identifiers, registrations, headers, requests."""

from __future__ import annotations

import string
from typing import Any

from hypothesis import strategies as st

from ginuri.core.record import FIRST, Path

_PLAIN = string.ascii_letters + string.digits + "-._~!$&'()*+,;=:@"
_ESCAPES = st.integers(0, 255).flatmap(
    lambda byte: st.sampled_from([f"%{byte:02X}", f"%{byte:02x}", f"%{byte:02X}".swapcase()])
)


def _names_something(segment: str) -> bool:
    return segment.lower().replace("%2e", ".") not in {".", ".."}


SEGMENTS = (
    st.lists(st.sampled_from(_PLAIN) | _ESCAPES, min_size=1, max_size=8).map("".join).filter(_names_something)
)
"""Lenient segments, escapes and all."""
IDENTIFIERS = st.builds(
    lambda segments, end: "/".join(["uri-gin", *segments]) + end,
    st.lists(SEGMENTS, max_size=6),
    st.sampled_from(["", "/"]),
)
"""Well-formed `uri-gin` identifiers in any writing."""
PATHS = st.lists(
    SEGMENTS
    | st.sampled_from(["", ".", "..", "%", "%2", "%zz", "uri-gin", "uri_gin", "azgs", "\r\nX: y", "\u00e9"]),
    max_size=6,
).map(lambda pieces: "/" + "/".join(pieces))
"""Paths as somebody may send them: some name something."""

_TEXTS = st.none() | st.sampled_from(["a", "b", '\u00e9 "\\\n'])
_LEAVES = st.fixed_dictionaries(
    {},
    optional={
        ("title",): st.none(),  # texts stand below it: what stands here can only clear
        ("title", "en"): _TEXTS,
        ("title", "de"): _TEXTS,
        ("links", "first"): _TEXTS,
        ("reason",): _TEXTS,
        ("successor",): _TEXTS,
        ("status",): st.sampled_from([None, "valid", "reserved", "superseded", "retired"]),
        ("representations",): st.none(),
        ("delegation", "answered_by"): _TEXTS,
        ("delegation", "title", "en"): _TEXTS,
        ("delegation", "to"): st.none(),
        ("delegation", "to", ""): st.sampled_from(["", "uri-gin/usgin/"]),
        ("delegation", "to", "2027-01-01"): st.sampled_from(["", "uri-gin/usgin/"]),
    },
)


def _representations(key: str, number: int) -> st.SearchStrategy[dict[Path, Any]]:
    place = ("representations", key)
    stated = st.fixed_dictionaries(
        {(*place, FIRST): st.just(number), (*place, "part"): st.just(key)},
        optional={
            (*place, "media_type"): _TEXTS,
            (*place, "location"): _TEXTS,
            (*place, "title", "en"): _TEXTS,
            (*place, "status"): st.sampled_from([None, "retired"]),
        },
    )
    return st.just({}) | stated


def _joined(*statements: dict[Path, Any]) -> dict[Path, Any]:
    return {path: value for each in statements for path, value in each.items()}


REGISTRATIONS = st.builds(_joined, _LEAVES, _representations("a.pdf", 0), _representations("b.tif", 1))
"""The statements of one registration: some state, some clear, some retire."""

HEADER_TEXTS = st.text(st.characters(codec="latin-1"), max_size=40) | st.text(
    ',;="<>/*q01. \t\\ab', max_size=40
)
"""Header values that nobody would write, and some that come near."""
