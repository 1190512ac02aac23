"""A registry and a keeper of files that only look: what would come of an upload, and nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ginuri.identifiers.errors import RevisionConflict
from ginuri.identifiers.folding import fold
from ginuri.registration.stored_files import InspectingFileKeeper
from ginuri.registry.model import Registered, StoredFile
from ginuri.registry.ports import MOST_NEAR, Registry
from ginuri.registry.reading import read_registered
from ginuri.registry.record.history import History
from ginuri.registry.record.record import Change, FieldEntry, Path, Record
from ginuri.registry.record.stamps import Stamp


class DryRunRegistry:
    """The registry as it would be: what is written is kept in memory, over the registry that there is."""

    def __init__(self, registry: Registry, written: Mapping[str, Record] | None = None) -> None:
        self._registry = registry
        self._written = dict(written or {})
        self._changed: dict[str, None] = {}
        self._folded: dict[str, dict[str, None]] = {}
        for name in self._written:
            self._folded.setdefault(fold(name), {})[name] = None

    @property
    def written(self) -> Mapping[str, Record]:
        """What would be written, beside what it was made with."""
        return {name: self._written[name] for name in self._changed}

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read records for answering requests. Raises RegistryUnavailable."""
        written = {
            name: read_registered(name, record.values(), record.modified.put)
            for name, record in self._written_of(names).items()
        }
        return {**self._registry.fetch([name for name in names if name not in written]), **written}

    def read(self, names: Sequence[str]) -> Mapping[str, Record]:
        """Read whole records. Raises RegistryUnavailable."""
        written = self._written_of(names)
        return {**self._registry.read([name for name in names if name not in written]), **written}

    def displaced(self, name: str, stamp: Stamp) -> Mapping[Path, FieldEntry]:
        """Read what a registration displaced, where it was one for good. Raises RegistryUnavailable."""
        return self._registry.displaced(name, stamp)

    def near(self, folded: str) -> Sequence[str]:
        """Give identifiers that fold to this. Raises RegistryUnavailable."""
        names = (*self._registry.near(folded), *self._folded.get(folded, ()))
        return list(dict.fromkeys(names))[:MOST_NEAR]

    def history(self, name: str) -> History:
        """Read all that is kept of an identifier, as it was before this. Raises RegistryUnavailable."""
        return self._registry.history(name)

    def write(self, change: Change) -> None:
        """Keep a record in memory. Raises RecordTooLarge and RevisionConflict."""
        self.check(change)
        name = change.after.identifier
        held = self._written.get(name)
        if held is not None and held.revision != change.before.revision:
            raise RevisionConflict(name)
        self._written[name] = change.after
        self._changed[name] = None
        self._folded.setdefault(fold(name), {})[name] = None

    def check(self, change: Change) -> None:
        """Raise RecordTooLarge where the registry would."""
        self._registry.check(change)

    def _written_of(self, names: Sequence[str]) -> dict[str, Record]:
        return {name: self._written[name] for name in names if name in self._written}


class DryRunFileKeeper:
    """Looks at files instead of keeping them."""

    def __init__(self, keeper: InspectingFileKeeper) -> None:
        self._keeper = keeper

    def keep(self, name: str, put: str) -> StoredFile | None:
        """Tell what keeping a file would give. Raises RegistryUnavailable."""
        return self._keeper.inspect(name, put)
