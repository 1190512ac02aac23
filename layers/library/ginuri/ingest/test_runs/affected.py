"""Finds the tests that the rows of a task affect.

These are the tests of the records that the rows change, or whose tests they state; tests that records above
them state about a changed name; and the tests of records below a prefix whose rules or type changed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ginuri.answer_tests.placed_tests import PlacedTest, names_requested, place_tests
from ginuri.identifiers.roots import ancestors_of, root_of
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.queue_messages import Pass, RegisterRows
from ginuri.registration.checks.delegations import is_delegated
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Outcome, outcome_of
from ginuri.registry.model import RecordType, Registered, RuleCuts
from ginuri.registry.ports import MOST_FETCHED, MemberLister, Registry
from ginuri.registry.record.answer_tests import TESTS
from ginuri.registry.record.record import Change
from ginuri.registry.rules.beginnings import cover_of, record_of_beginning, records_above

_ABOVE = {str(record_type) for record_type in RecordType} - {RecordType.RESOURCE, RecordType.ALIAS}
"""The types of records that answers to names under them depend on."""
MOST_ABOVE = 1_000
"""The most records above the rows of a task whose tests are considered."""
MOST_PREFIXES = 10
"""The most changed prefixes of a task below which tests are looked for."""
MOST_BELOW = 300
"""The most identifiers below a changed prefix whose tests are considered."""


@dataclass(frozen=True, slots=True)
class TestHolder:
    """A record with affected tests."""

    __test__ = False  # no class of tests, for pytest

    name: str
    count: int
    """The number of these tests."""
    about: frozenset[str] | None = None
    """The changed names that they are about; None for all tests of the record."""

    def together_with(self, other: TestHolder) -> TestHolder:
        """Return the record with the tests that either of two tasks affects."""
        is_whole = self.about is None or other.about is None
        about = None if is_whole else frozenset((*(self.about or ()), *(other.about or ())))
        return TestHolder(self.name, max(self.count, other.count), about)

    def tests(self, placed: Iterable[PlacedTest]) -> Iterator[PlacedTest]:
        """Return the affected ones of the tests of the record."""
        return (each for each in placed if self.about is None or _is_about(each, self.about))


@dataclass(slots=True)
class AffectedTests:
    """The tests that the rows of one task affect, noted while they are registered."""

    _holders: dict[str, TestHolder] = field(default_factory=dict)
    _changed: dict[str, None] = field(default_factory=dict)
    _prefixes: dict[str, None] = field(default_factory=dict)

    def note(self, change: Change, registration: Registration) -> None:
        """Note a registration that was applied, even if it was delivered and applied before."""
        if registration.grantee is not None:  # no answer depends on it
            return
        name, entries = registration.identifier.normal_form, change.after.entries
        stored = registration.record_name
        is_changed = outcome_of(change) is not Outcome.UNCHANGED
        tests = [entry for key, entry in entries.items() if key.field == TESTS]
        if tests and (is_changed or any(entry.stamp == change.stamp for entry in tests)):
            count = sum(1 for _ in place_tests(stored, change.after.values()))
            self._holders |= {stored: TestHolder(stored, count)} if count else {}
        if is_changed:
            self._changed[name] = None
            is_prefix = bool(registration.rules) or is_delegated(registration)
            record_type = change.after.in_force().text("record")
            if is_prefix or (record_type in _ABOVE and change.before.revision):
                self._prefixes[name] = None

    def find(
        self, fetched: Mapping[str, Registered | None], registry: Registry, lister: MemberLister
    ) -> list[TestHolder]:
        """Return the records with affected tests. `fetched` are the records above the rows.

        Raises RegistryUnavailable.
        """
        above = dict.fromkeys(name for changed in self._changed for name in _names_above(changed, fetched))
        tested = (name for name in above if (record := fetched.get(name)) is not None and record.is_tested)
        unread = list(islice((name for name in tested if name not in self._holders), MOST_ABOVE))
        for start in range(0, len(unread), MOST_FETCHED):
            for name, read in registry.read(unread[start : start + MOST_FETCHED]).items():
                self._hold_about(name, list(place_tests(name, read.values())))
        for prefix in islice(self._prefixes, MOST_PREFIXES):
            self._hold_below(prefix, registry, lister)
        return list(self._holders.values())

    def needed(self, requested: Collection[str]) -> set[str]:
        """Return the changed names that the tests of this or another task may request."""
        about = {name for holder in self._holders.values() for name in holder.about or ()}
        return {name for name in self._changed if name in requested or name in self._holders or name in about}

    def _hold_about(self, name: str, tests: Sequence[PlacedTest]) -> None:
        about = frozenset(each for test in tests for each in _concerned(test) if each in self._changed)
        count = sum(_is_about(test, about) for test in tests)
        if count:
            self._holders[name] = TestHolder(name, count, about)

    def _hold_below(self, prefix: str, registry: Registry, lister: MemberLister) -> None:
        rules = lister.beginnings(prefix, most=MOST_BELOW).names
        names = [*lister.members(prefix, "", MOST_BELOW).names]
        names += (record_of_beginning(prefix, beginning) for beginning in rules)
        names = [name for name in names if name not in self._holders]
        for start in range(0, len(names), MOST_FETCHED):
            for name, read in registry.read(names[start : start + MOST_FETCHED]).items():
                if count := sum(1 for _ in place_tests(name, read.values())):
                    self._holders[name] = TestHolder(name, count)


def _names_above(name: str, fetched: Mapping[str, Registered | None]) -> list[str]:
    """Return the names of the records above a changed one: those with rules that may match it as well."""
    root = root_of(name)
    cover = fetched.get(cover_of(root))
    of_rules = records_above(name, root, cover.cuts) if isinstance(cover, RuleCuts) else []
    return [*ancestors_of(name), *of_rules]


def write_holders(checkpoints: Checkpoints, part: RegisterRows, holders: Iterable[TestHolder]) -> None:
    """Store the records with tests that a task affects. Raises RegistryUnavailable."""
    lines = [
        json.dumps([holder.name, holder.count, None if holder.about is None else sorted(holder.about)])
        for holder in holders
    ]
    if lines:
        name = f"{holders_prefix(part.through)}{part.step:06d}/{part.number:06d}"
        checkpoints.write(name, "\n".join(lines).encode())


def read_holders(checkpoints: Checkpoints, through: Pass) -> Iterator[TestHolder]:
    """Read the records with tests that the tasks of a pass affect. Raises RegistryUnavailable."""
    for file in checkpoints.names(holders_prefix(through)):
        for line in checkpoints.read(file).splitlines():
            name, count, about = json.loads(line)
            yield TestHolder(name, count, None if about is None else frozenset(about))


def holders_prefix(through: Pass) -> str:
    """Return the prefix of these files of a pass."""
    return f"affected/{through}/"


def _concerned(placed: PlacedTest) -> tuple[str, ...]:
    """Return the names whose change may change the answer to a test, except for its own record and above."""
    names = names_requested(placed)
    return (*names, *ancestors_of(names[0])) if names else ()


def _is_about(placed: PlacedTest, names: Collection[str]) -> bool:
    return any(name in names for name in _concerned(placed))
