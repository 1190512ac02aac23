"""Judges, applies and writes registrations, with a verdict on each.

After a conflict with another writer, a registration is judged and applied again to the newer record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ginuri.identifiers.errors import RecordTooLarge, RegistryUnavailable, RevisionConflict
from ginuri.identifiers.roots import printable_name, root_of
from ginuri.registration.checks import sizes
from ginuri.registration.checks.near_duplicates import NearDuplicates
from ginuri.registration.context_reader import ContextReader, form_identifiers, related_names
from ginuri.registration.parts import RegistrationPart, as_before, judge_parts, verdicts_of
from ginuri.registration.redirects.circles import CircleFinder
from ginuri.registration.redirects.own_addresses import OwnAddresses
from ginuri.registration.redirects.successors import judge_successor, names_another
from ginuri.registration.rows import Origin, Registration, about_rule, rank_of
from ginuri.registration.stored_files import FileKeeper, with_files
from ginuri.registration.validation import (
    as_registered,
    ignored_fields,
    with_captures,
    with_kind_of_concept,
)
from ginuri.registration.verdicts import Finding, Outcome, Verdict, warn
from ginuri.registry.model import Registered
from ginuri.registry.ports import MOST_FETCHED, Registry
from ginuri.registry.record.differences import without
from ginuri.registry.record.history import apply_with_history
from ginuri.registry.record.record import Change, Record
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import Key

_MOST_TRIES = 8


Mapper = Callable[
    [Callable[[Registration], Sequence[Verdict]], Iterable[Registration]], Iterable[Sequence[Verdict]]
]
"""Processes the registrations of a batch: `map`, or the `map` of a thread pool."""
_ExcessFinder = Callable[[Change], Finding | None]
"""Returns a finding if a change makes a record too large."""
_Observer = Callable[[Change, Registration], None]
"""Receives each change that was applied, now or by an earlier delivery, with its registration."""


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
        observe: _Observer = lambda _change, _registration: None,
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
        own = OwnAddresses(registry, canonical_host)
        self._circles = CircleFinder(registry, own, origin.put)
        self._reader = ContextReader(registry, origin, own)
        self._names: set[str] = set()
        self._naming_forms: set[str] = set()
        self._near_duplicates = NearDuplicates(registry)

    @property
    def fetched(self) -> Mapping[str, Registered | None]:
        """The records around the registrations so far; None for an absent record."""
        return self._reader.fetched

    def register(self, registrations: Sequence[Registration]) -> Iterator[Verdict]:
        """Register all, authorities and types first. Raises RegistryUnavailable."""
        if self._advises:
            self._near_duplicates.compare(registrations)
        self._names = {registration.identifier.normal_form for registration in registrations}
        for rank in sorted({rank_of(registration.statements) for registration in registrations}):
            ranked = [
                registration for registration in registrations if rank_of(registration.statements) == rank
            ]
            # Rules depend on the rules around them, and aliases on their targets: one at a time, so that
            # each is judged by those before it.
            batch_size = 1 if any(related_names(registration) for registration in ranked) else MOST_FETCHED
            for start in range(0, len(ranked), batch_size):
                for verdicts in self._register_batch(ranked[start : start + batch_size]):
                    yield from verdicts

    def _register_batch(self, batch: Sequence[Registration]) -> Iterable[Sequence[Verdict]]:
        self._reader.fetch(batch)
        records = self._reader.read(batch)
        self._naming_forms = {
            registration.identifier.normal_form for registration in batch if form_identifiers(registration)
        }
        if self._advises:
            self._near_duplicates.choose(batch, records, self._origin.stamp)
        return self._mapper(lambda registration: self._register(registration, records), batch)

    def _register(self, registration: Registration, records: Mapping[str, Record]) -> Sequence[Verdict]:
        name, stamp = registration.identifier.normal_form, self._origin.stamp(registration)
        stated = with_files(registration, self._keeper, self._origin.folder, self._origin.put)
        find_excess: _ExcessFinder = sizes.find_excess
        for _ in range(_MOST_TRIES):
            before = records.get(name)
            registration = self._as_registered(stated, before)
            parts = self._judge(registration, records, stamp)
            change, parts = self._apply(registration, before, parts, stamp, find_excess)
            is_new = change is not None and change.after.created == stamp and parts[0].rule is None
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
                change, parts = self._without_circles(registration, change, parts, find_excess)
            if change is None:
                return [Verdict(Outcome.REFUSED, part.lines, name, part.findings) for part in parts]
            if self._defers and self._led_back(registration, before):
                self.formerly_circular.add(name)
            parts[0] = parts[0].with_findings([*advice, *remarks])
            try:
                if change.touches:
                    self._registry.write(
                        replace(change, judged_by=self._reader.expected_revisions(registration, records))
                    )
            except RevisionConflict:
                records = self._reader.read([registration])
            except RecordTooLarge:  # the next try finds the parts that do not fit
                find_excess = self._excess_of_item
            else:
                self._observe(change, registration)
                return self._verdicts(change, parts)
        raise RegistryUnavailable(f"{name} is being written by too many at once")

    def _as_registered(self, stated: Registration, before: Record | None) -> Registration:
        fitted = with_captures(as_registered(stated, before), before)
        return with_kind_of_concept(fitted, before) if self._origin.has_recent_rules else fitted

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

    def _judge(
        self, registration: Registration, records: Mapping[str, Record], stamp: Stamp
    ) -> list[RegistrationPart]:
        before = records.get(registration.identifier.normal_form)
        parts = judge_parts(registration, self._reader.context(registration, records))
        if before is None or not (registration.rules or any(part.is_refused for part in parts)):
            return parts
        applied = self._applied_before(before, stamp)
        return [as_before(part, applied, before) for part in parts] if applied else parts

    def _without_circles(
        self,
        registration: Registration,
        change: Change,
        parts: list[RegistrationPart],
        find_excess: _ExcessFinder,
    ) -> tuple[Change | None, list[RegistrationPart]]:
        """Refuse the parts that close a loop; if there are any, apply the others again."""
        judged = self._judge_circles(registration, change, parts)
        if [part.is_refused for part in judged] == [part.is_refused for part in parts]:
            return change, judged
        return self._apply(registration, change.before, judged, change.stamp, find_excess)

    def _judge_circles(
        self, registration: Registration, change: Change, parts: Sequence[RegistrationPart]
    ) -> list[RegistrationPart]:
        """Find the parts that redirect within this registry, and refuse those that close a loop."""
        findings_by_rule = self._circles.judge(change.after, registration)
        if self._origin.has_recent_rules:
            findings_by_rule[None] = [
                *findings_by_rule.get(None, ()),
                *judge_successor(change, self._registry),
            ]
        prefix, applied = registration.identifier.normal_form, frozenset[Key]()
        judged = [
            part if part.is_refused else _add_findings(part, findings_by_rule.get(part.rule, ()), prefix)
            for part in parts
        ]
        if any(part.is_refused for part in judged) and change.before.revision:
            applied = self._applied_before(change.before, change.stamp)
        return [
            before if before.is_refused else as_before(after, applied, change.before) if applied else after
            for before, after in zip(parts, judged, strict=True)
        ]

    def _led_back(self, registration: Registration, before: Record | None) -> bool:
        """Return whether the identifier redirected within this registry, by its record or a rule above it."""
        above = (self._reader.fetched.get(name) for name in registration.identifier.ancestors)
        return self._circles.leads_back(before) or any(map(self._circles.rules_lead_back, above))

    def _applied_before(self, before: Record, stamp: Stamp) -> frozenset[Key]:
        """Return the keys that an earlier delivery applied, even if refused now or displaced since."""
        if before.latest < stamp:
            return frozenset()
        statements = self._registry.history(before.identifier).statements
        return frozenset(statement.key for statement in statements if statement.stamp == stamp)

    def _apply(
        self,
        registration: Registration,
        before: Record | None,
        parts: list[RegistrationPart],
        stamp: Stamp,
        find_excess: _ExcessFinder,
    ) -> tuple[Change | None, list[RegistrationPart]]:
        """Apply the accepted parts, except those that make the record too large; None if no part is left."""
        name = registration.identifier.normal_form
        record, read_history = before or Record(name, {}), partial(self._registry.history, name)

        def applied(accepted: Iterable[RegistrationPart]) -> Change:
            statements = {key: value for part in accepted for key, value in part.statements.items()}
            cleared = ignored_fields(registration, self._origin.correction)
            return apply_with_history(record, {**cleared, **statements}, stamp, read_history)

        accepted = [part for part in parts if not part.is_refused]
        change = applied(accepted) if accepted else None
        if change is None or not find_excess(change):
            return change, parts
        kept: list[RegistrationPart] = []
        for number, part in enumerate(parts):
            if part.is_refused:
                continue
            if size := find_excess(applied([*kept, part])):
                parts[number] = part.with_findings([size])
            else:
                kept.append(part)
        return applied(kept) if kept else None, parts

    def _excess_of_item(self, change: Change) -> Finding | None:
        """Return a finding if a change is too large for the registry, including stamps and history."""
        if size := sizes.find_excess(change):
            return size
        try:
            self._registry.check(change)
        except RecordTooLarge as error:
            return sizes.too_large(error)
        return None

    def _verdicts(self, change: Change, parts: Sequence[RegistrationPart]) -> Sequence[Verdict]:
        before = change.before
        if not change.touches:  # delivered again after a crash: the verdicts must be the same
            before = without(before, self._registry.displaced(before.identifier, change.stamp), change.stamp)
        return list(verdicts_of(change, before, parts))


def _add_findings(piece: RegistrationPart, findings: Iterable[Finding], prefix: str) -> RegistrationPart:
    return piece.with_findings(findings if piece.rule is None else about_rule(prefix, piece.rule, findings))
