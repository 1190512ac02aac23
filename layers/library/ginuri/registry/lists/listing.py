"""Lists of members: one query and one read for each page, at any length.

A register lists its entries, a resource the records that state it as `part_of`, all others the identifiers
that begin with theirs (docs/explanation/decisions/0017-slim-indexes-for-collections-and-types.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from ginuri.frozen import NOTHING, Frozen, replace
from ginuri.identifiers import KNOWN_ROOTS
from ginuri.identifiers.roots import ancestors_of, root_of
from ginuri.identifiers.stewards import steward
from ginuri.registry.lists.memberships import (
    BROADER,
    is_concept_scheme,
    may_have_narrower,
    related_concepts,
)
from ginuri.registry.lists.registers import NAME_AUTHORITIES, NAMESPACES, URI_SCHEMES, register_name
from ginuri.registry.model import Alias, Host, NameAuthority, Registered, Resource, ResourceType, Scheme
from ginuri.registry.ports import MOST_FETCHED, Found, MemberLister, NamePage, RecordReader

_OF_STEWARDS = (NAME_AUTHORITIES, NAMESPACES)
_BEFORE_SCHEMES = "/0"
"""A cursor between the hosts, `//…`, and the schemes: both are listed under the empty prefix."""
MOST_LISTED = MOST_FETCHED
"""The page length of a list, and of a register's description."""
MOST_SHOWN = 20
"""The number of members that a description shows before it links to the list."""


class Listing(Frozen):
    """A page of a list of members."""

    names: tuple[str, ...] = ()
    after: str = ""
    """The cursor of the request; empty for the first page."""
    next_cursor: str | None = None
    """The cursor of the next page, which may be empty; None on the last page."""
    narrower: tuple[str, ...] = ()
    """Of a resource type: the types that state it as broader, on the first page."""
    more_narrower: bool = False
    roots: tuple[str, ...] = ()
    """Of a host: the schemes and hosts that are registered here."""
    total: int | None = None
    """The number of members in the last daily run; None without one."""
    register: str | None = None
    """The name of the register (`ginuri.registry.lists.registers`); None for other lists."""
    records: Mapping[str, Registered] = NOTHING
    """The records of the members and of their name authorities."""
    canonical_media_type: str | None = None
    """The canonical form of the members; None if they have several, or if it is not known."""

    @property
    def is_whole(self) -> bool:
        """Whether all members are on the page."""
        return not self.after and self.next_cursor is None

    def end_after(self, number: int) -> Listing:
        """Return a page with the first members only; the next one continues after them."""
        return replace(self, names=self.names[:number], next_cursor=self.names[number - 1])


NO_LISTING = Listing()


class ListReader:
    """Reads lists from the indexes, and the records of their members."""

    def __init__(self, lister: MemberLister, reader: RecordReader) -> None:
        self._lister = lister
        self._reader = reader

    def show(self, record: Registered, found: Found) -> Listing:
        """Read the members that a description shows, all in one page for a register.

        Raises RegistryUnavailable.
        """
        if isinstance(record, Alias):
            return NO_LISTING
        if isinstance(record, Host):
            return self._show_host(record, found)
        if isinstance(record, Resource) and not may_have_narrower(record):
            return self._show_members(record, found)
        if not isinstance(record, ResourceType | Resource):
            return self.page(record, found, most=MOST_LISTED if register_name(found) else MOST_SHOWN)
        page = self._page(record, None, "", MOST_SHOWN)
        narrower = self._lister.narrower(record.identifier, most=MOST_FETCHED - MOST_SHOWN)
        records = self._read((*page.names, *narrower.names), found)
        return Listing(
            tuple(name for name in page.names if name in records),
            "",
            page.next_cursor,
            tuple(name for name in narrower.names if type(records.get(name)) is type(record)),
            more_narrower=narrower.next_cursor is not None,
            records=records,
        )

    def _show_members(self, record: Resource, found: Found) -> Listing:
        """Read the members of a collection: a whole page of a vocabulary, which is shown as a tree."""
        most = MOST_LISTED if register_name(found) or is_concept_scheme(record) else MOST_SHOWN
        listing = self.page(record, found, most=most)
        is_vocabulary = any(
            isinstance(member, Resource) and related_concepts(BROADER, member.links, member.properties)
            for member in listing.records.values()
        )
        return self.page(record, found) if is_vocabulary and most < MOST_LISTED else listing

    def _show_host(self, record: Host, found: Found) -> Listing:
        # Names bound to it, and links to all others.
        listing = self.page(record, found, most=MOST_SHOWN)
        listed = (self._lister.members("", after, MOST_FETCHED // 2).names for after in ("", _BEFORE_SCHEMES))
        names = tuple(dict.fromkeys((*KNOWN_ROOTS, *(name for names in listed for name in names))))
        records = self._read(names[:MOST_FETCHED], found)
        roots = tuple(name for name in names if name in records)
        return replace(listing, roots=roots, records={**listing.records, **records})

    def page(self, record: Registered, found: Found, after: str = "", most: int = MOST_LISTED) -> Listing:
        """Read a page of the members of a record. Raises RegistryUnavailable."""
        register = register_name(found)
        page = self._page(record, register, after, most)
        records = self._read(page.names, found)
        if after and page.names and isinstance(record, NameAuthority):
            # The types of its first members may be on an earlier page.
            above = [name for name in ancestors_of(page.names[0]) if name > record.identifier]
            records = {**self._reader.fetch(above), **records} if above else records
        # An unregistered authority may have identifiers under its prefix, but is no member.
        names = tuple(
            name
            for name in page.names
            if name in records and (register not in _OF_STEWARDS or isinstance(records[name], NameAuthority))
        )
        return Listing(names, after, page.next_cursor, register=register, records=records)

    def _page(self, record: Registered, register: str | None, after: str, most: int) -> NamePage:
        if register == URI_SCHEMES:
            page = self._lister.members("", max(after, _BEFORE_SCHEMES), most)
            last = page.next_cursor or max((*KNOWN_ROOTS, *page.names))
            named = sorted({*KNOWN_ROOTS, *page.names})
            return replace(page, names=tuple(name for name in named if after < name <= last))
        if register == NAME_AUTHORITIES:
            return self._lister.members(root_of(record.identifier), after, most)
        if isinstance(record, Resource):
            return self._lister.parts(record.identifier, after, most)
        return NamePage() if isinstance(record, Alias) else self._under(record, after, most)

    def _under(self, record: Registered, after: str, most: int) -> NamePage:
        # A type's path is a prefix of its own name, but a type is not a member of itself.
        after = max(after, record.identifier)
        return self._lister.members(record.identifier, after, most)

    def _read(self, names: tuple[str, ...], found: Found) -> Mapping[str, Registered]:
        records = dict(self._reader.fetch(names)) if names else {}
        # The authority decides which host a member is cited on; a collection has members of several.
        unknown = tuple(
            dict.fromkeys(
                authority
                for name in names
                if (authority := steward(name)) not in records
                and authority not in found.records
                and not isinstance(records.get(name), NameAuthority | Scheme)
            )
        )
        return records | (dict(self._reader.fetch(unknown)) if unknown else {})
