"""Finding an identifier with its ancestors: one call for all that is not in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ginuri.frozen import Frozen, replace
from ginuri.identifiers import Identifier
from ginuri.identifiers.roots import ancestors_of
from ginuri.registry.model import Registered, ResourceType, Scheme
from ginuri.registry.ports import MOST_BROADER, MOST_FETCHED, Found, NearNameReader, RememberedRecords
from ginuri.registry.version_names import documents_above, versioned_by

RECORD_SECONDS = 10.0
"""How long an identifier, or a record it may be a part of, is answered for from memory."""
ANCESTOR_SECONDS = 60.0
"""How long an ancestor, or its absence, is answered for from memory."""
MOST_REMEMBERED = 10_000
"""The limit for the records in memory; the oldest are dropped first."""
MOST_SURROUNDINGS = 1_000
"""The limit for the identifiers that are remembered as a whole, once they are asked for again."""


Mapper = Callable[[Callable[[str], Sequence[str]], Iterable[str]], Iterable[Sequence[str]]]
"""How several names are asked for one by one: `map`, or that of a pool of threads."""


class _Remembered(Frozen):
    record: Registered | None
    read_at: float


class _Surroundings(NamedTuple):
    """What was found for one identifier: as good as a look into memory, as long as memory has the same."""

    records: RememberedRecords
    remembered: Mapping[str, _Remembered]
    until: float


class RememberingFinder:
    """Finds identifiers through a reader and remembers what it read, absence included.

    `clock` counts seconds and never runs backwards. What `mapper` calls touches the reader and nothing else.
    """

    def __init__(self, reader: NearNameReader, clock: Callable[[], float], mapper: Mapper = map) -> None:
        self._reader = reader
        self._clock = clock
        self._mapper = mapper
        self._memory: dict[str, _Remembered] = {}
        self._near: dict[str, tuple[tuple[str, ...], float]] = {}
        self._surroundings: dict[str, _Surroundings] = {}

    def find(self, identifier: Identifier) -> Found:
        """Find an identifier, what it may be a part of, and its ancestors. Raises RegistryUnavailable."""
        name = identifier.normal_form
        again = self._find_again(name)
        if again is not None:
            return Found(identifier, again)
        holders, ancestors = _around(identifier)
        found = self._recall(holders, RECORD_SECONDS) | self._recall(ancestors, ANCESTOR_SECONDS)
        missing = [around for around in (*holders, *ancestors) if around not in found]
        if missing:
            found |= self._read(missing)
        for broader in self._broader(found):
            found |= self._recall((broader,), ANCESTOR_SECONDS) or self._read((broader,))
        records = {around: record for around, record in found.items() if record is not None}
        paired = Found(identifier, records)
        if identifier.is_scheme and identifier.root not in records:
            return self._add_scheme(paired)
        if _is_paired(paired):
            return self._pair([paired])[0]
        # What is asked for once need not be remembered as a whole.
        return paired if missing else Found(identifier, self._keep_surroundings(name, holders, found))

    def find_many(self, identifiers: Sequence[Identifier]) -> list[Found]:
        """Find several at once, in one call for each `MOST_FETCHED` names. Raises RegistryUnavailable.

        What was found shares its records: each has those of all.
        """
        records_by_name: dict[str, Registered | None] = {}
        missing: dict[str, None] = {}
        for holders, ancestors in map(_around, identifiers):
            recalled = self._recall(holders, RECORD_SECONDS) | self._recall(ancestors, ANCESTOR_SECONDS)
            missing |= dict.fromkeys(name for name in (*holders, *ancestors) if name not in recalled)
            records_by_name |= recalled
        records_by_name |= self._read_all(tuple(missing))
        for _ in range(MOST_BROADER):
            unread = tuple(dict.fromkeys(_unread_broader(records_by_name)))
            records_by_name |= self._recall(unread, ANCESTOR_SECONDS)
            records_by_name |= self._read_all([name for name in unread if name not in records_by_name])
        records = {name: record for name, record in records_by_name.items() if record is not None}
        several = [
            self._add_scheme(found) if found.identifier.is_scheme else found
            for found in (Found(identifier, records) for identifier in identifiers)
        ]
        return self._pair(several) if any(map(_is_paired, several)) else several

    def _pair(self, several: Sequence[Found]) -> list[Found]:
        # Few prefixes have things and documents in pairs: the rest must not pay for them.
        from ginuri.resolution.pairs import pair, thing_names  # noqa: PLC0415  see above

        holders = {found.identifier: _around(found.identifier)[0] for found in several}
        things = [thing_names(found, holders[found.identifier]) for found in several]
        names = {name: ancestors_of(name) for pairs in things for name in pairs.values()}
        records_by_name = self._recall(tuple(names), RECORD_SECONDS)
        records_by_name |= self._recall(
            tuple(above for ancestors in names.values() for above in ancestors), ANCESTOR_SECONDS
        )
        records_by_name |= self._read_all(
            list(
                dict.fromkeys(
                    required
                    for name in names
                    for required in (name, *names[name])
                    if required not in records_by_name
                )
            )
        )
        records = {name: record for name, record in records_by_name.items() if record is not None}
        return [
            pair(
                replace(found, records={**records, **found.records}), holders[found.identifier], thing_by_name
            )
            for found, thing_by_name in zip(several, things, strict=True)
        ]

    def _add_scheme(self, found: Found) -> Found:
        """Add a scheme without a record of its own if anything is registered under it."""
        root = found.identifier.root
        if root in found.records or not self._read_near([root])[0]:
            return found
        return replace(found, records={**found.records, root: Scheme(identifier=root, modified="")})

    def near(self, identifier: Identifier) -> Sequence[str]:
        """Find registered identifiers with a similar spelling. Raises RegistryUnavailable."""
        return self.near_many((identifier,))[0]

    def near_many(self, identifiers: Sequence[Identifier]) -> list[Sequence[str]]:
        """Find similar spellings of several identifiers, one call for each that is not in memory.

        Raises RegistryUnavailable.
        """
        # Similar spellings are asked for of what is not registered only.
        from ginuri.identifiers.folding import fold  # noqa: PLC0415  see above

        return self._read_near(
            # The only other spelling of a scheme, its final slash aside, was read with it.
            [
                identifier.root if identifier.is_scheme else fold(identifier.normal_form)
                for identifier in identifiers
            ]
        )

    def _read_near(self, folded: Sequence[str]) -> list[Sequence[str]]:
        oldest = self._clock() - RECORD_SECONDS
        recalled = ((name, self._near.get(name)) for name in folded)
        names_by_folded = {
            name: entry[0] for name, entry in recalled if entry is not None and entry[1] > oldest
        }
        missing = [name for name in dict.fromkeys(folded) if name not in names_by_folded]
        for name, names in zip(missing, self._mapper(self._reader.near, missing), strict=True):
            names_by_folded[name] = tuple(names)
            self._near.pop(name, None)
            self._near[name] = names_by_folded[name], self._clock()
        _keep_the_newest(self._near, MOST_REMEMBERED)
        return [names_by_folded[name] for name in folded]

    def _recall(self, names: Sequence[str], seconds: float) -> dict[str, Registered | None]:
        oldest = self._clock() - seconds
        recalled = {}
        for name in names:
            entry = self._memory.get(name)
            if entry is not None and entry.read_at > oldest:
                recalled[name] = entry.record
        return recalled

    def _read(self, names: Sequence[str]) -> dict[str, Registered | None]:
        fetched = self._reader.fetch(names)
        now = self._clock()
        read = {name: fetched.get(name) for name in names}
        for name, record in read.items():
            self._memory.pop(name, None)
            self._memory[name] = _Remembered(record, now)
        _keep_the_newest(self._memory, MOST_REMEMBERED)
        return read

    def _read_all(self, names: Sequence[str]) -> dict[str, Registered | None]:
        read: dict[str, Registered | None] = {}
        for start in range(0, len(names), MOST_FETCHED):
            read |= self._read(names[start : start + MOST_FETCHED])
        return read

    def _find_again(self, name: str) -> RememberedRecords | None:
        known = self._surroundings.get(name)
        if known is None or known.until <= self._clock():
            return None
        for read, entry in known.remembered.items():
            if self._memory.get(read) is not entry:
                return None
        return known.records

    def _keep_surroundings(
        self, name: str, holders: Sequence[str], records_by_name: Mapping[str, Registered | None]
    ) -> RememberedRecords:
        remembered = {read: self._memory[read] for read in records_by_name if read in self._memory}
        until = min(
            entry.read_at + (RECORD_SECONDS if read in holders else ANCESTOR_SECONDS)
            for read, entry in remembered.items()
        )
        records = RememberedRecords(
            {read: record for read, record in records_by_name.items() if record is not None}
        )
        records.written_links = {}
        self._surroundings.pop(name, None)
        self._surroundings[name] = _Surroundings(records, remembered, until)
        _keep_the_newest(self._surroundings, MOST_SURROUNDINGS)
        return records

    @staticmethod
    def _broader(found: Mapping[str, Registered | None]) -> Iterator[str]:
        # A type may inherit from one that is no ancestor of the identifier: follow the chain, once a minute.
        for _ in range(MOST_BROADER):
            unread = _unread_broader(found)
            if not unread:
                return
            yield unread[0]


def _around(identifier: Identifier) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that may answer for an identifier, and those of its other ancestors."""
    ancestors = identifier.ancestors
    if identifier.normal_form.endswith("/"):  # as most do: neither a part nor a version
        return (identifier.normal_form,), ancestors
    if identifier.is_scheme and not identifier.is_terminated:
        return (identifier.normal_form,), (identifier.root,)
    holders = (identifier.normal_form, *identifier.stems)
    if identifier.scheme == "ark":
        # Few identifiers are ARKs: the rest must not pay for them.
        from ginuri.resolution.arks.passthrough import bases_of  # noqa: PLC0415  see above

        # No ARK ends in a slash: what stands above one comes in place of what could never be registered.
        holders, ancestors = (identifier.normal_form, *bases_of(identifier)), ancestors[:2]
    for versioned in versioned_by(identifier)[1:]:  # the thing is an ancestor, the document is not
        holders += (versioned.normal_form, *versioned.stems)
    holders += tuple(document for document, _ in documents_above(identifier))
    if not identifier.is_terminated and len(identifier.segments) > 1 and identifier.scheme != "ark":
        return (*holders, ancestors[-1]), ancestors[:-1]
    return holders, ancestors


def _is_paired(found: Found) -> bool:
    for name in found.identifier.ancestors:  # a loop, and no generator: every request pays for it
        record = found.records.get(name)
        if record is not None and record.rules and any(rule.is_pairing for rule in record.rules):
            return True
    return False


def _unread_broader(found: Mapping[str, Registered | None]) -> list[str]:
    types = [record for record in found.values() if isinstance(record, ResourceType)]
    return [
        resource_type.broader
        for resource_type in types
        if resource_type.broader and resource_type.broader not in found
    ]


def _keep_the_newest(memory: dict[str, Any], most: int) -> None:
    while len(memory) > most:
        del memory[next(iter(memory))]
