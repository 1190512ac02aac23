"""Line breaks in long names; a browser by itself would break within a word, or after `uri-`."""

from __future__ import annotations

import re
from itertools import chain

from markupsafe import Markup, escape

from ginuri.resolution.negotiation.preferences import remembered

# The two slashes after a scheme stay with the following text.
_AFTER_SLASHES = re.compile(r"(?<=[^/:][/:])(?=[^/])")
_BEFORE_DOTS = re.compile(r"(?=\.[A-Za-z_]+(?:[./]|$))")
_BREAK = "<wbr>"
_WHOLE = Markup('<span class="whole">'), Markup("</span>")
_SHORT, _LONG, _TOO_LONG = 16, 20, 30
"""The most characters of a piece that is kept together, and of a word or piece without a break."""


@remembered
def break_long_names(text: str) -> Markup:
    """Write a text as HTML, with marks at possible line breaks."""
    return Markup(" ".join(map(_breakable, text.split(" "))))  # noqa: S704  made of escaped pieces


def _breakable(word: str) -> str:
    if len(word) <= _LONG:
        return _keep_together(word)
    pieces = _AFTER_SLASHES.split(word)
    split = (_BEFORE_DOTS.split(piece) if len(piece) > _TOO_LONG else [piece] for piece in pieces)
    return _BREAK.join(map(_keep_together, chain.from_iterable(split)))


def _keep_together(piece: str) -> str:
    is_kept = "-" in piece and "/" in piece and len(piece) <= _SHORT
    return escape(piece).join(_WHOLE) if is_kept else escape(piece)
