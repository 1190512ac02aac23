"""A registry and a file keeper for dry runs: they show what an upload would change, and write nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ginuri.identifiers.comparison.folding import fold
from ginuri.identifiers.errors import RevisionConflict
from ginuri.registration.stored_files import InspectingFileKeeper
from ginuri.registry.model import Registered, StoredFile
from ginuri.registry.ports import MOST_NEAR, Registry
from ginuri.registry.reading import read_registered
from ginuri.registry.record.history import History
from ginuri.registry.record.record import Change, Entries, Record
from ginuri.registry.record.stamps import Stamp


class DryRunRegistry:
    """The registry after the upload: written records are in memory, over the real registry."""

    def __init__(self, registry: Registry, written: Mapping[str, Record] | None = None) -> None:
        self._registry = registry
        self._records = dict(written or {})
        self._written_names: dict[str, None] = {}
        self._names_by_fold: dict[str, dict[str, None]] = {}
        for name in self._records:
            self._names_by_fold.setdefault(fold(name), {})[name] = None

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

    def history(self, name: str) -> History:
        """Read the history of an identifier in the real registry. Raises RegistryUnavailable."""
        return self._registry.history(name)

    def write(self, change: Change) -> None:
        """Keep a record in memory. Raises RecordTooLarge and RevisionConflict."""
        self.check(change)
        name = change.after.identifier
        overlaid = self._records.get(name)
        if overlaid is not None and overlaid.revision != change.before.revision:
            raise RevisionConflict(name)
        self._keep(name, change.after)

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
        self._names_by_fold.setdefault(fold(name), {})[name] = None

    def _overlaid(self, names: Sequence[str]) -> dict[str, Record]:
        return {name: self._records[name] for name in names if name in self._records}


class DryRunFileKeeper:
    """Inspects files without keeping them."""

    def __init__(self, keeper: InspectingFileKeeper) -> None:
        self._keeper = keeper

    def keep(self, name: str, put: str) -> StoredFile | None:
        """Return the stored file that keeping would return. Raises RegistryUnavailable."""
        return self._keeper.inspect(name, put)
