"""What an identifier may have been meant for: the same name in another writing."""

from __future__ import annotations

from urllib.parse import unquote

_HARVESTED = ".,;:!?)]}>'\""
"""Punctuation that clings to a name which was taken out of running text."""


def fold_writing(normal_form: str) -> str:
    """Fold case, escapes and the final slash: what differs in nothing else is one name in other writings.

    >>> fold_writing("uri-gin/AZGS/doc/a%20b/") == fold_writing("uri-gin/azgs/doc/A%20B")
    True
    """
    return unquote(normal_form, errors="backslashreplace").casefold().rstrip("/")


def fold(normal_form: str) -> str:
    """Fold what `fold_writing` folds, and punctuation at the end, which is often harvested with a name."""
    return fold_writing(normal_form).rstrip(f"/{_HARVESTED}")
