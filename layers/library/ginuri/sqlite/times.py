"""Times and versions of uploads, which rise even if the clock goes back."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from ginuri.registry.clock import write_moment

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def next_moment(now: datetime, last: str | None) -> str:
    """Return the current moment, or a millisecond after the last one if that is later.

    >>> next_moment(datetime.fromisoformat("2026-01-01T00:00Z"), "2026-01-01T00:00:05.999Z")
    '2026-01-01T00:00:06.000Z'
    """
    moment = write_moment(now)
    if last is None or moment > last:
        return moment
    return write_moment(datetime.fromisoformat(last) + timedelta(milliseconds=1))


def new_version(moment: str) -> str:
    """Return a new version: a ULID (https://github.com/ulid/spec), whose order is that of the moments."""
    milliseconds = round(datetime.fromisoformat(moment).timestamp() * 1000)
    number = milliseconds << 80 | secrets.randbits(80)
    return "".join(_DIGITS[number >> shift & 31] for shift in range(125, -1, -5))
