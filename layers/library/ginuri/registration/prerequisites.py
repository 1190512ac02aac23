"""What must be registered before a line of an upload can be, and may be on its way in another upload."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from ginuri.identifiers import Identifier
from ginuri.registration.checks.authorization import HOST_FOLDER, authority_to_open
from ginuri.registration.checks.delegations import receivers_in
from ginuri.registry.model import RecordType
from ginuri.registry.ports import MOST_FETCHED, RecordReader
from ginuri.registry.record.record import DELEGATION, Path, Value

Prerequisite = tuple[str, ...]
"""Identifiers of which one must be registered."""
_OPENING = "authority"
"""What stands below an authority in the names of its sub-authorities (`checks.authorization.opening`)."""
_ENOUGH = 2
"""Of how many segments on a name has all its stewards above it."""
_STEWARDS = {RecordType.AUTHORITY, RecordType.NAMESPACE, RecordType.HOST}


@dataclass(slots=True)
class Prerequisites:
    """What the rows of a file need, and what of that they register themselves."""

    needed: set[Prerequisite] = field(default_factory=set)
    stated: set[str] = field(default_factory=set)
    _seen: set[tuple[object, ...]] = field(default_factory=set, repr=False, compare=False)

    def add(self, identifier: Identifier, statements: Mapping[Path, Value], prefix: str) -> None:
        """Take in a row that was uploaded for a prefix."""
        record = statements.get(("record",))
        if record in _STEWARDS or identifier.segments[1:2] == (_OPENING,):
            self.stated.add(identifier.normal_form)
        # Most rows of a file need the same, and there may be two million of them.
        is_under = identifier.normal_form.startswith(prefix)
        same = (identifier.segments[:1], record == RecordType.AUTHORITY, is_under)
        if same not in self._seen or len(identifier.segments) < _ENOUGH or _is_of_delegation(statements):
            self._seen.add(same)
            self.needed.update(prerequisites_of(identifier, statements, prefix))

    def add_all(self, others: Prerequisites) -> None:
        """Take in those of other rows."""
        self.needed |= others.needed
        self.stated |= others.stated

    def from_elsewhere(self) -> list[Prerequisite]:
        """Give what the file needs and does not register itself."""
        return sorted(each for each in self.needed if self.stated.isdisjoint(each))


def prerequisites_of(
    identifier: Identifier, statements: Mapping[Path, Value], prefix: str
) -> Iterator[Prerequisite]:
    """Give what must be registered before a row that was uploaded for a prefix can be.

    Nothing for what may never be registered from there.

    >>> from ginuri.identifiers import parse
    >>> list(prerequisites_of(parse("uri-gin/azgs.mapping/map/1/"), {}, "uri-gin/azgs/"))
    [('uri-gin/azgs/authority/azgs.mapping/',), ('uri-gin/azgs.mapping/',)]
    """
    if prefix == HOST_FOLDER:
        return
    opened_by = authority_to_open(identifier, prefix)
    if opened_by is not None:
        yield (opened_by,)
    elif not identifier.normal_form.startswith(prefix):
        return
    if statements.get(("record",)) != RecordType.AUTHORITY:
        yield _stewards_of(identifier)
    yield from ((receiver,) for receiver in receivers_in(statements))


def _is_of_delegation(statements: Mapping[Path, Value]) -> bool:
    return any(path[0] == DELEGATION[0] for path in statements)


def _stewards_of(identifier: Identifier) -> Prerequisite:
    """Name who may be responsible for it: its authority, or the host that it is bound to."""
    above = (*identifier.ancestors, identifier.normal_form)[:2]
    return above if identifier.is_bound else above[-1:]


def missing_prerequisites(needed: Collection[Prerequisite], registry: RecordReader) -> list[str]:
    """Name what is needed and not registered; of several that would do, the first.

    Raises RegistryUnavailable.
    """
    names = sorted({name for each in needed for name in each})
    there: set[str] = set()
    for start in range(0, len(names), MOST_FETCHED):
        there |= registry.fetch(names[start : start + MOST_FETCHED]).keys()
    return [each[0] for each in needed if there.isdisjoint(each)]
