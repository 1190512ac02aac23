"""The ports that adapters implement, and the records that a request finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ginuri.frozen import NOTHING, Frozen
from ginuri.identifiers import Identifier
from ginuri.identifiers.roots import NAMESPACED
from ginuri.registry.model import (
    Host,
    NameAuthority,
    Prefix,
    Registered,
    Resource,
    ResourceType,
    Steward,
    Stewarded,
)

if TYPE_CHECKING:
    from datetime import datetime

    from ginuri.registry.record.applied_uploads import AppliedUpload
    from ginuri.registry.record.history import History
    from ginuri.registry.record.record import Change, Entries, Record
    from ginuri.registry.record.stamps import Stamp

MOST_FETCHED = 100
"""The most records that one call reads."""
MOST_NEAR = 10
"""The most similar spellings."""
MOST_BESIDE = 40
"""The most names before or after another that its neighbours are chosen from."""
MOST_BROADER = 8
"""The most steps that follow `broader`."""
MOST_MEMBERS = 1_000
"""The default number of identifiers on a page of a list."""

MOST_ITEM_BYTES = 400_000
"""The most bytes of an identifier's record, and of displaced entries; DynamoDB allows 409,600."""


class RecordReader(Protocol):
    """Reads records for responses."""

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read up to `MOST_FETCHED` records by normal form in one call; unregistered ones are left out.

        As stored: `ginuri.registry.moments` has what they are at a moment. Raises RegistryUnavailable.
        """


class NearNameReader(RecordReader, Protocol):
    """Finds similar spellings as well."""

    def near(self, folded: str) -> Sequence[str]:
        """Return at most `MOST_NEAR` identifiers that fold to this (`identifiers.comparison.folding.fold`).

        A scheme such as `uri-gin/`, which no name folds to, gives the identifiers listed directly under it.
        Raises RegistryUnavailable.
        """

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        """Return at most `MOST_BESIDE` identifiers in a container before or after a name, the nearest first.

        It is one call, eventually consistent. Raises RegistryUnavailable.
        """


class Finder(Protocol):
    """Finds an identifier with its surrounding records."""

    def find(self, identifier: Identifier, moment: datetime, host: Identifier | None = None) -> Found:
        """Find an identifier, its ancestors and its stems, as they are at a moment.

        The record of a requested `host` comes in the same call. Raises RegistryUnavailable.
        """

    def near(self, identifier: Identifier) -> Sequence[str]:
        """Find registered identifiers with a similar spelling. Raises RegistryUnavailable."""

    def beside(self, container: str, name: str) -> Sequence[str]:
        """Return identifiers in a container around a name, in two calls. Raises RegistryUnavailable."""


class ManyFinder(Finder, Protocol):
    """Finds several identifiers at once as well."""

    def find_many(self, identifiers: Sequence[Identifier], moment: datetime) -> Sequence[Found]:
        """Find identifiers, each with its surrounding records, as they are at a moment.

        Raises RegistryUnavailable.
        """

    def near_many(self, identifiers: Sequence[Identifier]) -> Sequence[Sequence[str]]:
        """Find similar spellings of several identifiers. Raises RegistryUnavailable."""


class HistoryReader(Protocol):
    """Reads the history of identifiers."""

    def history(self, name: str) -> History:
        """Read all statements about an identifier; empty if it is not registered.

        Raises RegistryUnavailable.
        """


class NamePage(Frozen):
    """A page of identifiers, or of beginnings, in the order of their characters."""

    names: tuple[str, ...] = ()
    next_cursor: str | None = None
    """The cursor of the next page, which may be empty; None on the last page."""


class BeginningLister(Protocol):
    """Lists the literal beginnings of rules that are in other records than that of their prefix."""

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return the beginnings of the rules of a prefix that start with a text and follow `after`, in order.

        Those of retired rules are included. It is one call for any number, and strongly consistent. Raises
        RegistryUnavailable.
        """


