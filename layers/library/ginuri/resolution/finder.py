"""Finding an identifier with its ancestors: one call for all records that are not in memory.

Memory is limited by bytes and by time. It has two halves: new records go into the younger half. When that is
full, or half a minute old, it becomes the older half, and the content of the older one is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ginuri.frozen import Frozen, replace
from ginuri.identifiers import Identifier
from ginuri.identifiers.roots import ancestors_of
from ginuri.registry.model import Host, Registered, ResourceType, RuleCuts, Scheme
from ginuri.registry.ports import MOST_BROADER, MOST_FETCHED, Found, NearNameReader
from ginuri.registry.rules.beginnings import cover_of, records_above
from ginuri.registry.version_names import documents_above, versioned_by

RECORD_SECONDS = 10.0
"""The seconds that an identifier, or a record it may be a part of, is answered from memory."""
ANCESTOR_SECONDS = 60.0
"""The seconds that an ancestor, or its absence, is answered from memory."""
MOST_BYTES = 16 * 1024 * 1024
"""The limit for the estimated bytes in memory."""

_OF_ENTRY, _OF_NAME, _OF_SURROUNDINGS = 400, 100, 4_000
"""Bytes of an entry without its record, of a similar name, and of the records found for one (measured)."""

_MOST_SUGGESTED = 4
"""The number of ancestors read with a broader type, because types are often broader by their path as well."""

_FEW = 2
"""The most identifiers whose rules are read with them: one, or the two readings of a path."""

Mapper = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""The way to call a reader several times: `map`, or that of a pool of threads."""


class _Remembered(Frozen):
    record: Registered | None
    read_at: float


class _Surroundings(Frozen):
    """The surroundings of one identifier, valid as long as memory has the same entries."""

    records: Mapping[str, Registered]
    remembered: Mapping[str, _Remembered]
    until: float


class _Half:
    """One half: records by name, similar names by folded name, and found records for identifiers."""

    __slots__ = ("near", "records", "since", "size", "surroundings")

    def __init__(self, since: float) -> None:
        self.since, self.size = since, 0
        self.records: dict[str, _Remembered] = {}
        self.near: dict[str, tuple[tuple[str, ...], float]] = {}
        self.surroundings: dict[str, _Surroundings] = {}


