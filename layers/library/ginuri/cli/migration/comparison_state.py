"""The state of a comparison in a file, for the command that goes on with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ginuri.cli.terminal import fault, format_value
from ginuri.identifiers.messages import message
from ginuri.migration.verification.journal import Journal, OtherComparison, Settings
from ginuri.migration.verification.requests import Resolvers


@contextmanager
def open_state(file: Path | None, settings: Settings, resolvers: Resolvers) -> Iterator[Journal | None]:
    """Open the state in a file; None without one.

    Raises CommandFailed if it cannot be used, or if it turns out to be that of another comparison.
    """
    if file is None:
        yield None
        return
    with _explaining(file):
        journal = _open(file, settings, resolvers)
        with closing(journal):
            yield journal


def _open(file: Path, settings: Settings, resolvers: Resolvers) -> Journal:
    try:
        return Journal(file, settings, resolvers)
    except (OSError, ValueError) as error:
        raise fault(message("{file}: {reason}", file=str(file), reason=str(error))) from error


@contextmanager
def _explaining(file: Path) -> Iterator[None]:
    try:
        yield
    except OtherComparison as error:
        raise fault(
            message(
                "{file} is the state of another comparison: {name} was {stored}, and is {stated}. "
                "Name another file.",
                file=str(file),
                name=error.name,
                stored=format_value(error.stored),
                stated=format_value(error.stated),
            )
        ) from error
