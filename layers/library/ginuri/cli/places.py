"""Registries by address: a folder on this machine, `stack:NAME` in AWS, or `stack:` for the local stack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ginuri.cli.folder_stack import open_folder
from ginuri.cli.stack import explaining_failures, find_stack
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Words
from ginuri.registry.transfer import RegistryTarget
from ginuri.sqlite.database import Database
from ginuri.sqlite.lock import IngestLock

_STACK = "stack:"


@contextmanager
def open_two(
    one: str, other: str, failure: Words, *, may_create: bool = False
) -> Iterator[tuple[RegistryTarget, RegistryTarget]]:
    """Open the registries at two addresses; `may_create` makes the folder of the second one.

    Raises CommandFailed with the remedy, if there is none or a call fails.
    """
    with (
        explaining_failures(failure, lambda error: error.words),
        _open(one) as (first, explain_first),
        _open(other, may_create=may_create) as (second, explain_second),
        # A stack explains the failures of a folder as well.
        explaining_failures(failure, explain_first if one.startswith(_STACK) else explain_second),
    ):
        yield first, second


@contextmanager
def _open(
    address: str, *, may_create: bool = False
) -> Iterator[tuple[RegistryTarget, Callable[[RegistryUnavailable], Words]]]:
    if address.startswith(_STACK):
        stack = find_stack(address.removeprefix(_STACK) or None)
        yield stack.whole, stack.explain
        return
    folder = Path(address)
    if may_create and _is_free(folder):
        Database(folder).close()
    with open_folder(folder) as opened:
        yield opened.whole, opened.explain


@contextmanager
def freeze(address: str) -> Iterator[bool]:
    """Let no process change a folder meanwhile, and return whether that succeeded.

    A stack in AWS cannot be frozen from here. Raises RegistryUnavailable.
    """
    if address.startswith(_STACK):
        yield True
        return
    with IngestLock(Path(address)) as lock:
        yield lock.acquire()


def _is_free(folder: Path) -> bool:
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
