"""Chooses among the languages of a text by a reader's preferences (RFC 9110 §12.5.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ginuri.resolution.negotiation.preferences import Languages, read_ranges, read_weighted

PREFERRED = ("en", "")
"""The default languages of data: English, then texts without a stated language."""


def read_languages(accept_language: str | None) -> Languages:
    """Parse a reader's languages; empty without a header, or with a malformed one."""
    return read_weighted(accept_language or "")


def prefer(languages: Languages, offered: Iterable[str]) -> str | None:
    """Return the most wanted language, of equals the first offered; None if none is wanted."""
    # A header that accepts any language prefers none; one that refuses all others refuses.
    ranges = read_ranges(
        [preference for preference in languages if preference[0] != "*" or not preference[1]]
    )
    weighed = [(ranges.weigh(tag) or 0.0, tag) for tag in offered]
    best = max((weight for weight, _ in weighed), default=0.0)
    return next((tag for weight, tag in weighed if weight == best > 0), None)


def choose_language(languages: Languages, offered: Collection[str], usual: Iterable[str]) -> str:
    """Choose a wanted language, else a usual one, else the first; a refused one only if all are.

    A choice is always made; a text without a language has an empty tag.
    """
    if not languages:
        return next(tag for tag in (*usual, *offered) if tag in offered)
    wanted = prefer(languages, offered)
    if wanted is not None:
        return wanted
    ranges = read_ranges(languages)
    allowed = [tag for tag in offered if ranges.weigh(tag) != 0] or offered
    return next(tag for tag in (*usual, *allowed) if tag in allowed)


def choose_text(texts: Mapping[str, str], languages: Languages = ()) -> tuple[str, str]:
    """Choose the text to show first, and its language: a wanted one, English, none, or the first.

    `texts` may not be empty.
    """
    language = choose_language(languages, texts, PREFERRED)
    return texts[language], language
