"""The part of Lambda's context that handlers use."""

from __future__ import annotations


class Context:
    """The context of an invocation that may take ten seconds; the clock stands still."""

    def __init__(self, milliseconds: int = 10_000) -> None:
        self._milliseconds = milliseconds

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds that are left."""
        return self._milliseconds