class Memory:
    """Caches records, similar names, and the records found for repeated identifiers.

    `clock` counts seconds and never runs backwards.
    """

    def __init__(self, clock: Callable[[], float], most_bytes: int = MOST_BYTES) -> None:
        self._clock = clock
        self._most_bytes = most_bytes
        self._younger, self._older = _Half(clock()), _Half(clock())

    @property
    def size(self) -> int:
        """The estimated number of bytes in memory."""
        return self._younger.size + self._older.size

    def recall(self, names: Iterable[str], seconds: float) -> dict[str, Registered | None]:
        """Return the records that were read within a number of seconds; None for an unregistered one."""
        now = self._clock()
        oldest = now - seconds
        recalled = {}
        for name in names:
            entry = self._younger.records.get(name)
            is_younger = entry is not None
            if entry is None:
                entry = self._older.records.get(name)
            if entry is None or entry.read_at <= oldest:
                continue
            if not is_younger:
                self._put(name, entry, now)
            recalled[name] = entry.record
        return recalled

    def keep(self, records: Mapping[str, Registered | None]) -> None:
        """Cache records that were just read."""
        now = self._clock()
        for name, record in records.items():
            self._put(name, _Remembered(record, now), now)

    def recall_near(self, folded: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the similar names that were read within `RECORD_SECONDS`, by folded name."""
        oldest = self._clock() - RECORD_SECONDS
        found = ((name, self._younger.near.get(name) or self._older.near.get(name)) for name in folded)
        return {name: entry[0] for name, entry in found if entry is not None and entry[1] > oldest}

    def keep_near(self, folded: str, names: tuple[str, ...]) -> None:
        """Cache similar names that were just read."""
        now = self._clock()
        size = _OF_ENTRY + len(folded) + sum(_OF_NAME + len(name) for name in names)
        self._half_for(size, now).near[folded] = names, now

    def find_again(self, name: str) -> Mapping[str, Registered] | None:
        """Return the surroundings of an identifier; None unless memory still has them."""
        known = self._younger.surroundings.get(name)
        if known is None or known.until <= self._clock():
            return None
        records = self._younger.records
        for read, entry in known.remembered.items():
            if records.get(read) is not entry:
                return None
        return known.records

    def keep_surroundings(
        self, name: str, holders: Collection[str], read: Sequence[str], found: Mapping[str, Registered]
    ) -> None:
        """Remember the records around an identifier, if memory still has all of them.

        `holders` are those of the names in `read` that are valid for `RECORD_SECONDS`.
        """
        half = self._half_for(_OF_SURROUNDINGS, self._clock())
        remembered = {each: half.records[each] for each in read if each in half.records}
        if len(remembered) < len(read):
            return
        until = min(
            entry.read_at + (RECORD_SECONDS if each in holders else ANCESTOR_SECONDS)
            for each, entry in remembered.items()
        )
        half.surroundings[name] = _Surroundings(found, remembered, until)

    def _put(self, name: str, entry: _Remembered, now: float) -> None:
        size = _OF_ENTRY + len(name) + (entry.record.size if entry.record is not None else 0)
        self._half_for(size, now).records[name] = entry

    def _half_for(self, size: int, now: float) -> _Half:
        """Return the younger half, after turning the halves over if it is too full or too old."""
        half = self._younger
        age = now - half.since
        if half.size + size > self._most_bytes / 2 or age >= ANCESTOR_SECONDS / 2:
            self._older = half if age < ANCESTOR_SECONDS else _Half(now)
            half = self._younger = _Half(now)
        half.size += size
        return half


class RememberingFinder:
    """Finds identifiers through a reader and caches the results, including absence.

    `clock` counts seconds and never runs backwards. The calls of `mapper` use only the reader.
    """

    def __init__(self, reader: NearNameReader, clock: Callable[[], float], mapper: Mapper = map) -> None:
        self._reader = reader
        self._mapper = mapper
        self._clock = clock
        self.memory = Memory(clock)

    def forget(self) -> None:
        """Forget everything: another process has written to the registry."""
        self.memory = Memory(self._clock)

    def find(self, identifier: Identifier, moment: datetime, host: Identifier | None = None) -> Found:
        """Find an identifier, its stems, its ancestors, and a requested host. Raises RegistryUnavailable."""
        again = self.memory.find_again(identifier.normal_form) if host is None else None
        if again is not None:
            return Found(identifier, again)
        if identifier.is_bound and identifier.segments and ":" in identifier.segments[0]:
            from ginuri.resolution.readings import find_readings

            return next(find_readings((identifier,), self, moment))
        return self._find(identifier, moment, host)

    def _find(self, identifier: Identifier, moment: datetime, host: Identifier | None = None) -> Found:
        name, memory = identifier.normal_form, self.memory
        holders, ancestors = _around(identifier)
        if host is not None:
            ancestors = (*ancestors, host.normal_form)
        found = memory.recall(holders, RECORD_SECONDS) | memory.recall(ancestors, ANCESTOR_SECONDS)
        missing = [around for around in (*holders, *ancestors) if around not in found]
        # One call has to do: before the cuts are known, all beginnings of the name are read.
        of_rules = _rule_records(identifier, found)
        if of_rules:
            found |= memory.recall(of_rules, ANCESTOR_SECONDS)
            missing += [name for name in of_rules if name not in found]
        if missing:
            found |= self._read(missing)
        self._read_broader(found)
        known = {around: record for around, record in found.items() if record is not None}
        records = _at(known, moment)
        paired = Found(identifier, records, None if host is None else _host(records, host))
        if identifier.is_scheme and identifier.root not in records:
            return self._add_scheme(paired)
        if _is_paired(paired, of_rules):
            return self._pair([paired], moment)[0]
        # An identifier that is requested once need not be remembered as a whole, and one that is about to
        # change must not be.
        is_known = not missing and host is None
        if is_known and (records is known or not any(each.is_dated for each in records.values())):
            memory.keep_surroundings(name, holders, tuple(found), records)
        return paired

    def find_many(self, identifiers: Sequence[Identifier], moment: datetime) -> list[Found]:
        """Find several at once, in one call for each `MOST_FETCHED` names. Raises RegistryUnavailable.

        The results share their records: each has those of all.
        """
        from ginuri.resolution.readings import find_readings

        return list(find_readings(identifiers, self, moment))

    def recall_ancestors(self, names: Sequence[str]) -> dict[str, Registered | None]:
        """Return the ancestors in memory; None for an unregistered one."""
        return self.memory.recall(names, ANCESTOR_SECONDS)

    def find_as_read(self, identifiers: Sequence[Identifier], moment: datetime) -> list[Found]:
        """Find identifiers in this reading only (`ginuri.resolution.readings`).

        Raises RegistryUnavailable.
        """
        if len(identifiers) == 1:
            return [self._find(identifiers[0], moment)]
        found: dict[str, Registered | None] = {}
        missing: dict[str, None] = {}
        for holders, ancestors in map(_around, identifiers):
            recalled = self.memory.recall(holders, RECORD_SECONDS)
            recalled |= self.memory.recall(ancestors, ANCESTOR_SECONDS)
            missing |= dict.fromkeys(name for name in (*holders, *ancestors) if name not in recalled)
            found |= recalled
        if len(identifiers) <= _FEW:  # as for one name
            missing |= self._recall_rules(identifiers, found)
        found |= self._read(tuple(missing))
        # The cuts are known now: only beginnings that occur cost a further call.
        found |= self._read(tuple(self._recall_rules(identifiers, found)))
        self._read_broader(found)
        known = {name: record for name, record in found.items() if record is not None}
        records = _at(known, moment)
        several = [
            self._add_scheme(each) if each.identifier.is_scheme else each
            for each in (Found(identifier, records) for identifier in identifiers)
        ]
        is_paired = any(_is_paired(each, _rule_records(each.identifier, found)) for each in several)
        return self._pair(several, moment) if is_paired else several

    def _recall_rules(
        self, identifiers: Sequence[Identifier], found: dict[str, Registered | None]
    ) -> dict[str, None]:
        """Add the remembered records with rules for identifiers, and return the names of the others."""
        names = dict.fromkeys(name for each in identifiers for name in _rule_records(each, found))
        found |= self.memory.recall(names, ANCESTOR_SECONDS)
        return dict.fromkeys(name for name in names if name not in found)

    def _pair(self, several: Sequence[Found], moment: datetime) -> list[Found]:
        from ginuri.resolution.pairs import pair_all

        holders = {found.identifier: _around(found.identifier)[0] for found in several}
        return pair_all(several, holders, lambda names: _at(self._find_names(names), moment))

    def _find_names(self, names: Sequence[str]) -> dict[str, Registered]:
        """Return the records of names and of their ancestors; their rules are of no interest."""
        above = dict.fromkeys(ancestor for name in names for ancestor in ancestors_of(name))
        found = self.memory.recall(names, RECORD_SECONDS)
        found = self.memory.recall(above, ANCESTOR_SECONDS) | found
        found |= self._read([name for name in dict.fromkeys((*names, *above)) if name not in found])
        return {name: record for name, record in found.items() if record is not None}

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
        from ginuri.identifiers.comparison.folding import fold

        return self._read_near(
            # The only other spelling of a scheme, without its final slash, was read with it.
            [
                identifier.root if identifier.is_scheme else fold(identifier.normal_form)
                for identifier in identifiers
            ]
        )

    def beside(self, container: str, name: str) -> Sequence[str]:
        """Return identifiers in a container around a name. Raises RegistryUnavailable."""
        place = f"{container} {name}"  # no folded name has a space
        names = self.memory.recall_near([place]).get(place)
        if names is None:
            sides = self._mapper(
                lambda is_after: self._reader.beside(container, name, is_after=is_after), (False, True)
            )
            names = tuple(each for side in sides for each in side)
            self.memory.keep_near(place, names)
        return names

    def _read_near(self, folded: Sequence[str]) -> list[Sequence[str]]:
        names_by_folded = self.memory.recall_near(folded)
        missing = [name for name in dict.fromkeys(folded) if name not in names_by_folded]
        for name, names in zip(missing, self._mapper(self._reader.near, missing), strict=True):
            names_by_folded[name] = tuple(names)
            self.memory.keep_near(name, names_by_folded[name])
        return [names_by_folded[name] for name in folded]

    def _read(self, names: Sequence[str]) -> dict[str, Registered | None]:
        read: dict[str, Registered | None] = {}
        parts = [names[start : start + MOST_FETCHED] for start in range(0, len(names), MOST_FETCHED)]
        # One call needs no threads.
        mapper = self._mapper if len(parts) > 1 else map
        for part, fetched in zip(parts, mapper(self._reader.fetch, parts), strict=True):
            records = {name: fetched.get(name) for name in part}
            self.memory.keep(records)
            read |= records
        return read

    def _read_broader(self, found: dict[str, Registered | None]) -> None:
        """Add the types that others inherit from, level by level, with one call for each level."""
        for _ in range(MOST_BROADER):
            unread = [
                record.broader
                for record in found.values()
                if isinstance(record, ResourceType) and record.broader and record.broader not in found
            ]
            if not unread:
                return
            suggested = (above for name in unread for above in ancestors_of(name)[1:][-_MOST_SUGGESTED:])
            wanted = [name for name in dict.fromkeys((*unread, *suggested)) if name not in found]
            found |= self.memory.recall(wanted, ANCESTOR_SECONDS)
            found |= self._read([name for name in wanted if name not in found])


def _around(identifier: Identifier) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that may answer for an identifier, and those of the other records above it."""
    ancestors = identifier.ancestors
    # The cuts of the rules under a scheme or a host are read with its record.
    above = (*ancestors, cover_of(ancestors[0])) if ancestors else ()
    if identifier.normal_form.endswith("/"):  # like most identifiers: neither a part nor a version
        return (identifier.normal_form,), above
    if identifier.is_scheme and not identifier.is_terminated:
        return (identifier.normal_form,), (identifier.root,)
    holders = (identifier.normal_form, *identifier.stems)
    if identifier.scheme == "ark":
        from ginuri.resolution.arks import bases_of

        # No ARK ends in a slash: names above it are read instead of those with a slash.
        holders, above = (identifier.normal_form, *bases_of(identifier)), (*ancestors[:2], *above[-1:])
    for versioned in versioned_by(identifier)[1:]:  # the thing is an ancestor, the document is not
        holders += (versioned.normal_form, *versioned.stems)
    holders += tuple(document for document, _ in documents_above(identifier))
    if not identifier.is_terminated and len(identifier.segments) > 1 and identifier.scheme != "ark":
        return (*holders, ancestors[-1]), (*ancestors[:-1], *above[-1:])
    return holders, above


def _rule_records(identifier: Identifier, found: Mapping[str, Registered | None]) -> list[str]:
    """Return the names of the records with rules to look up, by the cuts that were found."""
    cover = cover_of(identifier.root)
    record = found.get(cover)
    if record is None and cover in found:  # like most: no rule under the scheme or host has a beginning
        return []
    cuts = record.cuts if isinstance(record, RuleCuts) else None
    return records_above(identifier.normal_form, identifier.root, cuts)


def _host(records: Mapping[str, Registered], host: Identifier) -> Host | None:
    record = records.get(host.normal_form)
    return record if isinstance(record, Host) else None


def _at(records: dict[str, Registered], moment: datetime) -> Mapping[str, Registered]:
    for record in records.values():  # a loop is faster than a generator, and runs in every request
        if record.opened is not None or (record.rules and record.is_dated):
            from ginuri.registry.moments import records_at

            return records_at(records, moment)
    return records


def _is_paired(found: Found, of_rules: Iterable[str]) -> bool:
    records = found.records
    for names in (found.identifier.ancestors, of_rules):
        for name in names:  # loops are faster than generators, and run in every request
            record = records.get(name)
            if record is not None and record.rules and record.has_pairs:
                return True
    return False
