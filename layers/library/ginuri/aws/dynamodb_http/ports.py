"""The collaborators of the client: a transport, credentials, a budget. Imported for annotations only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ginuri.aws.dynamodb_http.transport import HttpAnswer

Keys = tuple[str, str, str | None]
"""Access key, secret key, and the session's token if there is one."""


class Budget(Protocol):
    """The seconds and calls that the caller has left."""

    @property
    def clock(self) -> Callable[[], float]:
        """Count seconds."""

    def spend_call(self) -> float:
        """Count a call, and return how many seconds it may take; raise an error if none is left."""


class CredentialSource(Protocol):
    """Where credentials come from."""

    def current(self) -> Keys:
        """Return what to sign with now. Raises AwsFailure where there is nothing."""

    def renew(self) -> bool:
        """Look again after a refusal; return whether there are other ones."""


class Transport(Protocol):
    """What carries a call."""

    def post(self, operation: str, body: str, keys: Keys, date: str | None, seconds: float) -> HttpAnswer:
        """Carry out one call within some seconds. Raises AwsFailure where no whole answer comes.

        `body` is ASCII. `date` is the time to sign with, as `X-Amz-Date` has it; None is now.
        """
