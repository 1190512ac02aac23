"""The identifiers that must be registered before the rows of an upload, perhaps by another upload."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from ginuri.identifiers import Identifier, read_identifier
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.checks.authorization import authority_to_open
from ginuri.registration.checks.delegations import receivers_of
from ginuri.registry.model import RecordType
from ginuri.registry.ports import MOST_FETCHED, RecordReader
from ginuri.registry.record.answer_tests import TESTS, read_test
from ginuri.registry.record.statements import OF_DELEGATION, Statements

Prerequisite = tuple[str, ...]
"""Identifiers, at least one of which must be registered."""
MOST_REQUESTED = 20_000
"""The most names that tests of a file request of which a dry run keeps the records."""
_OPENING = "authority"
"""The segment that precedes a sub-authority's name (`checks.authorization.authority_to_open`)."""
_STEWARD_SEGMENTS = 2
"""The least segments of a name with all its stewards above it."""
_STEWARDS = {RecordType.AUTHORITY, RecordType.NAMESPACE, RecordType.HOST}


@dataclass(slots=True)
class Prerequisites:
    """The prerequisites of the rows of a file, and those that the file registers itself."""

    needed: set[Prerequisite] = field(default_factory=set)
    stated: set[str] = field(default_factory=set)
    requested: set[str] = field(default_factory=set)
    """The names under these identifiers that tests request, up to `MOST_REQUESTED`."""
    _seen: set[tuple[object, ...]] = field(default_factory=set, repr=False, compare=False)

    def add(self, identifier: Identifier, statements: Statements, prefix: str) -> None:
        """Add the prerequisites of a row uploaded to the folder of a prefix."""
        if len(self.requested) < MOST_REQUESTED:
            self.requested.update(_requested_names(identifier, statements))
        record = statements.value("record")
        if record in _STEWARDS or identifier.segments[1:2] == (_OPENING,):
            self.stated.add(identifier.normal_form)
        # Most rows of a file have the same prerequisites, and there may be two million rows.
        is_under = identifier.normal_form.startswith(prefix)
        signature = (identifier.segments[:1], record == RecordType.AUTHORITY, is_under)
        if (
            signature not in self._seen
            or len(identifier.segments) < _STEWARD_SEGMENTS
            or any(key.place == OF_DELEGATION for key in statements)
        ):
            self._seen.add(signature)
            self.needed.update(prerequisites_of(identifier, statements, prefix))

    def add_all(self, others: Prerequisites) -> None:
        """Add the prerequisites of other rows."""
        self.needed |= others.needed
        self.stated |= others.stated
        if len(self.requested) < MOST_REQUESTED:
            self.requested |= others.requested

    def from_elsewhere(self) -> list[Prerequisite]:
        """Return the prerequisites that the file does not register itself."""
        return sorted(prerequisite for prerequisite in self.needed if self.stated.isdisjoint(prerequisite))


def prerequisites_of(identifier: Identifier, statements: Statements, prefix: str) -> Iterator[Prerequisite]:
    """Return the identifiers that must be registered before a row uploaded to the folder of a prefix.

    A row that can never be registered from that folder has no prerequisites.

    >>> from ginuri.identifiers import parse
    >>> list(prerequisites_of(parse("uri-gin/azgs.mapping/map/1/"), Statements(), "uri-gin/azgs/"))
    [('uri-gin/azgs/authority/azgs.mapping/',), ('uri-gin/azgs.mapping/',)]
    """
    if prefix == HOST_FOLDER:
        return
    opened_by = authority_to_open(identifier, prefix)
    if opened_by is not None:
        yield (opened_by,)
    elif not identifier.normal_form.startswith(prefix):
        return
    if statements.value("record") != RecordType.AUTHORITY:
        yield _stewards_of(identifier)
    yield from ((receiver,) for receiver in receivers_of(statements))


def _requested_names(identifier: Identifier, statements: Statements) -> Iterator[str]:
    """Return the names under an identifier whose own record may answer a test of it."""
    for key, value in statements.items():
        if key.field == TESTS and isinstance(value, list):
            for test in map(read_test, value):
                requested = read_identifier(f"{identifier.normal_form}{test.path}") if test.path else None
                if requested is not None:
                    yield from (requested.normal_form, *requested.stems)


def _stewards_of(identifier: Identifier) -> Prerequisite:
    """Return the possible stewards of an identifier: its authority, or the host that it is bound to."""
    above = (*identifier.ancestors, identifier.normal_form)[:2]
    return above if identifier.is_bound else above[-1:]


def missing_prerequisites(needed: Collection[Prerequisite], registry: RecordReader) -> list[str]:
    """Return the unregistered prerequisites; for alternatives, the first one.

    Raises RegistryUnavailable.
    """
    names = sorted({name for prerequisite in needed for name in prerequisite})
    registered: set[str] = set()
    for start in range(0, len(names), MOST_FETCHED):
        registered |= registry.fetch(names[start : start + MOST_FETCHED]).keys()
    return [prerequisite[0] for prerequisite in needed if registered.isdisjoint(prerequisite)]
