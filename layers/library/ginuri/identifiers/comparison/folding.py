"""Folds identifiers, so that other spellings of a name are equal."""

from __future__ import annotations

from urllib.parse import unquote

_HARVESTED = ".,;:!?)]}>'\""
"""Punctuation that often follows a name in running text."""


def fold_writing(normal_form: str) -> str:
    """Fold case, escapes and the final slash: equal results are spellings of one name.

    >>> fold_writing("uri-gin/AZGS/doc/a%20b/") == fold_writing("uri-gin/azgs/doc/A%20B")
    True
    """
    return unquote(normal_form, errors="backslashreplace").casefold().rstrip("/")


def fold(normal_form: str) -> str:
    """Fold like `fold_writing`, and remove final punctuation, which is often harvested with a name."""
    return fold_writing(normal_form).rstrip(f"/{_HARVESTED}")
