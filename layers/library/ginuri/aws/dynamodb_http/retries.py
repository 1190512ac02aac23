"""The rules for trying a read again."""

from __future__ import annotations

from ginuri.aws.dynamodb_http.failures import AwsFailure

CALL_SECONDS = 8.0
"""The seconds of a whole call if no budget is shorter."""
SHORTEST, LONGEST = 0.05, 1.0
"""The most seconds before the second try, and before any."""

_SERVER_ERRORS = 500
_THROTTLED = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "TransactionInProgressException",
}
_CAPACITY, _COST, _EARNED = 500.0, 5.0, 1.0


def is_passing(failure: AwsFailure) -> bool:
    """Return whether another try of a read may succeed."""
    return failure.is_lost or failure.status >= _SERVER_ERRORS or failure.code in _THROTTLED


def pause_before(tries: int) -> float:
    """Return the seconds to wait after a number of tries, with full jitter to spread concurrent retries."""
    from random import uniform

    return uniform(0, min(LONGEST, SHORTEST * 2 ** (tries - 1)))  # noqa: S311  a delay is not secret


class RetryBudget:
    """The budget for retries, so that they never become most of the load of a table in trouble.

    As in the standard mode of AWS's SDKs: five of five hundred tokens a retry, one back for a success.
    Concurrent threads may lose or gain a token.
    """

    __slots__ = ("_left",)

    def __init__(self, left: float = _CAPACITY) -> None:
        self._left = left

    @property
    def is_left(self) -> bool:
        """Whether there are enough tokens for a retry."""
        return self._left >= _COST

    def spend(self) -> bool:
        """Take the tokens of a retry; return whether there were enough."""
        if not self.is_left:
            return False
        self._left -= _COST
        return True

    def earn(self) -> None:
        """Return a token for a success."""
        if self._left < _CAPACITY:
            self._left += _EARNED
