"""Is a name registered already in another writing? It may be, but people will take one for the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ginuri.core.identifiers import Identifier
from ginuri.core.identifiers.folding import fold, fold_writing
from ginuri.core.record import DELEGATION, RULES
from ginuri.core.registry import Registry
from ginuri.core.rows import Registration
from ginuri.core.stamps import Stamp
from ginuri.core.verdicts import Finding, warn


def written_before(batch: Sequence[Registration]) -> Mapping[str, str]:
    """Give, for identifiers of a batch, the one that an earlier line of it writes otherwise."""
    # The index of writings is a moment late: of what is registered at once, the file itself tells.
    first: dict[str, str] = {}
    before: dict[str, str] = {}
    # What a snapshot retires stands in no line, and was registered before.
    stated = [each for each in batch if each.lines and names_something(each)]
    for each in sorted(stated, key=lambda each: min(each.lines)):
        name = each.identifier.normal_form
        other = first.setdefault(fold_writing(name), name)
        if other != name:
            before[name] = other
    return before


def names_something(registration: Registration) -> bool:
    """Tell whether a registration says more of an identifier than what is done with the prefix it is."""
    return any(path[0] not in {*RULES, *DELEGATION} for path in registration.statements)


def advise_on_writing(
    identifier: Identifier, stamp: Stamp, beside: str | None, registry: Registry
) -> Iterator[Finding]:
    """Warn of what was registered before under another writing of the name; `beside` is of the same batch.

    What came later is not looked at, so that every delivery hears the same. Raises RegistryUnavailable.
    """
    name = identifier.normal_form
    others = [
        each for each in registry.near(fold(name)) if each not in {name, beside} and _is_same(each, name)
    ]
    known = registry.read(others) if others else {}
    earlier = sorted(each for each, record in known.items() if record.created < stamp)
    for other in (*([beside] if beside else []), *earlier):
        message = (
            f"{other} differs from it in writing only, and is another identifier; people will confuse the two"
        )
        yield warn("identifier", "writing", name, message)


def _is_same(name: str, other: str) -> bool:
    return fold_writing(name) == fold_writing(other)
