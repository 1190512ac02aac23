"""The recommended length of a title, and the shortening of longer ones."""

from __future__ import annotations

from ginuri.registry.model import Texts

MOST_CHARACTERS = 1_000
"""The most characters of a title without a warning."""
MOST_LISTED = 300
"""The length at which pages, feeds and references cut the title of another record, in characters."""
_NARROWEST = MOST_LISTED * 2 // 3


def shorten(text: str) -> str:
    """Cut a text between two words and end it with an ellipsis; a short text stays as it is.

    >>> shorten("Geologic map of Bisbee"), len(shorten("&" * 62_000))
    ('Geologic map of Bisbee', 300)
    """
    if len(text) <= MOST_LISTED:
        return text
    cut = text[: MOST_LISTED - 1]
    end = cut.rfind(" ", _NARROWEST)
    return f"{cut[:end] if end > 0 else cut}…"


def shorten_texts(texts: Texts) -> Texts:
    """Cut the text of every language."""
    if all(len(text) <= MOST_LISTED for text in texts.values()):
        return texts
    return {language: shorten(text) for language, text in texts.items()}
