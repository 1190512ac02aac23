"""The limits of one request: seconds, and calls of other services.

A function answers one request at a time, so it has one budget, which starts again with each request. The
threads that read for a request share it. The limit on the bytes of an answer is the same for every request,
and is checked where the answer is written (`ginuri.web.response`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import message

if TYPE_CHECKING:
    from typing import Protocol

    class Invocation(Protocol):
        """The part of Lambda's context that a budget uses."""

        def get_remaining_time_in_millis(self) -> int:
            """Return the milliseconds that are left until Lambda ends the function."""


RESERVE = 1.5
"""Seconds of a function's time that are reserved for writing and sending the answer."""
MOST_SECONDS = 8.5
"""The most seconds of a request. The edge waits twelve, and a cold start may take two of them."""
MOST_CALLS = 500
"""The most calls of a request; a list of a hundred identifiers needs at most three hundred."""
UNLIMITED = float("inf")


class Budget:
    """The rest of the budget; all of it, until it starts. `clock` counts seconds and never runs backwards."""

    __slots__ = ("_until", "calls_left", "clock")

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._until = self.calls_left = UNLIMITED

    def begin(self, invocation: Invocation) -> None:
        """Start a request, which has to be answered before Lambda ends the function."""
        seconds = invocation.get_remaining_time_in_millis() / 1000 - RESERVE
        self._until = self.clock() + min(seconds, MOST_SECONDS)
        self.calls_left = MOST_CALLS

    def spend_call(self, seconds: float = 0.0) -> float:
        """Count a call, and return the seconds that it may take.

        Raises RegistryUnavailable if no call is left, or no more than the `seconds` that it may need.
        """
        self.calls_left -= 1
        if self.calls_left < 0:
            raise RegistryUnavailable(message("the request needs too many calls"))
        return self.check(seconds)

    def check(self, seconds: float = 0.0) -> float:
        """Return the seconds that are left. Raises RegistryUnavailable if there are not more than these."""
        left = self._until - self.clock()
        if left <= seconds:
            raise RegistryUnavailable(message("the time of the request ran out"))
        return left
