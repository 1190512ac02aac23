"""The causes of differences between two answers."""

from __future__ import annotations

from enum import StrEnum


class Comparison(StrEnum):
    """The result of comparing two answers: that they agree, or the cause of their difference."""

    SAME = "same"
    KNOWN_TO_NEITHER = "known to neither"
    OTHER_TARGET = "other target"
    OTHER_FORM = "other form"
    """The target is the one that the other resolver gives to another `Accept`."""
    LOST_QUERY = "lost query"
    ADDED_QUERY = "added query"
    OTHER_QUERY = "other query"
    OTHER_FRAGMENT = "other fragment"
    OTHER_SCHEME = "scheme of the target"
    FINAL_SLASH = "final slash"
    LETTER_CASE = "letter case"
    ESCAPES = "escapes"
    DETOUR_HERE = "one more redirect here"
    DETOUR_THERE = "one more redirect there"
    TO_ITSELF = "redirects to itself"
    FALLS_BACK = "falls back"
    """It is led on to another server, where the name may be registered."""
    OTHER_KIND = "other kind of answer"
    OTHER_MEDIA_TYPE = "other media type"
    OTHER_STATUS = "other status"
    NOT_ACCEPTABLE_HERE = "not acceptable here"
    NOT_ACCEPTABLE_THERE = "not acceptable there"
    ONLY_THERE = "only there"
    ONLY_HERE = "only here"
    ERROR_HERE = "error here"
    ERROR_THERE = "error there"
    ERROR_AT_BOTH = "error at both"

    @property
    def agrees(self) -> bool:
        """Whether the two resolvers answer alike."""
        return self in {Comparison.SAME, Comparison.KNOWN_TO_NEITHER}

    @property
    def is_error(self) -> bool:
        """Whether an answer is missing, so that the request may be sent again."""
        return self in {Comparison.ERROR_HERE, Comparison.ERROR_THERE, Comparison.ERROR_AT_BOTH}
