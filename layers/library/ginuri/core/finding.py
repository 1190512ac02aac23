"""Finding an identifier with its ancestors: one call for whatever is not in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ginuri.core.identifiers import Identifier
from ginuri.core.model import Registered, ResourceType
from ginuri.core.registry import MOST_BROADER, Found, Reader

RECORD_SECONDS = 10.0
"""How long an identifier, or a record it may be a part of, is answered for from memory."""
ANCESTOR_SECONDS = 60.0
"""How long an ancestor, or its absence, is answered for from memory."""
MOST_REMEMBERED = 10_000
"""How many records are kept in memory; the oldest go first."""


@dataclass(frozen=True, slots=True)
class _Remembered:
    record: Registered | None
    read_at: float


class RememberingFinder:
    """Finds identifiers through a reader and remembers what it read, absence included.

    `clock` counts seconds and never runs backwards.
    """

    def __init__(self, reader: Reader, clock: Callable[[], float]) -> None:
        self._reader = reader
        self._clock = clock
        self._memory: dict[str, _Remembered] = {}

    def find(self, identifier: Identifier) -> Found:
        """Find an identifier, what it may be a part of, and its ancestors. Raises RegistryUnavailable."""
        ancestors = identifier.ancestors
        holders = (identifier.normal_form, *identifier.stems)
        if not identifier.is_terminated and len(identifier.segments) > 1:
            holders, ancestors = (*holders, ancestors[-1]), ancestors[:-1]
        found = self._recall(holders, RECORD_SECONDS) | self._recall(ancestors, ANCESTOR_SECONDS)
        missing = [name for name in (*holders, *ancestors) if name not in found]
        if missing:
            found |= self._read(missing)
        for broader in self._broader(found):
            found |= self._recall((broader,), ANCESTOR_SECONDS) or self._read((broader,))
        return Found(identifier, {name: record for name, record in found.items() if record is not None})

    def _recall(self, names: Sequence[str], seconds: float) -> dict[str, Registered | None]:
        oldest = self._clock() - seconds
        recalled = ((name, self._memory.get(name)) for name in names)
        return {name: it.record for name, it in recalled if it is not None and it.read_at > oldest}

    def _read(self, names: Sequence[str]) -> dict[str, Registered | None]:
        fetched = self._reader.fetch(names)
        now = self._clock()
        read = {name: fetched.get(name) for name in names}
        for name, record in read.items():
            self._memory.pop(name, None)
            self._memory[name] = _Remembered(record, now)
        while len(self._memory) > MOST_REMEMBERED:
            del self._memory[next(iter(self._memory))]
        return read

    @staticmethod
    def _broader(found: Mapping[str, Registered | None]) -> Iterator[str]:
        # A type may inherit from one that is no ancestor of the identifier: follow the chain, once a minute.
        for _ in range(MOST_BROADER):
            types = [record for record in found.values() if isinstance(record, ResourceType)]
            unread = [each.broader for each in types if each.broader and each.broader not in found]
            if not unread:
                return
            yield unread[0]
