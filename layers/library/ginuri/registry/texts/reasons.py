"""The registry's own reasons: stored in English, and shown in the language of the reader."""

from __future__ import annotations

import re

from ginuri.identifiers.messages import Message, Words, message

_STORED = re.compile(r"Not listed in the snapshot of (?P<prefix>\S+) of (?P<day>\d{4}-\d{2}-\d{2})")
_FORMER = re.compile(r"not in what is handed in as all there is under (?P<prefix>\S+)")


def not_listed(prefix: str, day: str) -> Message:
    """Return why a snapshot retires an identifier.

    >>> str(not_listed("uri-gin/azgs/", "2026-11-23"))
    'Not listed in the snapshot of uri-gin/azgs/ of 2026-11-23'
    """
    return message("Not listed in the snapshot of {prefix} of {day}", prefix=prefix, day=day)


def read_reason(reason: str) -> Words:
    """Return a stored reason as a message if it is the registry's own, else unchanged."""
    if found := _STORED.fullmatch(reason):
        return not_listed(**found.groupdict())
    if found := _FORMER.fullmatch(reason):
        return message("Not listed in a snapshot of {prefix}", prefix=found["prefix"])
    return reason
