"""Judges, applies and writes registrations, with a verdict on each.

After a conflict with another writer, a registration is judged and applied again to the newer record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ginuri.identifiers.errors import RecordTooLarge, RegistryUnavailable, RevisionConflict
from ginuri.identifiers.roots import printable_name, root_of
from ginuri.registration.checks import sizes
from ginuri.registration.checks.near_duplicates import NearDuplicates
from ginuri.registration.conditions import ConditionJudge
from ginuri.registration.context_reader import ContextReader, form_identifiers, related_names
from ginuri.registration.judgement import MOST_TRIES, ExcessFinder, Judgement, Observer, refusals
from ginuri.registration.redirects.circles import CircleFinder
from ginuri.registration.redirects.own_addresses import OwnAddresses
from ginuri.registration.redirects.successors import names_another
from ginuri.registration.rows import Origin, Registration, rank_of, retired_rules
from ginuri.registration.rule_neighbours import RuleNeighbours
from ginuri.registration.stored_files import FileKeeper, with_files
from ginuri.registration.verdicts import Finding, Verdict, warn
from ginuri.registry.model import Registered
from ginuri.registry.ports import MOST_FETCHED, Registry
from ginuri.registry.record.record import Change, Record

Mapper = Callable[
    [Callable[[Registration], Sequence[Verdict]], Iterable[Registration]], Iterable[Sequence[Verdict]]
]
"""Processes the registrations of a batch: `map`, or the `map` of a thread pool."""


class Registrar:
    """Registers the statements of one upload.

    `canonical_host` belongs to this registry, like the registered hosts. With `defers`, registrations that
    may redirect to an identifier in this registry are put into `deferred`, to be judged one by one after all
    others. `observe` receives each applied change.
    """

    def __init__(  # noqa: PLR0913  the upload, the collaborators, and the limits
        self,
        registry: Registry,
        keeper: FileKeeper,
        origin: Origin,
        mapper: Mapper = map,
        *,
        canonical_host: str = "",
        defers: bool = False,
        advises: bool = True,
        observe: Observer = lambda _change, _registration: None,
    ) -> None:
        self.deferred: list[tuple[Registration, Sequence[Finding]]] = []
        """Each with the advice on its spelling, which needs the whole batch."""
        self.formerly_circular: set[str] = set()
        """With `defers`: identifiers that no longer redirect within this registry."""
        self._registry = registry
        self._keeper = keeper
        self._origin = origin
        self._mapper = mapper
        self._defers = defers
        self._advises = advises
        self._observe = observe
        self._own = OwnAddresses(registry, canonical_host)
        self._circles = CircleFinder(registry, self._own, origin.put)
        self._reader = ContextReader(registry, origin, self._own)
        self._retiring = frozenset[tuple[str, str]]()
        self._names: set[str] = set()
        self._naming_forms: set[str] = set()
        self._near_duplicates = NearDuplicates(registry)
        self._conditions = ConditionJudge(registry, origin)

    @property
    def fetched(self) -> Mapping[str, Registered | None]:
        """The records around the registrations so far; None for an absent record."""
        return self._reader.fetched

    def register(self, registrations: Sequence[Registration]) -> Iterator[Verdict]:
        """Register all, authorities and types first. Raises RegistryUnavailable."""
        if self._advises:
            self._near_duplicates.compare(registrations)
        self._conditions.compare(registrations)
        self._names = {each.identifier.normal_form for each in registrations if each.grantee is None}
        self._retiring = frozenset(rule for each in registrations for rule in retired_rules(each))
        for rank in sorted({rank_of(registration.statements) for registration in registrations}):
            ranked = [
                registration for registration in registrations if rank_of(registration.statements) == rank
            ]
            own = [registration for registration in ranked if not registration.beginning]
            # Rules depend on the rules around them, and aliases on their targets; the grants on a prefix
            # are in one record: one at a time, so that each is judged by those before it.
            is_apart = any(each.is_apart or related_names(each) for each in own)
            batch_size = 1 if is_apart else MOST_FETCHED
            for start in range(0, len(own), batch_size):
                for verdicts in self._register_batch(own[start : start + batch_size]):
                    yield from verdicts
            yield from self._register_rules([each for each in ranked if each.beginning])

    def _register_rules(self, registrations: Sequence[Registration]) -> Iterator[Verdict]:
        """Register rules in records of their own, many in a transaction."""
        if not registrations:
            return
        from ginuri.registration.rule_registrar import RuleRegistrar

        registrar = RuleRegistrar(
            self._registry,
            self._reader,
            self._own,
            self._origin,
            self._keeper,
            self._retiring,
            self._observe,
        )
        waiting = list(registrations)
        while waiting:
            batch, waiting = registrar.take(waiting)
            stored_before, batch = registrar.divide(batch)
            for registration in stored_before:
                for verdicts in self._register_batch([registration]):
                    yield from verdicts
            if batch:
                yield from registrar.register(batch)

    def _register_batch(self, batch: Sequence[Registration]) -> Iterable[Sequence[Verdict]]:
        self._reader.fetch(batch)
        records = self._reader.read(batch)
        self._naming_forms = {
            registration.identifier.normal_form for registration in batch if form_identifiers(registration)
        }
        if self._advises:
            self._near_duplicates.choose(batch, records, self._origin.stamp)
        return self._mapper(lambda registration: self._register(registration, records), batch)

    def _register(self, registration: Registration, records: dict[str, Record]) -> Sequence[Verdict]:
        name, stamp = registration.record_name, self._origin.stamp(registration)
        stated = with_files(registration, self._keeper, self._origin.folder, self._origin.put)
        find_excess: ExcessFinder = sizes.find_excess
        for _ in range(MOST_TRIES):
            neighbours = RuleNeighbours(self._registry, self._retiring)
            judgement = Judgement(
                self._registry, self._origin, self._reader, self._circles, neighbours, self._conditions
            )
            before = records.get(name)
            registration = judgement.fit(stated, records)
            parts = judgement.judge(registration, records, stamp)
            change, parts = judgement.apply(registration, before, parts, stamp, find_excess)
            is_new = (
                change is not None
                and change.after.created == stamp
                and parts[0].rule is None
                and registration.grantee is None
            )
            advice = self._near_duplicates.advise(registration.identifier, stamp) if is_new else []
            batch = self._naming_forms if self._defers else None
            may_circle = change is not None and (
                names_another(change) or self._circles.may_close_one(change, self._reader.fetched, batch)
            )
            remarks = [] if change is None else self._judge_successor(registration)
            if self._defers and (may_circle or remarks):  # a successor may follow in the file
                self.deferred.append((registration, advice))
                return []
            if change is not None and may_circle:
                change, parts = judgement.without_circles(registration, change, parts, records, find_excess)
            if change is None:
                return refusals(registration, parts)
            if self._defers and self._led_back(registration, before):
                self.formerly_circular.add(name)
            parts[0] = parts[0].with_findings([*advice, *remarks])
            try:
                if change.touches:
                    judged_by = self._reader.expected_revisions(registration, records, judgement.passed)
                    self._registry.write(replace(change, judged_by=judged_by))
            except RevisionConflict:
                records = self._reader.read([registration])
            except RecordTooLarge:  # the next try finds the parts that do not fit
                find_excess = self._excess_of_item
            else:
                self._observe(change, registration)
                return judgement.verdicts(registration, change, parts)
        raise RegistryUnavailable(f"{name} is being written by too many at once")

    def _judge_successor(self, registration: Registration) -> list[Finding]:
        """Warn of a successor in this registry, or without a host, that is not registered."""
        name = registration.statements.text("successor")
        if not name or name in self._names or self._reader.fetched.get(name) is not None:
            return []
        if name.startswith("//") and self._reader.fetched.get(root_of(name)) is None:
            return []
        return [
            warn(
                "successor",
                "registered",
                name,
                "{identifier} is not registered. Register it, or correct the `successor`.",
                identifier=printable_name(name),
            )
        ]

    def _led_back(self, registration: Registration, before: Record | None) -> bool:
        """Return whether the identifier redirected within this registry, by its record or a rule above it."""
        above = self._reader.above(registration)
        return self._circles.leads_back(before) or any(map(self._circles.rules_lead_back, above))

    def _excess_of_item(self, change: Change) -> Finding | None:
        """Return a finding if a change is too large for the registry, including stamps and history."""
        if size := sizes.find_excess(change):
            return size
        try:
            self._registry.check(change)
        except RecordTooLarge as error:
            return sizes.too_large(error)
        return None
