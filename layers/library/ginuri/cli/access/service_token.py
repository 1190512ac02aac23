"""The token for a service: from the environment, or from the keyring of the operating system."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from ginuri.cli.terminal import fault
from ginuri.client import Client
from ginuri.identifiers.messages import message

VARIABLE = "GINURI_TOKEN"
"""The environment variable with a token."""
_ENTRY = "ginuri"
"""The name of the entries in the keyring; their users are the addresses of services."""


def make_client(service: str, token: str, language: str) -> Client:
    """Make a client of a service. Raises CommandFailed for an address that no token may be sent to."""
    try:
        return Client(service, token, language=language)
    except ValueError as error:
        raise fault(
            message(
                "A token is only sent over https://, or to this machine. Write the address of the service as "
                "in {example}, not {service}.",
                example="https://id.example.org",
                service=service,
            )
        ) from error


def find_token(service: str) -> str:
    """Find the token for a service. Raises CommandFailed if there is none."""
    if token := os.environ.get(VARIABLE, "").strip() or _kept(service):
        return token
    raise fault(
        message(
            "There is no token for {service}. Set {variable}, or keep one in the keyring with {command}.",
            service=service,
            variable=VARIABLE,
            command=f"`ginuri token keep --service {service}`",
        )
    )


def _kept(service: str) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ModuleNotFoundError:
        return None
    try:
        return keyring.get_password(_ENTRY, service)
    except KeyringError:  # a machine without a keyring; the variable is left
        return None


def keep_token(service: str, token: str) -> None:
    """Store the token for a service in the keyring. Raises CommandFailed."""
    with _open_keyring() as keyring:
        keyring.set_password(_ENTRY, service, token)


def forget_token(service: str) -> bool:
    """Remove the token for a service from the keyring; False if there is none. Raises CommandFailed."""
    with _open_keyring() as keyring:
        if keyring.get_password(_ENTRY, service) is None:
            return False
        keyring.delete_password(_ENTRY, service)
    return True


@contextmanager
def _open_keyring() -> Iterator[ModuleType]:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ModuleNotFoundError as error:
        raise fault(
            message(
                "The keyring needs {module}, which is not installed. To install it, run {install}, or set "
                "{variable} instead.",
                module="keyring",
                install="`pip install 'ginuri[keyring]'`",
                variable=VARIABLE,
            )
        ) from error
    try:
        yield keyring
    except KeyringError as error:
        raise fault(
            message(
                "The keyring of this machine cannot be used: {reason} Set {variable} instead.",
                reason=f"{str(error).removesuffix('.')}.",
                variable=VARIABLE,
            )
        ) from error
