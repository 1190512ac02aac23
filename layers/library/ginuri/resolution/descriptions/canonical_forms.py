"""The canonical form of the members of a collection or a resource type, from the types of the members."""

from __future__ import annotations

from datetime import datetime

from ginuri.identifiers import parse
from ginuri.identifiers.roots import ancestors_of
from ginuri.registry.lists.listing import Listing
from ginuri.registry.model import Registered, Resource, ResourceType
from ginuri.registry.ports import Found, ManyFinder
from ginuri.resolution.decision import roles_of
from ginuri.resolution.descriptions.formats import CANONICAL_MEDIA_TYPE

_MOST_PARENTS = 10
"""The most names directly above members; members of more are taken to have several types."""


def find_canonical_form(
    record: Registered, listing: Listing, found: Found, finder: ManyFinder, moment: datetime
) -> str | None:
    """Return the media type of the canonical form of all members on a page; None if they have several.

    A type states that of its identifiers; if it states none, it is that of descriptions. Members that are
    elsewhere than under the record take one call, and one for each level of broader types, unless these are
    in memory. Raises RegistryUnavailable.
    """
    members = [listing.records[name] for name in listing.names]
    is_typed = isinstance(record, Resource | ResourceType)
    if not is_typed or not members or not all(isinstance(member, Resource) for member in members):
        return None
    by_parent = {ancestors_of(name)[-1]: parse(name) for name in listing.names}
    if len(by_parent) > _MOST_PARENTS:
        return None
    below = by_parent.pop(record.identifier, None)
    several = [] if below is None else [Found(below, found.records)]
    several += finder.find_many(list(by_parent.values()), moment) if by_parent else ()
    forms = {roles_of(each).canonical_media_type or CANONICAL_MEDIA_TYPE for each in several}
    return forms.pop() if len(forms) == 1 else None
