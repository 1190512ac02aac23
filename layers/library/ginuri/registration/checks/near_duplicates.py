"""Is a name registered already in another writing? It may be, but people will take one for the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ginuri.identifiers import Identifier
from ginuri.identifiers.folding import fold, fold_writing
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, warn
from ginuri.registry.ports import Registry
from ginuri.registry.record.record import DELEGATION, RULES, Record
from ginuri.registry.record.stamps import Stamp

MOST_LOOKED_FOR = 20
"""How many new names of a part are looked for in the registry, as long as none of them is there otherwise."""


def registered_spellings(batch: Sequence[Registration]) -> Mapping[str, str]:
    """Give, for identifiers of one file, the one that an earlier line of it writes otherwise."""
    first: dict[str, str] = {}
    before: dict[str, str] = {}
    for each in sorted((each for each in batch if names_something(each)), key=_line):
        name = each.identifier.normal_form
        other = first.setdefault(fold_writing(name), name)
        if other != name:
            before[name] = other
    return before


def names_something(registration: Registration) -> bool:
    """Tell whether a registration says more of an identifier than what is done with the prefix it is."""
    return any(path[0] not in {*RULES, *DELEGATION} for path in registration.statements)


class NearDuplicates:
    """Looks for other writings of what an upload registers for the first time."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._beside: Mapping[str, str] = {}
        self._chosen: set[str] = set()
        self._left = MOST_LOOKED_FOR
        self._is_worth_it = False

    def compare(self, registrations: Sequence[Registration]) -> None:
        """Look for names of one file that differ from each other in writing only."""
        self._beside = registered_spellings(registrations)

    def choose(
        self,
        batch: Sequence[Registration],
        held: Mapping[str, Record],
        stamp_of: Callable[[Registration], Stamp],
    ) -> None:
        """Choose those new names of a batch that are looked for in the registry as well."""
        new = [each.identifier.normal_form for each in batch if names_something(each)]
        stamps = {each.identifier.normal_form: stamp_of(each) for each in batch}
        # A second delivery looks for the same: what this upload registered was new to the first.
        new = [name for name in new if name not in held or held[name].created == stamps[name]]
        self._chosen = set(new if self._is_worth_it else new[: self._left])
        self._left = max(0, self._left - len(self._chosen))

    def advise(self, identifier: Identifier, stamp: Stamp) -> list[Finding]:
        """Warn of other writings of a new name. Raises RegistryUnavailable."""
        name = identifier.normal_form
        others = self._registered(name, stamp) if name in self._chosen else []
        if others:  # where there is one there may be more: all that follow are looked for
            self._is_worth_it = True
        beside = [self._beside[name]] if name in self._beside else []
        return [_warning(name, other) for other in dict.fromkeys([*beside, *others])]

    def _registered(self, name: str, stamp: Stamp) -> list[str]:
        # What came later is not looked at, so that every delivery hears the same.
        near = [each for each in self._registry.near(fold(name)) if each != name and _is_same(each, name)]
        known = self._registry.read(near) if near else {}
        return sorted(each for each, record in known.items() if record.created < stamp)


def _warning(name: str, other: str) -> Finding:
    return warn(
        "identifier",
        "writing",
        name,
        "{other} is another identifier that differs from this one in spelling only. Readers may confuse the "
        "two.",
        other=other,
    )


def _is_same(name: str, other: str) -> bool:
    return fold_writing(name) == fold_writing(other)


def _line(registration: Registration) -> int:
    return min(registration.lines, default=0)
