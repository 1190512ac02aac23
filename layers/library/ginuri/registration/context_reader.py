"""Reads the records that the registrations of a batch are judged by."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from ginuri.identifiers import parse, parse_host
from ginuri.identifiers.roots import root_of
from ginuri.registration.checks.answer_tests import is_about_tests
from ginuri.registration.checks.authorization import authority_to_open
from ginuri.registration.checks.delegations import (
    Handover,
    handover_of,
    is_delegated,
    receivers_by_day,
    receivers_of,
)
from ginuri.registration.checks.fallbacks import fallback_address
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.checks.rule_conflicts import SurroundingRules
from ginuri.registration.redirects.circles import locations_of, registered_locations
from ginuri.registration.redirects.own_addresses import OwnAddresses
from ginuri.registration.rows import Origin, Registration
from ginuri.registration.rule_neighbours import cover_around, prefixes_around
from ginuri.registry.clock import ENDING
from ginuri.registry.model import (
    Alias,
    Host,
    NameAuthority,
    Prefix,
    Registered,
    ResourceType,
    RuleCuts,
    Scheme,
    Steward,
)
from ginuri.registry.moments import records_at, values_at
from ginuri.registry.ports import MOST_BROADER, MOST_FETCHED, Found, Registry
from ginuri.registry.reading import read_registered
from ginuri.registry.record.record import Record
from ginuri.registry.record.statements import OF_RECORD
from ginuri.registry.rules.beginnings import records_above

_WRITTEN = 3
"""The most items that the write of one registration has, besides the records that it checks."""


class ContextReader:
    """Reads the records that the registrations of one upload are judged by, most of them once."""

    def __init__(self, registry: Registry, origin: Origin, own: OwnAddresses) -> None:
        self.fetched: dict[str, Registered | None] = {}
        """The records around the registrations of all batches so far; None for an absent record."""
        self._types: dict[str, ResourceType] = {}
        self._types_under: dict[str, tuple[ResourceType, ...]] = {}
        """The types of the names directly under a prefix, until others are fetched."""
        self._registry = registry
        self._origin = origin
        self._own = own
        self._rule_lines: dict[tuple[str, str], int] = {}
        self._handovers: dict[str, Handover | None] = {}
        self._restated: set[str] = set()
        """The known types that the previous batch states again."""
        self._stated: set[str] = set()
        """The identifiers of all batches so far."""

    def fetch(self, batch: Sequence[Registration]) -> None:
        """Fetch the unknown records above and beside the identifiers of a batch."""
        own = {registration.identifier.normal_form for registration in batch}
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
        reread |= {name for registration in batch for name in form_identifiers(registration)}
        reread |= {
            name
            for registration in batch
            if (successor := registration.statements.text("successor"))
            for name in (successor, root_of(successor))
        }
        reread |= self._restated
        self._restated = own & self._types.keys()
        self._stated |= own
        hosts = self._own.unknown(location for each in batch for location in _own_addresses_of(each))
        covers = map(cover_around, batch)
        unknown = [
            name
            for name in dict.fromkeys((*above, *covers, *reread, *hosts))
            if self.fetched.get(name) is None or name in reread
        ]
        self._fetch(unknown, own)
        of_rules = dict.fromkeys(name for registration in batch for name in self._rule_records(registration))
        self._fetch([name for name in of_rules if name not in self.fetched], own)

    def _fetch(self, unknown: Sequence[str], own: Collection[str]) -> None:
        for start in range(0, len(unknown), MOST_FETCHED):
            names = unknown[start : start + MOST_FETCHED]
            fetched = records_at(self._registry.fetch(names), ENDING)
            self._keep({name: fetched.get(name) for name in names})
            self._own.learn(names, fetched.values())
            # The batch is read as whole records for its locations, so its rules are known already.
            around = [record for name, record in fetched.items() if name not in own]
            self._own.look_up(location for record in around for location in registered_locations(record))
        self._fetch_broader()

    def _fetch_broader(self) -> None:
        """Fetch the types that others inherit from, level by level; most are above them and known already."""
        for _ in range(MOST_BROADER):
            unknown = {each.broader for each in self._types.values() if each.broader} - self.fetched.keys()
            if not unknown:
                return
            names = sorted(unknown)[:MOST_FETCHED]
            fetched = records_at(self._registry.fetch(names), ENDING)
            self._keep({name: fetched.get(name) for name in names})

    def _keep(self, fetched: Mapping[str, Registered | None]) -> None:
        self.fetched |= fetched
        self._types_under.clear()
        self._types |= {name: record for name, record in fetched.items() if isinstance(record, ResourceType)}

    def _rule_records(self, registration: Registration) -> list[str]:
        """Return the records with rules that may match an identifier, by the cuts that were fetched."""
        cover = self.fetched.get(cover_around(registration))
        if registration.rules or not isinstance(cover, RuleCuts):
            return []
        identifier = registration.identifier
        return records_above(identifier.normal_form, identifier.root, cover.cuts)

    def above(self, registration: Registration) -> list[Registered | None]:
        """Return the fetched records above an identifier, with those whose rules may match it."""
        names = (*registration.identifier.ancestors, *self._rule_records(registration))
        return [self.fetched.get(name) for name in names]

    def read(self, batch: Sequence[Registration]) -> dict[str, Record]:
        """Read the records of a batch, and the other records that its registrations are judged by.

        Records with rules are not among them: they must be read after the prefixes, whose revisions show
        whether a rule has changed.
        """
        names = (name for each in batch for name in (each.identifier.normal_form, _grants_of(each)) if name)
        others = dict.fromkeys(name for registration in batch for name in related_names(registration))
        all_names, records = list(dict.fromkeys((*names, *others))), dict[str, Record]()
        for start in range(0, len(all_names), MOST_FETCHED):
            records |= self._registry.read(all_names[start : start + MOST_FETCHED])
        self.fetched |= {
            name: read_registered(name, values_at(records[name].values(), ENDING), records[name].modified.put)
            for name in others
            if name in records
        }
        self._own.learn(others, map(self.fetched.get, others))
        self._own.look_up(location for record in records.values() for location in locations_of(record))
        return records

    def expected_revisions(
        self, registration: Registration, records: Mapping[str, Record], passed: Iterable[str] = ()
    ) -> dict[str, int]:
        """Return the revisions of the records that must not change before a registration is written.

        `passed` are the prefixes whose rules its redirects passed.
        """
        # A target that is registered as something else never becomes an alias.
        free = [name for name in _targets(registration) if isinstance(self.fetched.get(name), Prefix | None)]
        names = dict.fromkeys((*prefixes_around(registration), *free, *passed))
        names.pop(registration.record_name, None)
        if not names:
            return {}
        most = max(0, self._registry.most_written - _WRITTEN)
        return {name: records[name].revision if name in records else 0 for name in list(names)[:most]}

    def _handover(self, name: str, record: Registered | Record | None) -> Handover | None:
        """Return the handover of a prefix when the upload was put, without later statements."""
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

    def context(
        self, registration: Registration, records: Mapping[str, Record], surrounding: SurroundingRules
    ) -> JudgingContext:
        """Return the context for the checks of a registration, after its batch was fetched."""
        names = list(reversed(registration.identifier.ancestors))
        before, stored = (
            records.get(name) for name in (registration.identifier.normal_form, registration.record_name)
        )
        handover_above = next(
            (handover for name in names if (handover := self._handover(name, self.fetched.get(name)))), None
        )
        handover = self._handover(registration.identifier.normal_form, before) or handover_above
        if _is_of_prefix(registration):  # a prefix may be its own authority
            names.insert(0, registration.identifier.normal_form)
        above = [self.fetched.get(name) for name in names]
        return JudgingContext(
            self._origin.prefix,
            registration.as_stated(stored) if stored is not None else None,
            next((record for record in above if isinstance(record, Steward)), None),
            self._types_of(registration),
            self._aliases(registration, records),
            self.fetched.get(authority_to_open(registration.identifier, self._origin.prefix) or ""),
            handover,
            handover_above,
            frozenset(
                name
                for name in receivers_of(registration.statements)
                if isinstance(self.fetched.get(name), NameAuthority)
            ),
            self._own.canonical_host,
            self._falls_back_here(registration),
            self._origin.correction,
            replace(surrounding, lines=self._lines_with(registration)),
            is_stated_itself=bool(registration.beginning)
            and before is not None
            and any(map(self._origin.states_field, before.entries.items())),
            scheme=next((record for record in above if isinstance(record, Scheme)), None),
            host=next((record for record in above if isinstance(record, Host)), None),
            is_offline=self._origin.is_offline,
            put=self._origin.put,
            scope=self._origin.scope,
        )

    def _types_of(self, registration: Registration) -> tuple[ResourceType, ...]:
        name = registration.identifier
        # The rules of a type are about its own identifiers.
        if registration.rules and name.normal_form in self._types:
            name = parse(f"{name}x")
        above = name.ancestors[-1] if name.ancestors else ""
        types = self._types_under.get(above)
        if types is None:
            types = self._types_under[above] = Found(name, self._types).resource_types
        return types

    def _falls_back_here(self, registration: Registration) -> bool:
        """Return whether the fallback is a host of this registry, or one that the upload registers."""
        address = fallback_address(registration)
        return address is not None and (
            self._own.has(address) or parse_host(urlsplit(address).netloc).normal_form in self._stated
        )

    def _aliases(self, registration: Registration, records: Mapping[str, Record]) -> dict[str, str]:
        """Return the targets of an alias that are aliases themselves, each with the source of that."""
        return {
            name: self._origin.describe_source(
                records[name].stated_first(OF_RECORD, "stands_for") or records[name].created
            )
            for name in _targets(registration)
            if isinstance(self.fetched.get(name), Alias)
        }

    def _lines_with(self, registration: Registration) -> Mapping[tuple[str, str], int]:
        """Return the lines of the rules stated so far, with those of a registration."""
        prefix = registration.identifier.normal_form
        self._rule_lines |= {
            (prefix, pattern): rule.lines[0] for pattern, rule in registration.rules.items() if rule.lines
        }
        return self._rule_lines


def _own_addresses_of(registration: Registration) -> list[str]:
    """Return the addresses of a registration that may be in this registry."""
    address = fallback_address(registration)
    return [*locations_of(registration), *([address] if address else [])]


def related_names(registration: Registration) -> list[str]:
    """Return the other records that a registration depends on and that may change meanwhile."""
    return list(dict.fromkeys((*prefixes_around(registration), *_targets(registration))))


def _targets(registration: Registration) -> Sequence[str]:
    return registration.statements.texts("stands_for")


def _is_of_prefix(registration: Registration) -> bool:
    is_prefix = bool(registration.rules) or is_delegated(registration)
    is_prefix = is_prefix or registration.grantee is not None
    return is_prefix or is_about_tests(registration.statements)


def _grants_of(registration: Registration) -> str:
    """Return the record of a grant; empty for all other registrations."""
    return registration.record_name if registration.grantee is not None else ""


def form_identifiers(registration: Registration) -> list[str]:
    """Return the identifiers that the stated forms lead to."""
    return [name for form in registration.statements.forms().values() if (name := form.text("identifier"))]
