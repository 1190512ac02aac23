"""Compares the statements of a registry with those of a replay, whichever items have them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from ginuri.registry.record.serialization import path_of
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.rules.beginnings import LISTED
from ginuri.registry.transfer import APPLIED, Item
from ginuri.transfer.comparison import entries_in
from ginuri.transfer.pairs import pair

_Statement = tuple[str, str, str]
"""The path of a statement, its value and its stamp."""
MOST_NAMED = 20
"""The most identifiers that a result names."""


@dataclass(frozen=True, slots=True)
class DrillResult:
    """The statements of the registry, and those that a replay made again."""

    statements: int
    recovered: int
    added: int
    """Statements of the replay that the registry does not have."""
    different: tuple[str, ...]
    """The first identifiers with a difference."""

    @property
    def is_complete(self) -> bool:
        """Whether the replay made exactly the statements of the registry."""
        return self.recovered == self.statements and not self.added


def compare_statements(
    registry: Iterable[Item], replayed: Iterable[Item], counts: Callable[[Stamp], bool]
) -> DrillResult:
    """Compare the statements whose stamps count; items are in order."""
    statements = recovered = added = 0
    different: list[str] = []
    for before, after in pair(_grouped(registry, counts), _grouped(replayed, counts), itemgetter(0)):
        one, other = (found[1] if found else set() for found in (before, after))
        statements, recovered = statements + len(one), recovered + len(one & other)
        added += len(other - one)
        if one != other and len(different) < MOST_NAMED:
            different.append((before or after or ("",))[0])
    return DrillResult(statements, recovered, added, tuple(different))


def _grouped(items: Iterable[Item], counts: Callable[[Stamp], bool]) -> Iterator[tuple[str, set[_Statement]]]:
    for identifier, of_one in groupby(items, key=itemgetter("identifier")):
        if not identifier.startswith((APPLIED, LISTED)):
            yield (
                identifier,
                {
                    (
                        " ".join(path_of(key)),
                        json.dumps(entry.value, ensure_ascii=False, sort_keys=True),
                        str(entry.stamp),
                    )
                    for item in of_one
                    for key, entry in entries_in(item).items()
                    if counts(entry.stamp)
                },
            )
