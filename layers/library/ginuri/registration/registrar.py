"""Judges, applies and writes registrations, with a verdict on each.

After a conflict with another writer, a registration is judged and applied again to the newer record.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ginuri.identifiers.errors import RecordTooLarge, RegistryUnavailable, RevisionConflict
from ginuri.identifiers.roots import folder_to_prefix, printable_name, root_of
from ginuri.registration.checks.authorization import authority_to_open
from ginuri.registration.checks.circles import CircleFinder, locations_of, registered_locations
from ginuri.registration.checks.delegations import (
    Handover,
    handover_of,
    is_delegated,
    receivers_by_day,
    receivers_of,
)
from ginuri.registration.checks.near_duplicates import NearDuplicates
from ginuri.registration.checks.own_addresses import OwnAddresses
from ginuri.registration.checks.rule_conflicts import SurroundingRules, prefixes_of
from ginuri.registration.judging_context import JudgingContext
from ginuri.registration.parts import RegistrationPart, as_before, judge_parts, verdicts_of
from ginuri.registration.rows import Registration, about_rule, rank_of
from ginuri.registration.stored_files import FileKeeper, with_files
from ginuri.registration.validation import as_registered, ignored_fields
from ginuri.registration.verdicts import Finding, Outcome, Verdict, refuse, warn
from ginuri.registry.model import (
    Alias,
    NameAuthority,
    Prefix,
    Registered,
    ResourceType,
    Steward,
)
from ginuri.registry.ports import MOST_FETCHED, MOST_ITEM_BYTES, Registry
from ginuri.registry.reading import read_registered
from ginuri.registry.record.differences import without
from ginuri.registry.record.history import apply_with_history
from ginuri.registry.record.record import REPRESENTATIONS, Change, Path, Record
from ginuri.registry.record.stamps import Stamp

MOST_BYTES = 64_000
"""How many bytes a record may have as JSON."""
MOST_ENTRIES = 3_000
"""How many fields a record may have, cleared ones included, as each keeps a stamp."""
MOST_BESIDE = 97
"""How many other records a write may require to be unchanged: a transaction has 100 items."""
_MOST_TRIES = 8
_SUCCESSOR = ("successor",)


Mapper = Callable[
    [Callable[[Registration], Sequence[Verdict]], Iterable[Registration]], Iterable[Sequence[Verdict]]
]
"""How the registrations of a batch are processed: `map`, or that of a thread pool."""
_ExcessFinder = Callable[[Change], Finding | None]
"""Returns a finding if a change makes a record too large."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The upload that registrations come from."""

    put: str
    key: str
    version: str
    correction: str = ""
    """The reason to change immutable fields (`checks.immutability`); empty if the upload may not."""

    @property
    def folder(self) -> str:
        """The folder of the upload, and of the stored files that it names."""
        return self.key[: self.key.rfind("/") + 1]

    @property
    def prefix(self) -> str:
        """The identifier prefix that the folder may register."""
        return folder_to_prefix(self.folder)

    def stamp(self, registration: Registration) -> Stamp:
        """Make the stamp of a registration."""
        return Stamp(self.put, self.key, self.version, registration.first_line)

    def describe_source(self, stamp: Stamp) -> str:
        """Describe the source of a statement: a line of this upload, or another upload."""
        is_own = (stamp.put, stamp.upload, stamp.version) == (self.put, self.key, self.version)
        return f"line {stamp.line}" if is_own else stamp.source


