"""When a read is tried again, and after how long."""

from __future__ import annotations

from ginuri.aws.dynamodb_http.failures import AwsFailure

CALL_SECONDS = 8.0
"""How long a whole call may take where no budget is shorter."""
SHORTEST, LONGEST = 0.05, 1.0
"""How many seconds may pass before the second try, and at most before any."""

_SERVER_ERRORS = 500
_THROTTLED = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "TransactionInProgressException",
}
_CAPACITY, _COST, _EARNED = 500.0, 5.0, 1.0


def is_passing(failure: AwsFailure) -> bool:
    """Return whether a read may do better at the next try."""
    return failure.is_lost or failure.status >= _SERVER_ERRORS or failure.code in _THROTTLED


def pause_before(tries: int) -> float:
    """Return how many seconds to wait after so many tries: with full jitter, lest all come back together."""
    from random import uniform

    return uniform(0, min(LONGEST, SHORTEST * 2 ** (tries - 1)))  # noqa: S311  how long to wait is no secret


class RetryBudget:
    """What may be spent on retries, lest they become most of what a table in trouble is asked.

    As in the standard mode of AWS's SDKs: five of five hundred a retry, one back for a success. Threads that
    race lose a token or win one.
    """

    __slots__ = ("_left",)

    def __init__(self, left: float = _CAPACITY) -> None:
        self._left = left

    @property
    def is_left(self) -> bool:
        """Whether there is enough for a retry."""
        return self._left >= _COST

    def spend(self) -> bool:
        """Take what a retry costs; return whether there was enough."""
        if not self.is_left:
            return False
        self._left -= _COST
        return True

    def earn(self) -> None:
        """Give back what a success earns."""
        if self._left < _CAPACITY:
            self._left += _EARNED