class Archive(HistoryReader, BeginningLister, Protocol):
    """Reads the whole registry, current and past, for people who may do so."""

    def standing(self, prefix: str, *, with_grants: bool = False) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Read the current values of every identifier under a prefix, in no order; of all without one.

        The grants on a prefix come apart from its other values. Raises RegistryUnavailable.
        """

    def histories(self, prefix: str, *, with_grants: bool = False) -> Iterator[History]:
        """Read the history of every identifier under a prefix, in no order; of all without one.

        Raises RegistryUnavailable.
        """


class RecordScan(Protocol):
    """Reads every record for the daily publication."""

    def stored(self) -> Iterator[tuple[str, str, str]]:
        """Read name, moment of the last change and current values, as JSON on one line, in no order.

        Eventually consistent. Raises RegistryUnavailable.
        """


class StampReader(Protocol):
    """Reads the uploads that a record comes from."""

    def stamps(self, name: str) -> Sequence[Stamp]:
        """Return the stamps of the statements in force, the first registration first, in one call.

        Restatements are left out. Eventually consistent; empty if it is not registered. Raises
        RegistryUnavailable.
        """


class RecordSource(RecordReader, HistoryReader, BeginningLister, Protocol):
    """Reads records as they are answered, whole ones, and their histories."""

    def read(self, names: Sequence[str]) -> Mapping[str, Record]:
        """Read up to `MOST_FETCHED` records with their stamps; unregistered ones are left out.

        Raises RegistryUnavailable.
        """


class Registry(NearNameReader, RecordSource, Protocol):
    """Reads and writes complete records, and reads displaced entries."""

    @property
    def most_written(self) -> int:
        """The most items of one `write`: records, displaced values, listed beginnings, revisions."""

    def displaced(self, name: str, stamp: Stamp) -> Entries:
        """Read the values that the registration of a stamp displaced. Raises RegistryUnavailable."""

    def write(self, *changes: Change) -> None:
        """Write records and their displaced values in one transaction; several only if none of them is late.

        Raises RecordTooLarge like `check`, RevisionConflict if a record changed since the change to it was
        computed, and RegistryUnavailable.
        """

    def check(self, change: Change) -> None:
        """Raise RecordTooLarge if a change is too large to write, without a call."""


class AppliedUploads(Protocol):
    """Stores the proofs of applied uploads beside the records, so that a restore includes both."""

    def applied(self, key: str, version: str) -> AppliedUpload | None:
        """Return the proof that an upload was applied; None without one. Raises RegistryUnavailable."""

    def note_applied(self, upload: AppliedUpload) -> None:
        """Store the proof that an upload was applied, in one call, after its last record.

        Raises RegistryUnavailable.
        """


class UploadRegistry(Registry, AppliedUploads, Protocol):
    """A registry that uploads are applied to."""


class MemberLister(BeginningLister, Protocol):
    """Lists identifiers under a prefix.

    A prefix is `uri-gin/azgs/` or longer; `uri-gin/` lists the authorities of the scheme, not the names under
    them, and the empty prefix the hosts and the schemes. Eventually consistent: for lists to browse and for
    limits, never to decide whether an identifier is registered.
    """

    def members(self, prefix: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return the registered identifiers with a prefix that follow `after`, in order.

        Retired ones are included. It is one call for any number; a page may have fewer than `most` although
        others follow. Raises RegistryUnavailable.
        """

    def count(self, prefix: str, most: int) -> int:
        """Count the identifiers with a prefix, up to `most`.

        Raises RegistryUnavailable.
        """

    def parts(self, collection: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return the members of a collection, or of a register of types, as `members` does.

        Raises RegistryUnavailable.
        """

    def narrower(self, broader: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return the resource types that state this one as broader, of any authority.

        Raises RegistryUnavailable.
        """


class Found(Frozen):
    """An identifier's record and those around it, if registered."""

    identifier: Identifier
    records: Mapping[str, Registered] = NOTHING
    host: Host | None = None
    """The record of the requested host, if it was wanted."""

    @property
    def query_arguments(self) -> Mapping[str, str | Mapping[str, str]]:
        """The query arguments of the host that the identifier is bound to, else of the requested one."""
        host = self.records.get(self.identifier.root) if self.identifier.is_bound else self.host
        return host.query_arguments if isinstance(host, Host) else NOTHING

    @property
    def record(self) -> Registered | None:
        """The identifier's own record."""
        return self.records.get(self.identifier.normal_form)

    @property
    def has_registered_root(self) -> bool:
        """Whether its scheme has a grammar, or else its scheme or its host is registered."""
        scheme = self.identifier.scheme
        is_known = scheme.startswith("uri-") or scheme in NAMESPACED
        return is_known or self.identifier.root in self.records

    @property
    def nearest_ancestor(self) -> Registered | None:
        """The nearest registered record above the identifier."""
        above = (self.records.get(name) for name in reversed(self.identifier.ancestors))
        # RFC 4452 §4.1: the common beginning of two names has no meaning.
        unrelated = Resource if self.identifier.is_namespaced else ()
        return next(
            (
                record
                for record in above
                if record and not isinstance(record, unrelated) and not _is_spent(record)
            ),
            None,
        )

    @property
    def authority(self) -> Steward | None:
        """The steward of the identifier: its name authority, else the host it is bound to."""
        host: Host | None = None
        # One loop is faster than generators, and every redirect runs it.
        for name in (self.identifier.normal_form, *self.identifier.ancestors):
            record = self.records.get(name)
            if isinstance(record, NameAuthority):
                return record
            if host is None and isinstance(record, Host):
                host = record
        return host

    def cited(self, canonical_host: str) -> str:
        """Return the URI that the identifier is cited by.

        Its host is the first one that its authority trusts, else its scheme, else the configured one.
        """
        if self.identifier.is_bound:
            return f"http:{self.identifier}"
        authority = self.authority
        if authority is not None and authority.trusted_hosts:
            return self.identifier.uri(authority.trusted_hosts[0])
        scheme = self.records.get(self.identifier.root)
        if isinstance(scheme, Stewarded) and scheme.trusted_hosts:
            return self.identifier.uri(scheme.trusted_hosts[0])
        return self.identifier.uri(canonical_host)

    @property
    def resource_type(self) -> ResourceType | None:
        """The identifier's resource type: the nearest above it."""
        for name in reversed(self.identifier.ancestors):
            record = self.records.get(name)
            if isinstance(record, ResourceType):
                return record
        return None

    @property
    def resource_types(self) -> tuple[ResourceType, ...]:
        """The identifier's resource type and those it inherits from, the nearest first.

        A type inherits through `broader`, or else from the type above it in its path.
        """
        records = self.records
        typed = [
            record
            for name in reversed(self.identifier.ancestors)
            if isinstance(record := records.get(name), ResourceType)
        ]
        chain: dict[str, ResourceType] = {}
        current = typed[0] if typed else None
        while current is not None and current.identifier not in chain and len(chain) < MOST_BROADER:
            chain[current.identifier] = current
            current = self._broader(current, typed)
        return tuple(chain.values())

    def _broader(self, current: ResourceType, typed: Sequence[ResourceType]) -> ResourceType | None:
        if current.broader is not None:
            broader = self.records.get(current.broader)
            return broader if isinstance(broader, ResourceType) else None
        return next(
            (
                candidate
                for candidate in typed
                if current.identifier.startswith(candidate.identifier) and candidate is not current
            ),
            None,
        )

    def resource(self, name: str) -> Resource | None:
        """Return the record of a name if it is a resource."""
        record = self.records.get(name)
        return record if isinstance(record, Resource) else None


def _is_spent(record: Registered) -> bool:
    # A prefix without a current rule or delegation names no resource.
    return isinstance(record, Prefix) and not record.is_in_use
