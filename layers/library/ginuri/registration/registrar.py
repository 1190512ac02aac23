"""Registrations → the registry, and a verdict for each: judged, applied, written.

Where somebody else was faster, judged and applied again to what they wrote.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ginuri.identifiers.errors import RecordTooLarge, RegistryUnavailable, RevisionConflict
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registration.checks.authorization import authority_to_open
from ginuri.registration.checks.circles import CircleFinder, locations_of, registered_locations
from ginuri.registration.checks.delegations import (
    Handover,
    handover_of,
    is_delegated,
    is_from_receiver,
    receivers_of,
)
from ginuri.registration.checks.near_duplicates import NearDuplicates
from ginuri.registration.checks.own_addresses import OwnAddresses
from ginuri.registration.checks.rule_conflicts import SurroundingRules, prefixes_of
from ginuri.registration.judging_context import JudgingContext
from ginuri.registration.pieces import RegistrationPart, as_before, judge_parts, verdicts_of
from ginuri.registration.rows import Registration, about_rule, rank_of
from ginuri.registration.stored_files import FileKeeper, with_files
from ginuri.registration.validation import as_registered, ignored_fields
from ginuri.registration.verdicts import Finding, Outcome, Verdict, refuse
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
"""How long a record may become, as JSON."""
MOST_ENTRIES = 3_000
"""How many fields a record may have, cleared ones included: each has a stamp to be kept."""
MOST_BESIDE = 97
"""How many other records must stay as they are while one is written: a transaction has 100 items."""
_MOST_TRIES = 8


Mapper = Callable[
    [Callable[[Registration], Sequence[Verdict]], Iterable[Registration]], Iterable[Sequence[Verdict]]
]
"""How the registrations of a batch are gone through: `map`, or that of a pool of threads."""
_Excess = Callable[[Change], Finding | None]
"""What finds whether a change makes a record too large."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where registrations come from; with the line it makes their stamp."""

    put: str
    key: str
    version: str
    correction: str = ""
    """Why it may change what stays for good (`checks.immutability`); empty where it may not."""

    @property
    def folder(self) -> str:
        """Where the stored files stand that it names."""
        return self.key[: self.key.rfind("/") + 1]

    @property
    def prefix(self) -> str:
        """The identifier prefix that may be registered from there."""
        return folder_to_prefix(self.folder)

    def stamp(self, registration: Registration) -> Stamp:
        """Make the stamp of a registration."""
        return Stamp(self.put, self.key, self.version, registration.first_line)

    def tell(self, stamp: Stamp) -> str:
        """Say where a statement comes from: from a line of this upload, or from another upload."""
        is_own = (stamp.put, stamp.upload, stamp.version) == (self.put, self.key, self.version)
        return f"line {stamp.line}" if is_own else stamp.source


