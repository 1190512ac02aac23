"""The clock as an argument, so that tests and history can use any moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

Clock = Callable[[], datetime]
BEGINNING = datetime.min.replace(tzinfo=UTC)
"""A moment before every day: the moment of a question before the clock is read."""
ENDING = datetime.max.replace(tzinfo=UTC)
"""A moment after every day: uploads are checked against their future records."""


utc_now: Clock = partial(datetime.now, UTC)


def write_moment(moment: datetime) -> str:
    """Write a moment as RFC 3339 in UTC with milliseconds, like the times of uploads."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
