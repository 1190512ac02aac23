"""The collaborators of the client: a transport, credentials, a budget. Imported for annotations only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ginuri.aws.dynamodb_http.transport import HttpAnswer

Keys = tuple[str, str, str | None]
"""The access key, the secret key, and the session token if there is one."""


class Budget(Protocol):
    """The seconds and calls that the caller has left."""

    @property
    def clock(self) -> Callable[[], float]:
        """Count seconds."""

    def spend_call(self) -> float:
        """Count a call, and return how many seconds it may take; raise an error if none is left."""


class CredentialSource(Protocol):
    """The source of credentials."""

    def current(self) -> Keys:
        """Return the current credentials. Raises AwsFailure if there are none."""

    def renew(self) -> bool:
        """Find the credentials again after a refusal; return whether they changed."""


class Transport(Protocol):
    """The transport of a call."""

    def post(self, operation: str, body: str, keys: Keys, date: str | None, seconds: float) -> HttpAnswer:
        """Carry out one call within some seconds. Raises AwsFailure if the answer is incomplete.

        `body` is ASCII. `date` is the time to sign with, in the form of `X-Amz-Date`; None is now.
        """
