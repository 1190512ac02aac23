"""The credentials that sign calls."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ginuri.aws.dynamodb_http.failures import AwsFailure

if TYPE_CHECKING:
    from botocore.credentials import Credentials

    from ginuri.aws.dynamodb_http.ports import CredentialSource, Keys


def find_credentials() -> CredentialSource:
    """Return the source of credentials: the environment, or else botocore."""
    # Credentials that expire are renewed by botocore's rules.
    if _read() and not os.environ.get("AWS_CREDENTIAL_EXPIRATION"):
        return EnvironmentCredentials()
    return BotocoreCredentials()


class EnvironmentCredentials:
    """The credentials in the environment of a function, valid for its lifetime."""

    def __init__(self) -> None:
        self._keys = _read()

    def current(self) -> Keys:
        """Return the credentials. Raises AwsFailure if there are none."""
        if self._keys is None:
            raise AwsFailure("NoCredentialsError")
        return self._keys

    def renew(self) -> bool:
        """Read the environment again; return whether the credentials changed."""
        before, self._keys = self._keys, _read()
        return self._keys != before


class BotocoreCredentials:
    """Credentials of containers, instances, profiles and other sources, which botocore renews."""

    def __init__(self) -> None:
        self._found: Credentials | None = None

    def current(self) -> Keys:
        """Return the credentials, refreshed if due. Raises AwsFailure without any."""
        from botocore.exceptions import BotoCoreError
        from botocore.session import get_session

        try:
            if self._found is None:
                self._found = get_session().get_credentials()
            keys = self._found and self._found.get_frozen_credentials()
        except BotoCoreError as error:
            raise AwsFailure(type(error).__name__, str(error)) from error
        if not keys or not keys.access_key or not keys.secret_key:
            raise AwsFailure("NoCredentialsError")
        return keys.access_key, keys.secret_key, keys.token

    def renew(self) -> bool:
        """Find the credentials again; return whether they have changed."""
        before = self.current()
        self._found = None
        return self.current() != before


def _read() -> Keys | None:
    access_key, secret_key = os.environ.get("AWS_ACCESS_KEY_ID"), os.environ.get("AWS_SECRET_ACCESS_KEY")
    if not access_key or not secret_key:
        return None
    return access_key, secret_key, os.environ.get("AWS_SESSION_TOKEN") or None
