"""Warns of new identifiers that differ from others in spelling only, as readers may confuse them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ginuri.identifiers import Identifier
from ginuri.identifiers.comparison.folding import fold, fold_writing
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, warn
from ginuri.registry.ports import Registry
from ginuri.registry.record.record import Record
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import OF_RECORD

MOST_LOOKED_FOR = 20
"""The most new names of an upload part to look up, unless one of them has a duplicate."""


def registered_spellings(batch: Sequence[Registration]) -> Mapping[str, str]:
    """Map identifiers of one file to the spelling that an earlier line uses."""
    first: dict[str, str] = {}
    earlier: dict[str, str] = {}
    for registration in sorted(
        filter(names_something, batch), key=lambda registration: min(registration.lines, default=0)
    ):
        name = registration.identifier.normal_form
        if (other := first.setdefault(fold_writing(name), name)) != name:
            earlier[name] = other
    return earlier


def names_something(registration: Registration) -> bool:
    """Return whether a registration has statements besides rules and a delegation."""
    return any(key.place == OF_RECORD for key in registration.statements)


class NearDuplicates:
    """Finds other spellings of the identifiers that an upload registers for the first time."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._earlier_spellings: Mapping[str, str] = {}
        self._chosen: set[str] = set()
        self._lookups_left = MOST_LOOKED_FOR
        self._has_found_any = False

    def compare(self, registrations: Sequence[Registration]) -> None:
        """Compare the names of one file with each other."""
        self._earlier_spellings = registered_spellings(registrations)

    def choose(
        self,
        batch: Sequence[Registration],
        records: Mapping[str, Record],
        stamp_of: Callable[[Registration], Stamp],
    ) -> None:
        """Choose which new names of a batch are looked up in the registry as well."""
        stamps = {
            registration.identifier.normal_form: stamp_of(registration)
            for registration in filter(names_something, batch)
        }
        # A second delivery looks up the same names: the names of this upload were new to the first.
        new_names = [
            name for name, stamp in stamps.items() if name not in records or records[name].created == stamp
        ]
        self._chosen = set(new_names if self._has_found_any else new_names[: self._lookups_left])
        self._lookups_left = max(0, self._lookups_left - len(self._chosen))

    def advise(self, identifier: Identifier, stamp: Stamp) -> list[Finding]:
        """Warn of other spellings of a new name. Raises RegistryUnavailable."""
        name = identifier.normal_form
        registered = self._registered(name, stamp) if name in self._chosen else []
        if registered:  # one duplicate suggests more: look up all names from here on
            self._has_found_any = True
        in_file = [self._earlier_spellings[name]] if name in self._earlier_spellings else []
        return [
            warn(
                "identifier",
                "writing",
                name,
                "{other} is another identifier that differs from this one in spelling only. Readers may "
                "confuse the two.",
                other=other,
            )
            for other in dict.fromkeys([*in_file, *registered])
        ]

    def _registered(self, name: str, stamp: Stamp) -> list[str]:
        # Later registrations do not count, so that every delivery has the same advice.
        candidates = [
            candidate
            for candidate in self._registry.near(fold(name))
            if candidate != name and fold_writing(candidate) == fold_writing(name)
        ]
        records = self._registry.read(candidates) if candidates else {}
        return sorted(candidate for candidate, record in records.items() if record.created < stamp)
