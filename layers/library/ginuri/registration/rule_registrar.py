"""Registers rules that are stored by their beginnings: judged one after the other, and written together.

A write raises the revision of the prefix. Every other write that was judged by rules of the prefix expects
the revision that it has read, and so do those above and below: of two uploads at the same moment, one is
judged again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ginuri.identifiers.errors import RecordTooLarge, RegistryUnavailable, RevisionConflict
from ginuri.registration.checks import sizes
from ginuri.registration.checks.answer_tests import find_excess_of_tests
from ginuri.registration.conditions import ConditionJudge
from ginuri.registration.context_reader import ContextReader
from ginuri.registration.dry_run import DryRunRegistry
from ginuri.registration.judgement import MOST_TRIES, Judgement, Observer, refusals
from ginuri.registration.parts import RegistrationPart
from ginuri.registration.redirects.circles import CircleFinder
from ginuri.registration.redirects.own_addresses import OwnAddresses
from ginuri.registration.rows import Origin, Registration
from ginuri.registration.rule_neighbours import RuleNeighbours, cover_around, rule_records_around
from ginuri.registration.rule_transaction import RuleTransaction
from ginuri.registration.stored_files import FileKeeper, with_files
from ginuri.registration.verdicts import Finding, Verdict
from ginuri.registry.ports import MOST_FETCHED, Registry
from ginuri.registry.record.answer_tests import part_tests
from ginuri.registry.record.record import Change, Record
from ginuri.registry.record.rule_records import add_cuts
from ginuri.registry.record.statements import RecordPlace, Statements, of_rule

_AROUND = 4
"""The usual number of items of a transaction besides the rules: the prefix, and those above it."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """A registration of a batch, as it was judged; without a change, it is refused."""

    registration: Registration
    parts: Sequence[RegistrationPart]
    change: Change | None
    judgement: Judgement

    def verdicts(self) -> Sequence[Verdict]:
        """Return the verdicts on its rules, after it was written."""
        if self.change is None:
            return refusals(self.registration, self.parts)
        return self.judgement.verdicts(self.registration, self.change, self.parts)


@dataclass(frozen=True, slots=True)
class _Batch:
    """The registry as it will be after the registrations of a batch that were judged so far."""

    records: dict[str, Record]
    neighbours: RuleNeighbours
    draft: DryRunRegistry
    circles: CircleFinder

    def accept(self, change: Change) -> None:
        """Judge the next registrations by a change as well."""
        name = change.after.identifier
        self.records[name] = change.after
        self.draft.adopt({name: change.after})
        self.neighbours.note(change.after)


class RuleRegistrar:
    """Registers the rules of one upload whose patterns have a literal beginning."""

    def __init__(  # noqa: PLR0913, PLR0917  the upload and the collaborators
        self,
        registry: Registry,
        reader: ContextReader,
        own: OwnAddresses,
        origin: Origin,
        keeper: FileKeeper,
        retiring: Collection[tuple[str, str]],
        observe: Observer,
    ) -> None:
        self._registry = registry
        self._reader = reader
        self._own = own
        self._origin = origin
        self._keeper = keeper
        self._retiring = retiring
        self._observe = observe

    def take(self, waiting: list[Registration]) -> tuple[list[Registration], list[Registration]]:
        """Divide registrations into about as many as fit a transaction, and those after them."""
        size = max(1, (self._registry.most_written - _AROUND) // 2)
        return waiting[:size], waiting[size:]

    def divide(self, batch: Sequence[Registration]) -> tuple[list[Registration], list[Registration]]:
        """Divide registrations into rules that the record of their prefix has already, and all others.

        Rules that are older than this way to store them stay there. Raises RegistryUnavailable.
        """
        names = list(dict.fromkeys(registration.identifier.normal_form for registration in batch))
        places: dict[str, set[RecordPlace]] = {}
        for start in range(0, len(names), MOST_FETCHED):
            records = self._registry.read(names[start : start + MOST_FETCHED])
            places |= {name: {key.place for key in record.entries} for name, record in records.items()}
        stored_before, others = list[Registration](), list[Registration]()
        for registration in batch:
            stored = places.get(registration.identifier.normal_form, ())
            patterns = dict.fromkeys((*registration.rules, *registration.statements.rules()))
            known = {pattern for pattern in patterns if of_rule(pattern) in stored}
            if known:
                stored_before.append(replace(_only(registration, known), beginning=""))
            if patterns.keys() - known:
                others.append(_only(registration, patterns.keys() - known) if known else registration)
        return stored_before, others

    def register(self, batch: Sequence[Registration]) -> Sequence[Verdict]:
        """Register a batch, in as many transactions as it needs. Raises RegistryUnavailable."""
        verdicts, waiting, tries = list[Verdict](), list(batch), 0
        while waiting:
            try:
                done, judged = self._register_some(waiting)
            except RevisionConflict:
                tries += 1
                if tries == MOST_TRIES:
                    name = waiting[0].identifier.normal_form
                    raise RegistryUnavailable(f"{name} is being written by too many at once") from None
            else:
                verdicts += judged
                waiting, tries = waiting[done:], 0
        return verdicts

    def _register_some(self, waiting: Sequence[Registration]) -> tuple[int, list[Verdict]]:
        """Register the first registrations in one transaction, and return their number and verdicts."""
        batch, transaction = self._read(waiting), RuleTransaction(self._registry.most_written)
        judged = list[_Judged]()
        for registration in waiting:
            one = self._judge(registration, batch)
            change = one.change
            if change is not None and change.touches:
                expected = self._reader.expected_revisions(registration, batch.records, one.judgement.passed)
                if not transaction.takes(change, expected):
                    break
                transaction.add(change, expected, registration, batch.records)
                batch.accept(change)
            judged.append(one)
        self._write(transaction, judged, batch)
        for one in judged:
            if one.change is not None:
                self._observe(one.change, one.registration)
        return len(judged), [verdict for one in judged for verdict in one.verdicts()]

    def _read(self, waiting: Sequence[Registration]) -> _Batch:
        self._reader.fetch(waiting)
        records = self._reader.read(waiting)
        neighbours, draft = RuleNeighbours(self._registry, self._retiring), DryRunRegistry(self._registry)
        around = (name for registration in waiting for name in rule_records_around(registration))
        neighbours.look_up([*map(cover_around, waiting), *around], records)
        for registration in waiting:  # so that redirects are followed by them
            if cuts := self._cuts_of(registration, {**records, **draft.written}):
                draft.adopt({cuts.after.identifier: cuts.after})
        return _Batch(records, neighbours, draft, CircleFinder(draft, self._own, self._origin.put))

    def _judge(self, stated: Registration, batch: _Batch) -> _Judged:
        stamp, records = self._origin.stamp(stated), batch.records
        judgement = Judgement(
            self._registry,
            self._origin,
            self._reader,
            batch.circles,
            batch.neighbours,
            ConditionJudge(self._registry, self._origin),
        )
        stated = with_files(stated, self._keeper, self._origin.folder, self._origin.put)
        registration = judgement.fit(stated, records)
        before = records.get(registration.record_name)
        parts = judgement.judge(registration, records, stamp)
        change, parts = judgement.apply(registration, before, parts, stamp, self._find_excess)
        if change is not None and batch.circles.may_close_one(change, self._reader.fetched):
            change, parts = judgement.without_circles(registration, change, parts, records, self._find_excess)
        return _Judged(registration, parts, change, judgement)

    def _find_excess(self, change: Change) -> Finding | None:
        try:
            self._registry.check(change)
        except RecordTooLarge as error:
            return sizes.too_many_rules(error)
        return find_excess_of_tests(part_tests(change.after.values())[1])

    def _write(self, transaction: RuleTransaction, judged: Sequence[_Judged], batch: _Batch) -> None:
        if not transaction.changes:
            return
        # Before the rules: a cut without a rule costs requests a key, a rule without its cut is never found.
        for one in judged:
            if one.change is not None and (cuts := self._cuts_of(one.registration, batch.records)):
                self._registry.write(cuts)
                batch.records[cuts.after.identifier] = cuts.after
        self._registry.write(*transaction.writes(batch.records))

    def _cuts_of(self, registration: Registration, records: Mapping[str, Record]) -> Change | None:
        name, prefix = cover_around(registration), registration.identifier.normal_form
        patterns = ((prefix, pattern) for pattern in registration.statements.rules())
        return add_cuts(records.get(name) or Record(name, {}), patterns, self._origin.stamp(registration))


def _only(registration: Registration, patterns: Collection[str]) -> Registration:
    """Return a registration with only some of its rules."""
    statements = {
        key: value for key, value in registration.statements.items() if key.place.pattern in patterns
    }
    rules = {pattern: rule for pattern, rule in registration.rules.items() if pattern in patterns}
    return replace(registration, statements=Statements(statements), rules=rules)
