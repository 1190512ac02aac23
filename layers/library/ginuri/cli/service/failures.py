"""The errors of the client as those of a stack, and their words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ginuri.cli.terminal import CommandFailed, fault
from ginuri.client.errors import NotAuthenticated, ServiceError, ServiceUnreachable
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Words, message


@contextmanager
def unavailable() -> Iterator[None]:
    """Raise RegistryUnavailable for an error of the client."""
    try:
        yield
    except (ServiceError, ServiceUnreachable) as error:
        raise RegistryUnavailable(str(error)) from error


def explain(error: RegistryUnavailable) -> Words:
    """Describe a failure and, if it is known, its remedy."""
    match error.__cause__:
        case NotAuthenticated() as refused:
            return message(
                "{answer} Set GINURI_TOKEN to a token of this service, or keep one with {command}.",
                answer=str(refused),
                command="`ginuri token keep`",
            )
        case ServiceError() | ServiceUnreachable() as refused:
            return str(refused)
        case _:
            return error.words


def only_operators(service: str, part: Words) -> CommandFailed:
    """Return the error of a command that needs a part of a stack which the HTTP API does not have."""
    return fault(
        message(
            "{service} gives {part} to operators only. Name the stack with --stack, or the folder with "
            "--registry.",
            service=service,
            part=part,
        )
    )
