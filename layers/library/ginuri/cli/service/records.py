"""The records of a service over HTTP: current and past, and as the checks of an upload read them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from threading import Lock
from typing import Any

from ginuri.cli.service.failures import unavailable
from ginuri.client import Client
from ginuri.client.requests import MOST_READ
from ginuri.client.values import Json
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registration.authorization import outermost
from ginuri.registry.model import Registered
from ginuri.registry.ports import MOST_ITEM_BYTES, MOST_MEMBERS, NamePage
from ginuri.registry.reading import read_registered
from ginuri.registry.record.history import LAST_MOMENT, History
from ginuri.registry.record.items import items_of
from ginuri.registry.record.record import Change, Entries, Record
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.written_history import read_history

_READ = "read"


class ServiceArchive:
    """Reads the records that a token may read. Its methods raise RegistryUnavailable."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._expected: dict[str, None] = {}
        self._read_ahead: dict[str, History] = {}
        self._lock = Lock()

    def expect(self, names: Sequence[str]) -> None:
        """Note identifiers whose histories are read soon, so that one request reads many."""
        self._expected |= dict.fromkeys(names)

    def history(self, name: str) -> History:
        """Read the history of an identifier; empty if it is absent, or may not be read."""
        with self._lock:
            if name not in self._read_ahead:
                self._expected.pop(name, None)
                others = list(islice(self._expected, MOST_READ - 1))
                self._read_ahead |= self._histories([name, *others])
                for other in others:
                    del self._expected[other]
            return self._read_ahead.pop(name)

    def _histories(self, names: Sequence[str]) -> Mapping[str, History]:
        with unavailable():
            found = self._client.read_records(names, with_history=True)
        read = {each["identifier"]: read_history(each["identifier"], each["statements"]) for each in found}
        return {name: read.get(name, History(name, ())) for name in names}

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the beginnings of the rules of a prefix."""
        with unavailable():
            found = self._client.read_records([prefix])
        return _page(found[0]["beginnings"] if found else (), start, after, most)

    def standing(
        self,
        prefix: str,
        *,
        with_grants: bool = False,  # noqa: ARG002  grants are not read with a token
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Read the current values of every identifier under a prefix; without one, in all folders."""
        for each in self._under(prefix, "values"):
            yield each["identifier"], each["values"]

    def histories(
        self,
        prefix: str,
        *,
        with_grants: bool = False,  # noqa: ARG002  grants are not read with a token
    ) -> Iterator[History]:
        """Read the history of every identifier under a prefix; without one, in all folders."""
        for each in self._under(prefix, "statements"):
            yield read_history(each["identifier"], each["statements"])

    def names(self, prefix: str) -> Iterator[str]:
        """List the identifiers under a prefix."""
        return (each["identifier"] for each in self._under(prefix, "names"))

    def _under(self, prefix: str, form: str) -> Iterator[Json]:
        # A page is of a folder; of the last one in a prefix, what else begins with the prefix.
        folder = re.sub(r"[^/:]*\Z", "", prefix)
        with unavailable():
            for under in [folder] if folder else self._prefixes():
                for each in self._client.records(under, form=form):
                    if each["identifier"].startswith(prefix):
                        yield each

    def _prefixes(self) -> list[str]:
        """Return the prefixes of the folders of the token, without those within another one."""
        folders = (each.folder for each in self._client.me().folders if _READ in each.may)
        return outermost(folder_to_prefix(folder) for folder in folders if not folder.startswith("_"))


class ServiceRegistry(ServiceArchive):
    """The records of a service as the checks of an upload read them, each once. It writes nothing.

    Similar spellings and neighbours, of which checks only warn, are found by the service during the upload.
    """

    most_written = 100

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._records: dict[str, Record | None] = {}
        self._beginnings: dict[str, Sequence[str]] = {}

    def read(self, names: Sequence[str]) -> Mapping[str, Record]:
        """Read records with their stamps."""
        unknown = [name for name in dict.fromkeys(names) if name not in self._records]
        for start in range(0, len(unknown), MOST_READ):
            self._load(unknown[start : start + MOST_READ])
        return {name: record for name in names if (record := self._records[name]) is not None}

    def _load(self, names: Sequence[str]) -> None:
        self._records |= dict.fromkeys(names)
        with unavailable():
            found = self._client.read_records(names)
        for each in found:
            name = each["identifier"]
            self._records[name] = read_history(name, each["statements"]).at(LAST_MOMENT)
            self._beginnings[name] = each["beginnings"]

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read records for responses."""
        return {
            name: read_registered(name, record.values(), record.modified.put)
            for name, record in self.read(names).items()
        }

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the beginnings of the rules of a prefix."""
        self.read([prefix])
        return _page(self._beginnings.get(prefix, ()), start, after, most)

    def near(self, folded: str) -> Sequence[str]:  # noqa: ARG002  the service finds them
        """Return no similar spelling."""
        return ()

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:  # noqa: ARG002  the same reason
        """Return no neighbour."""
        return ()

    def displaced(self, name: str, stamp: Stamp) -> Entries:  # noqa: ARG002  no statement of a new file is late
        """Return no displaced value."""
        return {}

    def write(self, *changes: Change) -> None:
        """Refuse: a command writes by uploads only."""
        raise AssertionError(changes)

    def check(self, change: Change) -> None:
        """Raise RecordTooLarge if a change is too large to write."""
        items_of(change, MOST_ITEM_BYTES)


class ServiceLister:
    """Lists the identifiers of a service. Its methods raise RegistryUnavailable."""

    def __init__(self, registry: ServiceRegistry) -> None:
        self._registry = registry
        self._names: dict[str, Sequence[str]] = {}

    def members(self, prefix: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return the identifiers with a prefix that follow `after`."""
        if prefix not in self._names:
            self._names[prefix] = sorted(set(self._registry.names(prefix)))
        return _page(self._names[prefix], "", after, most)

    def count(self, prefix: str, most: int) -> int:
        """Count the identifiers with a prefix, up to `most`."""
        return len(self.members(prefix, most=most).names)

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the beginnings of the rules of a prefix."""
        return self._registry.beginnings(prefix, start, after, most)

    def parts(self, collection: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return no member of a collection: checks read none."""
        raise AssertionError(collection, after, most)

    def narrower(self, broader: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return no narrower type: checks read none."""
        raise AssertionError(broader, after, most)


def _page(names: Sequence[str], start: str, after: str, most: int) -> NamePage:
    later = [name for name in names if name > after and name.startswith(start)][:most]
    return NamePage(tuple(later), later[-1] if len(later) == most else None)
