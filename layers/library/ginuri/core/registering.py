"""Registrations → the registry, and a verdict for each: judged, applied, written.

Where somebody else was faster, judged and applied again to what they wrote.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ginuri.core.delegations import Handover, handed_in, handover_of, is_delegated, receivers_of
from ginuri.core.differences import Difference, differ, without
from ginuri.core.errors import RegistryUnavailable, RevisionConflict
from ginuri.core.identifiers.roots import folder_to_prefix
from ginuri.core.keeping import Keeper, with_files
from ginuri.core.model import (
    Alias,
    NameAuthority,
    Registered,
    ResourceType,
    Steward,
    Stewarded,
)
from ginuri.core.placing import opening
from ginuri.core.record import Change, Record, apply
from ginuri.core.registration import as_held, judge, left_behind
from ginuri.core.registry import MOST_FETCHED, Registry
from ginuri.core.rows import Registration, rank_of
from ginuri.core.rule_analysis import Neighbours, prefixes_of
from ginuri.core.stamps import Stamp
from ginuri.core.surroundings import Surroundings
from ginuri.core.verdicts import Finding, Level, Outcome, Verdict, outcome_of, refuse
from ginuri.core.writings import Writings

MOST_BYTES = 64_000
"""How long a record may become, as JSON."""
MOST_ENTRIES = 3_000
"""How many fields a record may have, cleared ones included: each has a stamp to be kept."""
_MOST_TRIES = 8


Mapper = Callable[[Callable[[Registration], Verdict], Iterable[Registration]], Iterable[Verdict]]
"""How the registrations of a batch are gone through: `map`, or that of a pool of threads."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where registrations come from; with the line it makes their stamp."""

    put: str
    key: str
    version: str
    correction: str = ""
    """Why it may change what stays for good (`ginuri.core.staying`); empty where it may not."""

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
        return Stamp(self.put, self.key, self.version, min(registration.lines, default=0))


