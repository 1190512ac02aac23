"""Which of the languages that something is written in a reader would like best (RFC 9110 §12.5.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ginuri.core.negotiation import Languages, read_ranges
from ginuri.core.preferences import read_weighted

SPOKEN = ("en", "es")
"""The languages of the pages' own words; the first where a reader wants neither."""
PREFERRED = ("en", "")
"""The language that all data are told in first, then texts whose language nobody stated."""


def read_languages(accept_language: str | None) -> Languages:
    """Read what a reader says about languages; nothing where there is no header, or a malformed one."""
    return read_weighted(accept_language or "")


def prefer(languages: Languages, offered: Iterable[str]) -> str | None:
    """Give the language that is wanted most, of equals the first offered; None where none is wanted."""
    ranges = read_ranges([each for each in languages if each[0] != "*"])
    weighed = [(ranges.weigh(tag) or 0.0, tag) for tag in offered]
    best = max((weight for weight, _ in weighed), default=0.0)
    return next((tag for weight, tag in weighed if weight == best > 0), None)


def spoken_to(languages: Languages) -> str:
    """Give the language that a page speaks to a reader."""
    return prefer(languages, SPOKEN) or SPOKEN[0]


def choose_text(texts: Mapping[str, str], languages: Languages = ()) -> tuple[str, str]:
    """Choose the text to show first, and its language: a wanted one, English, none, as it comes first.

    `texts` may not be empty.
    """
    wanted = prefer(languages, texts)
    told = next(it for it in (wanted, *PREFERRED, *texts) if it is not None and it in texts)
    return texts[told], told