class Registrar:
    """Registers what one upload states.

    `canonical_host` is ours, besides the registered hosts. With `defers`, registrations that may redirect to
    an identifier of ours are put into `deferred`, to be judged one by one after all others are registered.
    """

    def __init__(  # noqa: PLR0913  what is registered, how, and from where
        self,
        registry: Registry,
        keeper: FileKeeper,
        origin: Origin,
        mapper: Mapper = map,
        *,
        canonical_host: str = "",
        defers: bool = False,
        advises: bool = True,
    ) -> None:
        self.deferred: list[tuple[Registration, Sequence[Finding]]] = []
        """Each with the advice on its spelling, which needs the whole batch."""
        self.formerly_circular: set[str] = set()
        """With `defers`: identifiers that redirected to one of ours before, and no longer do."""
        self._registry = registry
        self._keeper = keeper
        self._origin = origin
        self._mapper = mapper
        self._defers = defers
        self._advises = advises
        self._own = OwnAddresses(registry, canonical_host)
        self._circles = CircleFinder(registry, self._own, origin.put)
        self._fetched: dict[str, Registered | None] = {}
        self._rule_lines: dict[tuple[str, str], int] = {}
        self._names: set[str] = set()
        self._naming_forms: set[str] = set()
        self._near_duplicates = NearDuplicates(registry)
        self._handovers: dict[str, Handover | None] = {}

    def register(self, registrations: Sequence[Registration]) -> Iterator[Verdict]:
        """Register all, authorities and types first. Raises RegistryUnavailable."""
        if self._advises:
            self._near_duplicates.compare(registrations)
        self._names = {registration.identifier.normal_form for registration in registrations}
        for rank in sorted({rank_of(registration.statements) for registration in registrations}):
            ranked = [
                registration for registration in registrations if rank_of(registration.statements) == rank
            ]
            # Rules depend on the rules around them, and aliases on what they stand for: one at a time,
            # so that each is judged by those before it.
            batch_size = 1 if any(_related_names(registration) for registration in ranked) else MOST_FETCHED
            for start in range(0, len(ranked), batch_size):
                for verdicts in self._register_batch(ranked[start : start + batch_size]):
                    yield from verdicts

    def _register_batch(self, batch: Sequence[Registration]) -> Iterable[Sequence[Verdict]]:
        self._fetch_surroundings(batch)
        records = self._read([registration.identifier.normal_form for registration in batch], batch)
        self._naming_forms = {
            registration.identifier.normal_form for registration in batch if _form_identifiers(registration)
        }
        if self._advises:
            self._near_duplicates.choose(batch, records, self._origin.stamp)
        return self._mapper(lambda registration: self._register(registration, records), batch)

    def _fetch_surroundings(self, batch: Sequence[Registration]) -> None:
        above = dict.fromkeys(name for registration in batch for name in registration.identifier.ancestors)
        reread = {
            registration.identifier.normal_form for registration in batch if _is_of_prefix(registration)
        }
        reread |= {
            name
            for registration in batch
            if (name := authority_to_open(registration.identifier, self._origin.prefix))
        }
        reread |= {
            name
            for registration in batch
            if is_delegated(registration)
            for name in receivers_of(registration.statements)
        }
        reread |= {name for registration in batch for name in _form_identifiers(registration)}
        reread |= {
            name
            for registration in batch
            if (successor := registration.statements.get(_SUCCESSOR))
            for name in (successor, root_of(successor))
        }
        hosts = self._own.unknown(
            location for registration in batch for location in locations_of(registration)
        )
        unknown = [
            name
            for name in dict.fromkeys((*above, *reread, *hosts))
            if self._fetched.get(name) is None or name in reread
        ]
        for start in range(0, len(unknown), MOST_FETCHED):
            names = unknown[start : start + MOST_FETCHED]
            fetched = self._registry.fetch(names)
            self._fetched |= {name: fetched.get(name) for name in names}
            self._own.learn(names, fetched.values())
            self._own.look_up(
                location for record in fetched.values() for location in registered_locations(record)
            )

    def _read(self, names: Sequence[str], batch: Iterable[Registration]) -> dict[str, Record]:
        """Read records, and the other records that registrations are judged by."""
        others = dict.fromkeys(name for registration in batch for name in _related_names(registration))
        all_names, records = list(dict.fromkeys((*names, *others))), dict[str, Record]()
        for start in range(0, len(all_names), MOST_FETCHED):
            records |= self._registry.read(all_names[start : start + MOST_FETCHED])
        self._fetched |= {
            name: read_registered(name, records[name].values(), records[name].modified.put)
            for name in others
            if name in records
        }
        self._own.learn(others, map(self._fetched.get, others))
        self._own.look_up(location for record in records.values() for location in locations_of(record))
        return records

    def _register(self, registration: Registration, records: Mapping[str, Record]) -> Sequence[Verdict]:
        name, stamp = registration.identifier.normal_form, self._origin.stamp(registration)
        stated = with_files(registration, self._keeper, self._origin.folder, self._origin.put)
        find_excess: _ExcessFinder = _excess
        for _ in range(_MOST_TRIES):
            before = records.get(name)
            registration = as_registered(stated, before)
            parts = self._judge(registration, records, stamp)
            change, parts = self._apply(registration, before, parts, stamp, find_excess)
            is_new = change is not None and change.after.created == stamp and parts[0].rule is None
            advice = self._near_duplicates.advise(registration.identifier, stamp) if is_new else []
            batch = self._naming_forms if self._defers else None
            may_circle = change is not None and self._circles.may_close_one(change, self._fetched, batch)
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
                        replace(change, judged_by=self._expected_revisions(registration, records))
                    )
            except RevisionConflict:
                records = self._read([name], [registration])
            except RecordTooLarge:  # the next try finds which of the parts are too much
                find_excess = self._excess_of_item
            else:
                return self._verdicts(change, parts)
        raise RegistryUnavailable(f"{name} is being written by too many at once")

    def _judge_successor(self, registration: Registration) -> list[Finding]:
        """Warn of a successor that is not registered, on a host that is ours or on none."""
        name = registration.statements.get(_SUCCESSOR)
        if not name or name in self._names or self._fetched.get(name) is not None:
            return []
        if name.startswith("//") and self._fetched.get(root_of(name)) is None:
            return []
        finding = warn(
            "successor",
            "registered",
            name,
            "{identifier} is not registered. Register it, or correct the `successor`.",
            identifier=printable_name(name),
        )
        return [finding]

    def _expected_revisions(
        self, registration: Registration, records: Mapping[str, Record]
    ) -> dict[str, int]:
        """Return the revisions of the records that must not change before a registration is written."""
        # A target that is registered as something else never becomes an alias.
        free = [name for name in _targets(registration) if isinstance(self._fetched.get(name), Prefix | None)]
        names = dict.fromkeys((*_rule_prefixes(registration), *free))
        names.pop(registration.identifier.normal_form, None)
        return {name: records[name].revision if name in records else 0 for name in list(names)[:MOST_BESIDE]}

    def _judge(
        self, registration: Registration, records: Mapping[str, Record], stamp: Stamp
    ) -> list[RegistrationPart]:
        before = records.get(registration.identifier.normal_form)
        parts = judge_parts(registration, self._context(registration, records))
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
        """Refuse the parts that close a circle; if there are any, apply the others again."""
        judged = self._judge_circles(registration, change, parts)
        if [part.is_refused for part in judged] == [part.is_refused for part in parts]:
            return change, judged
        return self._apply(registration, change.before, judged, change.stamp, find_excess)

    def _judge_circles(
        self, registration: Registration, change: Change, parts: Sequence[RegistrationPart]
    ) -> list[RegistrationPart]:
        """Find which parts redirect to identifiers of ours, and refuse those that close a circle."""
        findings_by_rule = self._circles.judge(change.after, registration)
        prefix, applied = registration.identifier.normal_form, frozenset[Path]()
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
        """Tell whether the identifier redirected to one of ours, by its record or by a rule above it."""
        above = (self._fetched.get(name) for name in registration.identifier.ancestors)
        return self._circles.leads_back(before) or any(map(self._circles.rules_lead_back, above))

    def _applied_before(self, before: Record, stamp: Stamp) -> frozenset[Path]:
        """Return the paths that an earlier delivery applied, even if refused now or displaced since."""
        if before.latest < stamp:
            return frozenset()
        statements = self._registry.history(before.identifier).statements
        return frozenset(statement.path for statement in statements if statement.stamp == stamp)

    def _apply(
        self,
        registration: Registration,
        before: Record | None,
        parts: list[RegistrationPart],
        stamp: Stamp,
        find_excess: _ExcessFinder,
    ) -> tuple[Change | None, list[RegistrationPart]]:
        """Apply the accepted parts, except those that make the record too large; None if nothing is left."""
        name = registration.identifier.normal_form
        record, read_history = before or Record(name, {}), partial(self._registry.history, name)

        def applied(accepted: Iterable[RegistrationPart]) -> Change:
            statements = {path: value for part in accepted for path, value in part.statements.items()}
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
        """Find whether a change is too large for the registry, stamps and history included."""
        if size := _excess(change):
            return size
        try:
            self._registry.check(change)
        except RecordTooLarge as error:
            return _too_large(error)
        return None

    def _verdicts(self, change: Change, parts: Sequence[RegistrationPart]) -> Sequence[Verdict]:
        before = change.before
        if not change.touches:  # delivered again after a crash: the verdicts must be the same
            before = without(before, self._registry.displaced(before.identifier, change.stamp), change.stamp)
        return list(verdicts_of(change, before, parts))

    def _handover(self, name: str, record: Registered | Record | None) -> Handover | None:
        """Return the handover of a prefix when the upload was put, whatever was stated since."""
        receivers = receivers_by_day(record)
        if not receivers or record is None:
            return None
        if name not in self._handovers:
            modified = record.modified.put if isinstance(record, Record) else record.modified
            if modified >= self._origin.put:
                # The shortened text sorts just before the upload, so its own statements do not count.
                receivers = receivers_by_day(self._registry.history(name).at(self._origin.put[:-1]))
            self._handovers[name] = handover_of(name, receivers, self._origin.put)
        return self._handovers[name]

    def _context(self, registration: Registration, records: Mapping[str, Record]) -> JudgingContext:
        names = list(reversed(registration.identifier.ancestors))
        before = records.get(registration.identifier.normal_form)
        handover_above = next(
            (handover for name in names if (handover := self._handover(name, self._fetched.get(name)))), None
        )
        handover = self._handover(registration.identifier.normal_form, before) or handover_above
        if _is_of_prefix(registration):  # a prefix may be its own authority
            names.insert(0, registration.identifier.normal_form)
        above = [self._fetched.get(name) for name in names]
        return JudgingContext(
            self._origin.prefix,
            before,
            next((record for record in above if isinstance(record, Steward)), None),
            any(isinstance(record, ResourceType) for record in above),
            self._aliases(registration, records),
            self._fetched.get(authority_to_open(registration.identifier, self._origin.prefix) or ""),
            handover,
            handover_above,
            frozenset(
                name
                for name in receivers_of(registration.statements)
                if isinstance(self._fetched.get(name), NameAuthority)
            ),
            self._origin.correction,
            self._neighbours(registration, records) if registration.rules else SurroundingRules(),
        )

    def _aliases(self, registration: Registration, records: Mapping[str, Record]) -> dict[str, str]:
        """Return the targets of an alias that are aliases themselves, each with the source of that."""
        targets = [name for name in _targets(registration) if isinstance(self._fetched.get(name), Alias)]
        stamps = {name: records[name].stated_first("stands_for") or records[name].created for name in targets}
        return {name: self._origin.describe_source(stamp) for name, stamp in stamps.items()}

    def _neighbours(self, registration: Registration, records: Mapping[str, Record]) -> SurroundingRules:
        prefix = registration.identifier.normal_form
        lines = {(prefix, pattern): rule.lines[0] for pattern, rule in registration.rules.items()}
        self._rule_lines |= lines
        neighbours = {name: self._fetched.get(name) for name in _rule_prefixes(registration)}
        return SurroundingRules(
            {name: [rule.pattern for rule in record.rules] for name, record in neighbours.items() if record},
            self._rule_lines,
            {name: records[name] for name in neighbours if name in records},
        )