class Registrar:
    """Registers what one upload states."""

    def __init__(self, registry: Registry, keeper: Keeper, origin: Origin, mapper: Mapper = map) -> None:
        self._registry = registry
        self._keeper = keeper
        self._origin = origin
        self._mapper = mapper
        self._around: dict[str, Registered | None] = {}
        self._rule_lines: dict[tuple[str, str], int] = {}
        self._writings = Writings(registry)
        self._handed: dict[str, Handover | None] = {}

    def register(self, registrations: Sequence[Registration]) -> Iterator[Verdict]:
        """Register all, authorities and types before what stands under them. Raises RegistryUnavailable."""
        self._writings.compare(registrations)
        for rank in sorted({rank_of(each.statements) for each in registrations}):
            same = [each for each in registrations if rank_of(each.statements) == rank]
            # Rules are judged by the rules around them: one after the other, each with those before it.
            # Likewise aliases, by what they stand for.
            at_once = 1 if any(each.rule_lines or _targets(each) for each in same) else MOST_FETCHED
            for start in range(0, len(same), at_once):
                yield from self._register_batch(same[start : start + at_once])

    def _register_batch(self, batch: Sequence[Registration]) -> Iterable[Verdict]:
        self._look_around(batch)
        held = self._registry.read([each.identifier.normal_form for each in batch])
        self._writings.choose(batch, held, self._origin.stamp)
        return self._mapper(lambda each: self._register(each, held.get(each.identifier.normal_form)), batch)

    def _look_around(self, batch: Sequence[Registration]) -> None:
        above = dict.fromkeys(name for each in batch for name in each.identifier.ancestors)
        ruled = {name for each in batch for name in (*_ruled(each), *_targets(each))}
        ruled |= {each.identifier.normal_form for each in batch if is_delegated(each)}
        ruled |= {name for each in batch if (name := opening(each.identifier, self._origin.prefix))}
        ruled |= {name for each in batch if is_delegated(each) for name in receivers_of(each)}
        unknown = [
            name
            for name in (*above, *(ruled - above.keys()))
            if self._around.get(name) is None or name in ruled
        ]
        for start in range(0, len(unknown), MOST_FETCHED):
            names = unknown[start : start + MOST_FETCHED]
            fetched = self._registry.fetch(names)
            self._around |= {name: fetched.get(name) for name in names}

    def _register(self, registration: Registration, before: Record | None) -> Verdict:
        name, stamp = registration.identifier.normal_form, self._origin.stamp(registration)
        stated = with_files(registration, self._keeper, self._origin.folder)
        for _ in range(_MOST_TRIES):
            registration = as_held(stated, before)
            findings = [
                *registration.findings,
                *judge(registration, self._surroundings(registration, before)),
            ]
            if _is_refused(findings) and self._was_applied(before, stamp):
                findings = [finding for finding in findings if finding.level is not Level.REFUSED]
            if _is_refused(findings):
                return Verdict(Outcome.REFUSED, registration.lines, name, findings)
            statements = {**left_behind(registration, before), **registration.statements}
            change = apply(before or Record(name, {}), statements, stamp)
            if change.after.created == stamp:
                findings += self._writings.advise(registration.identifier, stamp)
            if size := _excess(change.after):
                return Verdict(Outcome.REFUSED, registration.lines, name, [*findings, size])
            try:
                if change.touches:
                    self._registry.write(change)
            except RevisionConflict:
                before = self._registry.read([name]).get(name)
            else:
                return self._told(change, registration, findings)
        raise RegistryUnavailable(f"{name} is being written by too many at once")

    def _was_applied(self, before: Record | None, stamp: Stamp) -> bool:
        """Tell whether what would be refused now was taken in by an earlier delivery, and corrected since."""
        if before is None or before.modified < stamp:
            return False
        return any(each.stamp == stamp for each in self._registry.history(before.identifier).statements)

    def _told(self, change: Change, registration: Registration, findings: Sequence[Finding]) -> Verdict:
        name, outcome = change.after.identifier, outcome_of(change)
        difference = Difference()
        if outcome is Outcome.CHANGED:
            before = change.before
            if not change.touches:  # delivered again, after a crash: a second delivery is told the same
                before = without(before, self._registry.displaced(name, change.stamp), change.stamp)
            difference = differ(before, change.after)
        return Verdict(outcome, registration.lines, name, findings, difference)

    def _handover(self, name: str, record: Registered | Record | None) -> Handover | None:
        """Give to whom a prefix was handed when the upload was put, whatever was said of it since."""
        to = handed_in(record)
        if not to or record is None:
            return None
        if name not in self._handed:
            modified = record.modified.put if isinstance(record, Record) else record.modified
            if modified >= self._origin.put:
                # A text before that of its own moment, so that what the upload says itself comes after it.
                to = handed_in(self._registry.history(name).at(self._origin.put[:-1]))
            self._handed[name] = handover_of(name, to, self._origin.put)
        return self._handed[name]

    def _surroundings(self, registration: Registration, before: Record | None) -> Surroundings:
        names = list(reversed(registration.identifier.ancestors))
        handed_above = next(
            (it for name in names if (it := self._handover(name, self._around.get(name)))), None
        )
        handed = self._handover(registration.identifier.normal_form, before) or handed_above
        if _is_of_prefix(registration):  # which may be its authority itself
            names.insert(0, registration.identifier.normal_form)
        above = [self._around.get(name) for name in names]
        return Surroundings(
            self._origin.prefix,
            before,
            next((record for record in above if isinstance(record, Steward)), None),
            any(isinstance(record, ResourceType) for record in above),
            frozenset(name for name in _targets(registration) if isinstance(self._around.get(name), Alias)),
            self._around.get(opening(registration.identifier, self._origin.prefix) or ""),
            handed,
            handed_above,
            frozenset(
                name
                for name in receivers_of(registration)
                if isinstance(self._around.get(name), NameAuthority)
            ),
            self._origin.correction,
            self._neighbours(registration) if registration.rule_lines else Neighbours(),
        )

    def _neighbours(self, registration: Registration) -> Neighbours:
        prefix = registration.identifier.normal_form
        self._rule_lines |= {(prefix, pattern): line for pattern, line in registration.rule_lines.items()}
        around = {name: self._around.get(name) for name in _ruled(registration)}
        stewards = [record for record in self._around.values() if isinstance(record, Stewarded)]
        return Neighbours(
            {name: [rule.pattern for rule in record.rules] for name, record in around.items() if record},
            self._rule_lines,
            frozenset(host for each in stewards for host in each.trusted_hosts),
        )


def _is_refused(findings: Sequence[Finding]) -> bool:
    return any(finding.level is Level.REFUSED for finding in findings)


def _excess(record: Record) -> Finding | None:
    size = len(json.dumps(record.values(), ensure_ascii=False).encode())
    if size > MOST_BYTES:
        message = f"a record has at most {MOST_BYTES:,} bytes, this one {size:,}; shorten its texts"
        return refuse("", "size", size, message)
    if len(record.entries) > MOST_ENTRIES:
        message = f"a record has at most {MOST_ENTRIES:,} fields, this one would have {len(record.entries):,}"
        return refuse("", "size", len(record.entries), message)
    return None


def _ruled(registration: Registration) -> list[str]:
    """Name the prefixes whose rules a rule must get on with."""
    if not registration.rule_lines:
        return []
    identifier = registration.identifier
    return [*identifier.ancestors, identifier.normal_form, *prefixes_of(identifier, registration.statements)]


def _targets(registration: Registration) -> list[str]:
    return registration.statements.get(("stands_for",)) or []


def _is_of_prefix(registration: Registration) -> bool:
    return bool(registration.rule_lines) or is_delegated(registration)