class Registrar:
    """Registers what one upload states.

    `canonical_host` is ours, beside the hosts that are registered. Where it `defers`, what may lead back to a
    name of ours is left for later, in `deferred`: it is followed when all else is registered, one by one.
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
        """Each with the advice on its name: those that are written otherwise are looked at together."""
        self.turned: set[str] = set()
        """Those of the identifiers, where it defers, that led back before this, and do no longer."""
        self._registry = registry
        self._keeper = keeper
        self._origin = origin
        self._mapper = mapper
        self._defers = defers
        self._advises = advises
        self._own = OwnAddresses(registry, canonical_host)
        self._circles = CircleFinder(registry, self._own, origin.put)
        self._around: dict[str, Registered | None] = {}
        self._rule_lines: dict[tuple[str, str], int] = {}
        self._named: set[str] = set()
        self._writings = NearDuplicates(registry)
        self._handed: dict[str, Handover | None] = {}

    def register(self, registrations: Sequence[Registration]) -> Iterator[Verdict]:
        """Register all, authorities and types before what stands under them. Raises RegistryUnavailable."""
        if self._advises:
            self._writings.compare(registrations)
        for rank in sorted({rank_of(each.statements) for each in registrations}):
            same = [each for each in registrations if rank_of(each.statements) == rank]
            # Rules are judged by the rules around them: one after the other, each with those before it.
            # Likewise aliases, by what they stand for.
            at_once = 1 if any(_beside(each) for each in same) else MOST_FETCHED
            for start in range(0, len(same), at_once):
                for verdicts in self._register_batch(same[start : start + at_once]):
                    yield from verdicts

    def _register_batch(self, batch: Sequence[Registration]) -> Iterable[Sequence[Verdict]]:
        self._look_around(batch)
        held = self._read([each.identifier.normal_form for each in batch], batch)
        self._named = {each.identifier.normal_form for each in batch if _named(each)}
        if self._advises:
            self._writings.choose(batch, held, self._origin.stamp)
        return self._mapper(lambda each: self._register(each, held), batch)

    def _look_around(self, batch: Sequence[Registration]) -> None:
        above = dict.fromkeys(name for each in batch for name in each.identifier.ancestors)
        again = {each.identifier.normal_form for each in batch if _is_of_prefix(each)}
        again |= {name for each in batch if (name := authority_to_open(each.identifier, self._origin.prefix))}
        again |= {name for each in batch if is_delegated(each) for name in receivers_of(each)}
        again |= {name for each in batch for name in _named(each)}
        hosts = self._own.unknown(location for each in batch for location in locations_of(each))
        unknown = [
            name
            for name in dict.fromkeys((*above, *again, *hosts))
            if self._around.get(name) is None or name in again
        ]
        for start in range(0, len(unknown), MOST_FETCHED):
            names = unknown[start : start + MOST_FETCHED]
            fetched = self._registry.fetch(names)
            self._around |= {name: fetched.get(name) for name in names}
            self._own.learn(names, fetched.values())
            self._own.look_up(
                location for record in fetched.values() for location in registered_locations(record)
            )

    def _read(self, names: Sequence[str], batch: Iterable[Registration]) -> dict[str, Record]:
        """Read records, and with them those that registrations are judged by."""
        beside = dict.fromkeys(name for each in batch for name in _beside(each))
        every, held = list(dict.fromkeys((*names, *beside))), dict[str, Record]()
        for start in range(0, len(every), MOST_FETCHED):
            held |= self._registry.read(every[start : start + MOST_FETCHED])
        self._around |= {
            name: read_registered(name, held[name].values(), held[name].modified.put)
            for name in beside
            if name in held
        }
        self._own.learn(beside, map(self._around.get, beside))
        self._own.look_up(location for record in held.values() for location in locations_of(record))
        return held

    def _register(self, registration: Registration, held: Mapping[str, Record]) -> Sequence[Verdict]:
        name, stamp = registration.identifier.normal_form, self._origin.stamp(registration)
        stated = with_files(registration, self._keeper, self._origin.folder, self._origin.put)
        excess: _Excess = _excess
        for _ in range(_MOST_TRIES):
            before = held.get(name)
            registration = as_registered(stated, before)
            pieces = self._judge(registration, held, stamp)
            change, pieces = self._apply(registration, before, pieces, stamp, excess)
            is_new = change is not None and change.after.created == stamp and pieces[0].rule is None
            advice = self._writings.advise(registration.identifier, stamp) if is_new else []
            if change is not None and self._may_close_a_circle(change):
                if self._defers:
                    self.deferred.append((registration, advice))
                    return []
                change, pieces = self._without_circles(registration, change, pieces, excess)
            if change is None:
                return [Verdict(Outcome.REFUSED, each.lines, name, each.findings) for each in pieces]
            if self._defers and self._led_back(registration, before):
                self.turned.add(name)
            pieces[0] = pieces[0].found(advice)
            try:
                if change.touches:
                    self._registry.write(replace(change, judged_by=self._seen(registration, held)))
            except RevisionConflict:
                held = self._read([name], [registration])
            except RecordTooLarge:  # which of it is too much, is then asked of each piece
                excess = self._excess_of_item
            else:
                return self._told(change, pieces)
        raise RegistryUnavailable(f"{name} is being written by too many at once")

    def _seen(self, registration: Registration, held: Mapping[str, Record]) -> dict[str, int]:
        """Give the revisions of those records that must not change before a registration is written."""
        # What an alias stands for stays no alias, where it is registered as anything.
        free = [name for name in _targets(registration) if isinstance(self._around.get(name), Prefix | None)]
        names = dict.fromkeys((*_ruled(registration), *free))
        names.pop(registration.identifier.normal_form, None)
        return {name: held[name].revision if name in held else 0 for name in list(names)[:MOST_BESIDE]}

    def _judge(
        self, registration: Registration, held: Mapping[str, Record], stamp: Stamp
    ) -> list[RegistrationPart]:
        before = held.get(registration.identifier.normal_form)
        pieces = judge_parts(registration, self._surroundings(registration, held))
        if before is None or not (registration.rules or any(each.is_refused for each in pieces)):
            return pieces
        applied = self._applied(before, stamp)
        return [as_before(each, applied, before) for each in pieces] if applied else pieces

    def _may_close_a_circle(self, change: Change) -> bool:
        return self._circles.may_close_one(change, self._around, self._named if self._defers else None)

    def _without_circles(
        self, registration: Registration, change: Change, pieces: list[RegistrationPart], excess: _Excess
    ) -> tuple[Change | None, list[RegistrationPart]]:
        """Refuse the pieces that close a circle; where there are any, apply the others anew."""
        judged = self._judge_circles(registration, change, pieces)
        if [each.is_refused for each in judged] == [each.is_refused for each in pieces]:
            return change, judged
        return self._apply(registration, change.before, judged, change.stamp, excess)

    def _judge_circles(
        self, registration: Registration, change: Change, pieces: Sequence[RegistrationPart]
    ) -> list[RegistrationPart]:
        """Find which pieces of a registration lead to names of ours, and which of these go round for ever."""
        found = self._circles.judge(change.after, registration)
        prefix, applied = registration.identifier.normal_form, frozenset[Path]()
        judged = [
            each if each.is_refused else _with(each, found.get(each.rule, ()), prefix) for each in pieces
        ]
        if any(each.is_refused for each in judged) and change.before.revision:
            applied = self._applied(change.before, change.stamp)
        return [
            before if before.is_refused else as_before(after, applied, change.before) if applied else after
            for before, after in zip(pieces, judged, strict=True)
        ]

    def _led_back(self, registration: Registration, before: Record | None) -> bool:
        """Tell whether its identifier was led back to a name of ours, by its record or by a rule above it."""
        above = (self._around.get(name) for name in registration.identifier.ancestors)
        return self._circles.leads_back(before) or any(map(self._circles.rules_lead_back, above))

    def _applied(self, before: Record, stamp: Stamp) -> frozenset[Path]:
        """Give what was taken in by an earlier delivery, though it would be refused now, or was displaced."""
        if before.latest < stamp:
            return frozenset()
        statements = self._registry.history(before.identifier).statements
        return frozenset(each.path for each in statements if each.stamp == stamp)

    def _apply(
        self,
        registration: Registration,
        before: Record | None,
        pieces: list[RegistrationPart],
        stamp: Stamp,
        excess: _Excess,
    ) -> tuple[Change | None, list[RegistrationPart]]:
        """Apply what may stand, and refuse what would make the record too large; None where nothing may."""
        name = registration.identifier.normal_form
        record, past = before or Record(name, {}), partial(self._registry.history, name)

        def applied(standing: Iterable[RegistrationPart]) -> Change:
            statements = {path: value for each in standing for path, value in each.statements.items()}
            left = ignored_fields(registration, self._origin.correction)
            return apply_with_history(record, {**left, **statements}, stamp, past)

        standing = [each for each in pieces if not each.is_refused]
        change = applied(standing) if standing else None
        if change is None or not excess(change):
            return change, pieces
        kept: list[RegistrationPart] = []
        for number, each in enumerate(pieces):
            if each.is_refused:
                continue
            if size := excess(applied([*kept, each])):
                pieces[number] = each.found([size])
            else:
                kept.append(each)
        return applied(kept) if kept else None, pieces

    def _excess_of_item(self, change: Change) -> Finding | None:
        """Find whether a change is too large for the registry, stamps and history included."""
        if size := _excess(change):
            return size
        try:
            self._registry.check(change)
        except RecordTooLarge as error:
            return _too_large(error)
        return None

    def _told(self, change: Change, pieces: Sequence[RegistrationPart]) -> Sequence[Verdict]:
        before = change.before
        if not change.touches:  # delivered again, after a crash: a second delivery is told the same
            before = without(before, self._registry.displaced(before.identifier, change.stamp), change.stamp)
        return list(verdicts_of(change, before, pieces))

    def _handover(self, name: str, record: Registered | Record | None) -> Handover | None:
        """Give to whom a prefix was handed when the upload was put, whatever was said of it since."""
        to = is_from_receiver(record)
        if not to or record is None:
            return None
        if name not in self._handed:
            modified = record.modified.put if isinstance(record, Record) else record.modified
            if modified >= self._origin.put:
                # A text before that of its own moment, so that what the upload says itself comes after it.
                to = is_from_receiver(self._registry.history(name).at(self._origin.put[:-1]))
            self._handed[name] = handover_of(name, to, self._origin.put)
        return self._handed[name]

    def _surroundings(self, registration: Registration, held: Mapping[str, Record]) -> JudgingContext:
        names = list(reversed(registration.identifier.ancestors))
        before = held.get(registration.identifier.normal_form)
        handed_above = next(
            (it for name in names if (it := self._handover(name, self._around.get(name)))), None
        )
        handed = self._handover(registration.identifier.normal_form, before) or handed_above
        if _is_of_prefix(registration):  # which may be its authority itself
            names.insert(0, registration.identifier.normal_form)
        above = [self._around.get(name) for name in names]
        return JudgingContext(
            self._origin.prefix,
            before,
            next((record for record in above if isinstance(record, Steward)), None),
            any(isinstance(record, ResourceType) for record in above),
            self._aliases(registration, held),
            self._around.get(authority_to_open(registration.identifier, self._origin.prefix) or ""),
            handed,
            handed_above,
            frozenset(
                name
                for name in receivers_of(registration)
                if isinstance(self._around.get(name), NameAuthority)
            ),
            self._origin.correction,
            self._neighbours(registration, held) if registration.rules else SurroundingRules(),
        )

    def _aliases(self, registration: Registration, held: Mapping[str, Record]) -> dict[str, str]:
        """Give those of the identifiers that it stands for which are aliases, and who says so of each."""
        targets = [name for name in _targets(registration) if isinstance(self._around.get(name), Alias)]
        said = {name: held[name].stated_first("stands_for") or held[name].created for name in targets}
        return {name: self._origin.tell(stamp) for name, stamp in said.items()}

    def _neighbours(self, registration: Registration, held: Mapping[str, Record]) -> SurroundingRules:
        prefix = registration.identifier.normal_form
        lines = {(prefix, pattern): rule.lines[0] for pattern, rule in registration.rules.items()}
        self._rule_lines |= lines
        around = {name: self._around.get(name) for name in _ruled(registration)}
        return SurroundingRules(
            {name: [rule.pattern for rule in record.rules] for name, record in around.items() if record},
            self._rule_lines,
            {name: held[name] for name in around if name in held},
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


def _beside(registration: Registration) -> list[str]:
    """Name the other records that a registration is judged by and that may change at the same moment."""
    return list(dict.fromkeys((*_ruled(registration), *_targets(registration))))


def _ruled(registration: Registration) -> list[str]:
    """Name the prefixes whose rules a rule must get on with."""
    if not registration.rules:
        return []
    identifier = registration.identifier
    return [*identifier.ancestors, identifier.normal_form, *prefixes_of(identifier, registration.statements)]


def _targets(registration: Registration) -> list[str]:
    return registration.statements.get(("stands_for",)) or []


def _is_of_prefix(registration: Registration) -> bool:
    return bool(registration.rules) or is_delegated(registration)


def _named(registration: Registration) -> list[str]:
    """Name the identifiers that forms of it have themselves."""
    stated = registration.statements.items()
    return [
        value
        for path, value in stated
        if path[0] == REPRESENTATIONS[0] and path[-1] == "identifier" and value
    ]


def _with(piece: RegistrationPart, findings: Iterable[Finding], prefix: str) -> RegistrationPart:
    return piece.found(findings if piece.rule is None else about_rule(prefix, piece.rule, findings))
