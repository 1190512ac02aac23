"""What one request may use: seconds, and calls of other services.

A function answers one request at a time, so that it has one budget, which begins anew with each request. The
threads that read for a request share it. The bytes of an answer are the same for every request and are
counted where it is written (`ginuri.web.response`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import message

if TYPE_CHECKING:
    from typing import Protocol

    class Invocation(Protocol):
        """As much of Lambda's context as a budget needs."""

        def get_remaining_time_in_millis(self) -> int:
            """Return how many milliseconds are left until Lambda ends the function."""


RESERVE = 1.5
"""Seconds of a function's time that are kept for writing and sending the answer."""
MOST_SECONDS = 8.5
"""The limit for the seconds of a request. The edge waits twelve: a cold start may take two of them."""
MOST_CALLS = 500
"""The limit for the calls of a request; a list of a hundred identifiers takes three hundred at most."""
UNLIMITED = float("inf")


class Budget:
    """What is left of the budget; everything, until it begins. `clock` counts seconds and never runs back."""

    __slots__ = ("_until", "calls_left", "clock")

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._until = self.calls_left = UNLIMITED

    def begin(self, invocation: Invocation) -> None:
        """Begin a request, which has to be answered before Lambda ends the function."""
        seconds = invocation.get_remaining_time_in_millis() / 1000 - RESERVE
        self._until = self.clock() + min(seconds, MOST_SECONDS)
        self.calls_left = MOST_CALLS

    def spend_call(self, seconds: float = 0.0) -> float:
        """Count a call, and return how many seconds it may take.

        Raises RegistryUnavailable where no call is left, or no more than the `seconds` that it may need.
        """
        self.calls_left -= 1
        if self.calls_left < 0:
            raise RegistryUnavailable(message("the request needs too many calls"))
        return self.check(seconds)

    def check(self, seconds: float = 0.0) -> float:
        """Return how many seconds are left. Raises RegistryUnavailable if there are not more than these."""
        left = self._until - self.clock()
        if left <= seconds:
            raise RegistryUnavailable(message("the time of the request ran out"))
        return left
