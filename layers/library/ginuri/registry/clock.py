"""The time as an argument: whatever depends on it can be asked about any moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Give the time."""
    return datetime.now(UTC)
