"""A registry and a file keeper for dry runs: they show what an upload would change, and write nothing."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from ginuri.frozen import replace
from ginuri.identifiers.comparison.folding import fold
from ginuri.identifiers.errors import RevisionConflict
from ginuri.registration.stored_files import InspectingFileKeeper
from ginuri.registry.model import Registered, StoredFile
from ginuri.registry.ports import MOST_MEMBERS, MOST_NEAR, NamePage, Registry
from ginuri.registry.reading import read_registered
from ginuri.registry.record.grant_records import is_apart
from ginuri.registry.record.history import History
from ginuri.registry.record.record import Change, Entries, Record
from ginuri.registry.record.rule_records import is_rule_record, listed_beginnings
from ginuri.registry.record.serialization import read_record, write_stamps
from ginuri.registry.record.stamps import Stamp


class EarlierRecords:
    """The records that earlier parts of a dry run wrote, as text: one takes a tenth of the memory."""

    def __init__(self) -> None:
        self._lines: dict[str, bytes] = {}
        self.beginnings: dict[str, set[str]] = {}
        """Of the rules in records of their own, by prefix."""

    @property
    def names(self) -> Iterable[str]:
        """The names of the records."""
        return self._lines

    def add(self, written: bytes, names: Collection[str] | None = None) -> None:
        """Add what `write_records` wrote, over earlier records of the same names; only some if stated."""
        for line in written.splitlines():
            name, listed = json.loads(line.partition(b"\t")[0])
            if names is not None and name not in names:
                continue
            self._lines[name] = line
            for prefix, beginning in listed:
                self.beginnings.setdefault(prefix, set()).add(beginning)

    def get(self, name: str) -> Record | None:
        """Return a record; None if none of this name was written."""
        line = self._lines.get(name)
        if line is None:
            return None
        revision, stamps = json.loads(line.partition(b"\t")[2])
        return read_record(name, "{}", stamps, revision)


def write_records(records: Iterable[Record]) -> bytes:
    """Write records for later parts of a dry run, one on each line."""
    return b"".join(map(_write_record, records))


def _write_record(record: Record) -> bytes:
    head = [record.identifier, list(listed_beginnings(record)) if is_rule_record(record.identifier) else []]
    rest = [record.revision, write_stamps(record.entries, {})]
    return f"{json.dumps(head)}\t{json.dumps(rest)}\n".encode()


class DryRunRegistry:
    """The registry after the upload: written records are in memory, over the real registry."""

    def __init__(self, registry: Registry, earlier: EarlierRecords | None = None) -> None:
        self._registry = registry
        self._earlier = earlier or EarlierRecords()
        self._records: dict[str, Record] = {}
        self._written_names: dict[str, None] = {}
        self._names_by_fold: dict[str, dict[str, None]] = {}
        self._beginnings = {prefix: set(several) for prefix, several in self._earlier.beginnings.items()}
        for name in self._earlier.names:
            self._index(name)

    @property
    def written(self) -> Mapping[str, Record]:
        """The records written here, without those it started with."""
        return {name: self._records[name] for name in self._written_names}

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read records for answering requests. Raises RegistryUnavailable."""
        written = {
            name: read_registered(name, record.values(), record.modified.put)
            for name, record in self._overlaid(names).items()
        }
        return {**self._registry.fetch([name for name in names if name not in written]), **written}

    def read(self, names: Sequence[str]) -> Mapping[str, Record]:
        """Read whole records. Raises RegistryUnavailable."""
        written = self._overlaid(names)
        return {**self._registry.read([name for name in names if name not in written]), **written}

    def displaced(self, name: str, stamp: Stamp) -> Entries:
        """Read the values that a registration displaced in the real registry. Raises RegistryUnavailable."""
        return self._registry.displaced(name, stamp)

    def near(self, folded: str) -> Sequence[str]:
        """Return the identifiers that fold to a text. Raises RegistryUnavailable."""
        names = (*self._registry.near(folded), *self._names_by_fold.get(folded, ()))
        return list(dict.fromkeys(names))[:MOST_NEAR]

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        """Return identifiers in a container of the real registry. Raises RegistryUnavailable."""
        return self._registry.beside(container, name, is_after=is_after)

    def history(self, name: str) -> History:
        """Read the history of an identifier in the real registry. Raises RegistryUnavailable."""
        return self._registry.history(name)

    @property
    def most_written(self) -> int:
        """The most items that the real registry writes at once."""
        return self._registry.most_written

    def write(self, *changes: Change) -> None:
        """Keep records in memory. Raises RecordTooLarge and RevisionConflict."""
        for change in changes:
            self.check(change)
            name = change.after.identifier
            overlaid = self._overlaid([name]).get(name)
            if overlaid is not None and overlaid.revision != change.before.revision:
                raise RevisionConflict(name)
        for change in changes:
            self._keep(change.after.identifier, change.after)

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """List the beginnings of rules, those written here included. Raises RegistryUnavailable."""
        page = self._registry.beginnings(prefix, start, after, most)
        last = page.next_cursor
        written = {
            beginning
            for beginning in self._beginnings.get(prefix, ())
            if beginning.startswith(start) and after < beginning and (last is None or beginning <= last)
        }
        return replace(page, names=tuple(sorted({*page.names, *written})))

    def adopt(self, written: Mapping[str, Record]) -> None:
        """Keep the records that a dry run over this one wrote."""
        for name, record in written.items():
            self._keep(name, record)

    def check(self, change: Change) -> None:
        """Check that the registry could store a change. Raises RecordTooLarge."""
        self._registry.check(change)

    def _keep(self, name: str, record: Record) -> None:
        self._records[name] = record
        self._written_names[name] = None
        self._index(name)
        if is_rule_record(name):
            for prefix, beginning in listed_beginnings(record):
                self._beginnings.setdefault(prefix, set()).add(beginning)

    def _index(self, name: str) -> None:
        if not is_apart(name):
            self._names_by_fold.setdefault(fold(name), {})[name] = None

    def _overlaid(self, names: Sequence[str]) -> dict[str, Record]:
        found = ((name, self._records.get(name) or self._earlier.get(name)) for name in names)
        return {name: record for name, record in found if record is not None}


class DryRunFileKeeper:
    """Inspects files without keeping them."""

    def __init__(self, keeper: InspectingFileKeeper) -> None:
        self._keeper = keeper

    def keep(self, name: str, put: str) -> StoredFile | None:
        """Return the stored file that keeping would return. Raises RegistryUnavailable."""
        return self._keeper.inspect(name, put)
