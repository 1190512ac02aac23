"""Finds the changes that may close a loop of redirects among identifiers in this registry.

Few do: those are followed as they would be answered after the upload
(docs/explanation/decisions/0025-redirects-that-come-back.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from ginuri.registration.redirects.own_addresses import OwnAddresses
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding
from ginuri.registry.model import Alias, Prefix, Registered, Representation, Resource, Status
from ginuri.registry.record.record import Change, Record
from ginuri.registry.statuses import STATUSES

if TYPE_CHECKING:
    from ginuri.registration.redirects.redirect_chains import RedirectReader


class CircleFinder:
    """Finds the loops that a registration would close."""

    def __init__(self, registry: RedirectReader, own_addresses: OwnAddresses, put: str) -> None:
        self._registry = registry
        self._own_addresses = own_addresses
        self._put = put
        self.passed: dict[str, None] = {}
        """The identifiers that the redirects judged last pass."""

    def leads_back(self, record: Record | None) -> bool:
        """Return whether a location of a record is on a host of this registry, by the hosts read so far."""
        return record is not None and any(
            self._own_addresses.has(location) for location in locations_of(record)
        )

    def may_close_one(
        self, change: Change, fetched: Mapping[str, Registered | None], batch: Collection[str] | None = None
    ) -> bool:
        """Return whether a changed record may close a loop, by the records fetched; few need to be judged.

        An alias may if its target redirects, or is not registered and a rule may answer. So may a form with
        an identifier that redirects or is in the same `batch`; if that is None, any form with an identifier.
        """
        record = change.after
        if self.leads_back(record):
            return True
        targets = record.in_force().texts("stands_for")
        if len(targets) == 1 and self._leads_on(fetched.get(targets[0])):
            return True
        names = _stated_in_forms(record, "identifier")
        if batch is None or _is_revived(change):
            return bool(names)
        # An identifier not fetched was stated by an earlier upload, and judged then.
        return any(name in batch or (name in fetched and self._leads_on(fetched[name])) for name in names)

    def rules_lead_back(self, record: Registered | None) -> bool:
        """Return whether a rule of a prefix leads to a host of this registry, by the hosts read so far."""
        return any(self._own_addresses.has(form.location or "") for form in _forms_of_rules(record))

    def _leads_on(self, record: Registered | None) -> bool:
        if not isinstance(record, Resource):
            return record is None or isinstance(record, Alias | Prefix)
        return any(
            form.identifier or self._own_addresses.has(form.location or "") for form in record.representations
        )

    def judge(self, record: Record, registration: Registration) -> dict[str | None, list[Finding]]:
        """Follow the redirects of a record to identifiers in this registry, as they would be then.

        Returns the findings on each rule by its pattern, and on the record itself by None. If two rules of
        the prefix close a loop, the later one is refused. Raises RegistryUnavailable.
        """
        from ginuri.registration.redirects.redirect_judge import RedirectJudge

        self.passed = {}
        self._own_addresses.look_up(locations_of(record))
        judge = RedirectJudge(self._registry, self._own_addresses, self._put, self.passed)
        return judge.judge(record, registration, locations_of(registration))


def _is_revived(change: Change) -> bool:
    """Return whether a change of status makes a record redirect again."""
    return not _leads_on(change.before) and _leads_on(change.after)


def _leads_on(record: Record) -> bool:
    meaning = STATUSES[Status(record.in_force().text("status") or Status.VALID)]
    return meaning.leads_on or meaning.ends


def locations_of(source: Record | Registration) -> list[str]:
    """Return all locations of a record or a registration, with the templates of its rules.

    Those of a record include cleared ones.
    """
    return _stated_in_forms(source, "location")


def _stated_in_forms(source: Record | Registration, field: str) -> list[str]:
    values = (
        source.statements
        if isinstance(source, Registration)
        else {key: entry.value for key, entry in source.entries.items()}
    )
    return [
        value
        for key, value in values.items()
        if key.form and key.field == field and value and isinstance(value, str)
    ]


def registered_locations(record: Registered) -> list[str]:
    """Return the locations of a registered record, with the templates of its rules."""
    forms = (*(record.representations if isinstance(record, Resource) else ()), *_forms_of_rules(record))
    return [form.location for form in forms if form.location]


def _forms_of_rules(record: Registered | None) -> Iterator[Representation]:
    rules = record.rules if record is not None else ()
    return (form for rule in rules for form in rule.answer.representations)
