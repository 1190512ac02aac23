"""The port that adapters implement, and what a request finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from ginuri.identifiers import Identifier
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
    from ginuri.registry.record.history import History
    from ginuri.registry.record.record import Change, FieldEntry, Path, Record
    from ginuri.registry.record.stamps import Stamp

MOST_FETCHED = 100
"""How many records are read in one call."""
MOST_NEAR = 10
"""How many other writings are looked at."""
MOST_BROADER = 8
"""How many steps up `broader` are followed."""
MOST_MEMBERS = 1_000
"""How many identifiers are on a page of a list, unless asked otherwise."""

MOST_ITEM_BYTES = 400_000
"""How much the registry holds of one identifier, and of what one upload displaced; DynamoDB takes 409,600."""


class RecordReader(Protocol):
    """What answering a request needs of a registry."""

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read up to `MOST_FETCHED` records by normal form in one call; those nobody registered are left out.

        Raises RegistryUnavailable.
        """
        ...


class NearNameReader(RecordReader, Protocol):
    """What advice needs as well: other writings of a name."""

    def near(self, folded: str) -> Sequence[str]:
        """Give at most `MOST_NEAR` identifiers that fold to this (`ginuri.identifiers.folding.fold`).

        Raises RegistryUnavailable.
        """
        ...


class Finder(Protocol):
    """What finds an identifier with all that stands around it."""

    def find(self, identifier: Identifier) -> Found:
        """Find an identifier, its ancestors and its stems. Raises RegistryUnavailable."""
        ...

    def near(self, identifier: Identifier) -> Sequence[str]:
        """Find what an identifier may have been meant for. Raises RegistryUnavailable."""
        ...


class ManyFinder(Finder, Protocol):
    """What finds several identifiers at once as well."""

    def find_many(self, identifiers: Sequence[Identifier]) -> Sequence[Found]:
        """Find identifiers, each with all that stands around it. Raises RegistryUnavailable."""
        ...

    def near_many(self, identifiers: Sequence[Identifier]) -> Sequence[Sequence[str]]:
        """Find what each of several identifiers may have been meant for. Raises RegistryUnavailable."""
        ...


class HistoryReader(Protocol):
    """What reading the past needs."""

    def history(self, name: str) -> History:
        """Read every statement about an identifier that is kept; none where nobody registered it.

        Raises RegistryUnavailable.
        """
        ...


class StampReader(Protocol):
    """What telling where a record comes from needs."""

    def stamps(self, name: str) -> Sequence[Stamp]:
        """Give which statements made the fields what they are, the first registration first; in one call.

        What only restated what stood is left out.

        Eventually consistent; none where nobody registered it. Raises RegistryUnavailable.
        """
        ...


class Registry(NearNameReader, HistoryReader, Protocol):
    """What registering needs: whole records, what they were, and writing them."""

    def read(self, names: Sequence[str]) -> Mapping[str, Record]:
        """Read up to `MOST_FETCHED` records with their stamps; those nobody registered are left out.

        Raises RegistryUnavailable.
        """
        ...

    def displaced(self, name: str, stamp: Stamp) -> Mapping[Path, FieldEntry]:
        """Read what a registration of that stamp displaced. Raises RegistryUnavailable."""
        ...

    def write(self, change: Change) -> None:
        """Write a record and what it displaced, at once or not at all.

        Raises RecordTooLarge where `check` does, RevisionConflict when the record is no longer the one the
        change started from, and RegistryUnavailable.
        """
        ...

    def check(self, change: Change) -> None:
        """Raise RecordTooLarge where a change cannot be written for its size. Nothing is asked of anybody."""
        ...


@dataclass(frozen=True, slots=True)
class NamePage:
    """A page of identifiers, in the order of their characters."""

    names: tuple[str, ...] = ()
    next_cursor: str | None = None
    """After which the next page begins, which may turn out to be empty; None where nothing follows."""


class MemberLister(Protocol):
    """What listing the identifiers under a prefix needs.

    A prefix is `uri-gin/azgs/` or goes on from there; `uri-gin/` lists the authorities of the scheme, not
    what stands under them. It may not be empty. Eventually consistent: for lists to look at and for bounds,
    never to decide whether an identifier is registered.
    """

    def members(self, prefix: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Give registered identifiers that begin with a prefix, the first after `after` first.

        Retired ones as well. That is one call, however many there are; a page may hold fewer than `most`
        though others follow. Raises RegistryUnavailable.
        """
        ...

    def count(self, prefix: str, most: int) -> int:
        """Count the identifiers that begin with a prefix, but no further than `most`.

        Raises RegistryUnavailable.
        """
        ...

    def parts(self, collection: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Give the identifiers that are a part of a collection, or of a register of types, as `members` does.

        Raises RegistryUnavailable.
        """
        ...

    def narrower(self, broader: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Give the resource types that state this one as broader, of any authority, as `members` does.

        Raises RegistryUnavailable.
        """
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """An identifier's record and those around it, as far as they are registered."""

    identifier: Identifier
    records: Mapping[str, Registered] = field(default_factory=dict)

    @property
    def record(self) -> Registered | None:
        """The identifier's own record."""
        return self.records.get(self.identifier.normal_form)

    @property
    def has_registered_host(self) -> bool:
        """Whether it is bound to no host, or to one that is registered: nobody is led to any other."""
        return not self.identifier.is_bound or self.identifier.root in self.records

    @property
    def nearest_ancestor(self) -> Registered | None:
        """The nearest registered record above the identifier."""
        above = (self.records.get(name) for name in reversed(self.identifier.ancestors))
        # RFC 4452 §4.1: that one name begins with another says nothing of what they name.
        unrelated = Resource if self.identifier.is_namespaced else ()
        return next((it for it in above if it and not isinstance(it, unrelated) and not _is_spent(it)), None)

    @property
    def authority(self) -> Steward | None:
        """The steward of the identifier: its name authority, else the host it is bound to."""
        host: Host | None = None
        # One loop, and no generators: every redirect pays for it.
        for name in (self.identifier.normal_form, *self.identifier.ancestors):
            record = self.records.get(name)
            if isinstance(record, NameAuthority):
                return record
            if host is None and isinstance(record, Host):
                host = record
        return host

    def cited(self, canonical_host: str) -> str:
        """Write the identifier as the URI it is cited by.

        That is on the first host that its authority trusts, else its scheme, else on the configured one.
        """
        if self.identifier.is_bound:
            return f"http:{self.identifier}"
        for steward in (self.authority, self.records.get(self.identifier.root)):
            if isinstance(steward, Stewarded) and steward.trusted_hosts:
                return self.identifier.uri(steward.trusted_hosts[0])
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

        A type inherits through `broader`, or else from the type its path stands under.
        """
        above = [self.records.get(name) for name in reversed(self.identifier.ancestors)]
        typed = [record for record in above if isinstance(record, ResourceType)]
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
                each
                for each in typed
                if current.identifier.startswith(each.identifier) and each is not current
            ),
            None,
        )

    def resource(self, name: str) -> Resource | None:
        """Give the record of a name if it is a resource's."""
        record = self.records.get(name)
        return record if isinstance(record, Resource) else None


def _is_spent(record: Registered) -> bool:
    # A prefix whose rules and delegation have all ended names nothing any more.
    return isinstance(record, Prefix) and not record.is_in_use
