"""The answer of an identifier on a day, decided on the registry of that day."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ginuri.identifiers import Identifier
from ginuri.identifiers.roots import root_of
from ginuri.registry.model import Registered
from ginuri.registry.ports import HistoryReader
from ginuri.registry.reading import read_registered
from ginuri.registry.record.record import Record
from ginuri.registry.rules.beginnings import STORED, cover_of
from ginuri.resolution.decision import Question
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.outcomes import Decision
from ginuri.resolution.resolve import resolve
from ginuri.resolution.versions.original_dates import NAMES, original_date

_LAST_DAY = "9999-12-31"


def end_of(day: str) -> str:
    """Return the last moment of a day in UTC, in the format of stamps.

    >>> end_of("2019-06-01")
    '2019-06-01T23:59:59.999Z'
    """
    return f"{day}T23:59:59.999Z"


def stated_date(record: Record) -> tuple[str, str] | None:
    """Return the original date of a record, with the property that states it."""
    properties: Mapping[str, Any] = record.in_force().members("properties")
    return original_date({name: properties.get(name) or () for name in NAMES})


def decide_then(identifier: Identifier, archive: HistoryReader, day: str) -> Decision:
    """Decide the answer to a client without preferences at the end of a day, by today's decision.

    Rules, delegations, types and versions are those of that day; other spellings of the identifier are not
    looked up. Raises RegistryUnavailable.
    """
    finder = RememberingFinder(_Past(archive, end_of(day)), time.monotonic)
    hosts = [identifier.host] if identifier.host else []
    return resolve(Question(identifier, datetime.fromisoformat(end_of(day)), hosts), finder).decision


class _Past:
    """A registry at a past moment."""

    def __init__(self, archive: HistoryReader, moment: str) -> None:
        self._archive = archive
        self._moment = moment

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        then = {name: self._archive.history(name).at(self._moment_for(name)) for name in names}
        return {
            name: read_registered(name, record.values(), record.modified.put)
            for name, record in then.items()
            if record is not None
        }

    def _moment_for(self, name: str) -> str:
        # Cuts are never removed, and of several statements of one, the first to come is kept.
        return end_of(_LAST_DAY) if name == cover_of(root_of(name.removeprefix(STORED))) else self._moment

    def near(self, folded: str) -> Sequence[str]:  # noqa: ARG002  the index has only today's names
        return ()

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:  # noqa: ARG002  the same
        return ()