def _excess(change: Change) -> Finding | None:
    record = change.after
    size = len(json.dumps(record.values(), ensure_ascii=False).encode())
    if size > MOST_BYTES:
        return refuse(
            "",
            "size",
            size,
            "The record would have {size} bytes; at most {most} are allowed. Shorten its texts.",
            size=size,
            most=MOST_BYTES,
        )
    if len(record.entries) > MOST_ENTRIES:
        return refuse(
            "",
            "size",
            len(record.entries),
            "The record would have {number} fields; at most {most} are allowed. Register some of it under "
            "identifiers of their own.",
            number=len(record.entries),
            most=MOST_ENTRIES,
        )
    return None


def _too_large(error: RecordTooLarge) -> Finding:
    return refuse(
        "",
        "size",
        error.size,
        "The record would take {size} bytes in the registry, which include the names of the files that "
        "stated its fields; at most {most} are allowed. State its fields in one file with a shorter name.",
        size=error.size,
        most=MOST_ITEM_BYTES,
    )


def _related_names(registration: Registration) -> list[str]:
    """Return the other records that a registration depends on and that may change meanwhile."""
    return list(dict.fromkeys((*_rule_prefixes(registration), *_targets(registration))))


def _rule_prefixes(registration: Registration) -> list[str]:
    """Return the prefixes whose rules may conflict with the stated rules."""
    if not registration.rules:
        return []
    identifier = registration.identifier
    return [*identifier.ancestors, identifier.normal_form, *prefixes_of(identifier, registration.statements)]


def _targets(registration: Registration) -> list[str]:
    return registration.statements.get(("stands_for",)) or []


def _is_of_prefix(registration: Registration) -> bool:
    return bool(registration.rules) or is_delegated(registration)


def _form_identifiers(registration: Registration) -> list[str]:
    """Return the identifiers that the stated forms lead to."""
    statements = registration.statements.items()
    return [
        value
        for path, value in statements
        if path[0] == REPRESENTATIONS[0] and path[-1] == "identifier" and value
    ]


def _add_findings(piece: RegistrationPart, findings: Iterable[Finding], prefix: str) -> RegistrationPart:
    return piece.with_findings(findings if piece.rule is None else about_rule(prefix, piece.rule, findings))
