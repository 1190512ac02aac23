"""The two readings of a path such as `/doi:10.1000/182`: a name bound to the host, or a name of a scheme.

What a registered host answers itself stays its own, so that no scheme that is registered later takes it away.
Otherwise a registered scheme counts, on every host.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from ginuri.identifiers import Identifier, read_without_host
from ginuri.identifiers.errors import TooManySteps
from ginuri.registry.model import Registered, Scheme
from ginuri.registry.ports import Found
from ginuri.resolution.match import find_match


class AncestorMemory(Protocol):
    """Finds identifiers as they are read, and remembers the records above them."""

    def recall_ancestors(self, names: Sequence[str]) -> dict[str, Registered | None]:
        """Return the remembered ones; None for an unregistered one."""

    def find_as_read(self, identifiers: Sequence[Identifier], moment: datetime) -> Sequence[Found]:
        """Find identifiers in this reading only, in one call. Raises RegistryUnavailable."""


def find_readings(
    identifiers: Sequence[Identifier], finder: AncestorMemory, moment: datetime
) -> Iterator[Found]:
    """Find identifiers, each in the reading that counts, in one call. Raises RegistryUnavailable."""
    readings = [_possible(identifier, finder) for identifier in identifiers]
    found = iter(finder.find_as_read([each for several in readings for each in several], moment))
    for several in readings:
        first = next(found)
        yield _choose(first, next(found)) if len(several) > 1 else first


def _possible(identifier: Identifier, finder: AncestorMemory) -> tuple[Identifier, ...]:
    """Return the readings that the registry still has to decide between."""
    named = read_without_host(identifier)
    if named is None:
        return (identifier,)
    known = finder.recall_ancestors((identifier.root, named.root))
    is_absent = [root in known and known[root] is None for root in (identifier.root, named.root)]
    match is_absent:
        case [True, _]:
            return (named,)
        case [_, True]:
            return (identifier,)
        case _:
            return (identifier, named)


def _choose(bound: Found, named: Found) -> Found:
    if not bound.has_registered_root:
        return named
    if not isinstance(named.records.get(named.identifier.root), Scheme):
        return bound
    return bound if _is_answered(bound) else named


def _is_answered(bound: Found) -> bool:
    """Return whether the host has a record or a rule for a name bound to it, or is answered for elsewhere."""
    above = (bound.records.get(name) for name in (bound.identifier.normal_form, *bound.identifier.ancestors))
    try:
        is_matched = find_match(bound) is not None
    except TooManySteps:  # its rules may match: the decision says that they take too long
        return True
    return is_matched or any(record and record.answering_host for record in above)
