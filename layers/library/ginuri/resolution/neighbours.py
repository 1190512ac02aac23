"""The registered neighbours of an unregistered identifier: in a numbered sequence, and by spelling.

Two calls read the keys around the name that is missing; they are chosen from here. In `DGM-37/`, the number
is its place in a sequence, whose neighbours are `DGM-36/` and `DGM-38/`. The last of several numbers counts,
and one with a single digit only if there is no longer one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ginuri.frozen import replace
from ginuri.identifiers import Identifier
from ginuri.identifiers.comparison.edits import edits_between
from ginuri.identifiers.comparison.folding import fold_writing
from ginuri.registry.ports import Finder
from ginuri.resolution.outcomes import NotRegistered

MOST_SIMILAR = 3
"""The most names of a similar spelling."""
_SHORTEST_BEGINNING = 4
"""The least characters of a name that continues another one, or that another one continues."""
_LETTERS_OF_EDIT = 4
"""The characters of a name for each edit that it may have, at most two."""
_NUMBER = re.compile("[0-9]+")


class _Place(NamedTuple):
    """The place of a name in a numbered sequence."""

    before: str
    number: str
    after: str


def add_neighbours(decision: NotRegistered, finder: Finder) -> NotRegistered:
    """Add the neighbours of an identifier that no similar spelling was found for, in two calls.

    Raises RegistryUnavailable.
    """
    identifier = decision.found.identifier
    container, end = _split(identifier)
    if decision.near or not container or identifier.is_namespaced:  # names of a namespace are opaque
        return decision
    names = finder.beside(container, identifier.normal_form)
    ends = {
        name[len(container) :]: name
        for name in names
        if name != container and "/" not in name[len(container) : -1]
    }
    return replace(
        decision,
        near=tuple(ends[similar] for similar in _similar(end, tuple(ends))[:MOST_SIMILAR]),
        in_sequence=tuple(ends[other] for other in _in_sequence(end, tuple(ends))),
    )


def _split(identifier: Identifier) -> tuple[str, str]:
    """Return a name as the names above it, and its last segment with a final slash."""
    name = identifier.normal_form
    at = name.rstrip("/").rfind("/") + 1
    return name[:at], name[at:]


def _places(end: str) -> Iterator[_Place]:
    """Yield the places that a name may have in a sequence: longer numbers first, then the last."""
    found = list(_NUMBER.finditer(end))
    found.sort(key=lambda match: (len(match[0]) == 1, -match.start()))
    for match in found:
        yield _Place(end[: match.start()], match[0], end[match.end() :])


def _in_sequence(end: str, others: Sequence[str]) -> tuple[str, ...]:
    """Return the names before and after it in the first sequence that has any."""
    for before, number, after in _places(end):
        numbers = {
            int(digits): other
            for other in others
            if other.startswith(before)
            and other.rstrip("/").endswith(after.rstrip("/"))
            and (digits := other[len(before) : len(other.rstrip("/")) - len(after.rstrip("/"))]).isdecimal()
        }
        lower = max((each for each in numbers if each < int(number)), default=None)
        higher = min((each for each in numbers if each > int(number)), default=None)
        if numbers:
            return tuple(numbers[each] for each in (lower, higher) if each is not None)
    return ()


def _similar(end: str, others: Sequence[str]) -> list[str]:
    """Return the names of a similar spelling, the most similar first; another number is no spelling."""
    folded = fold_writing(end)
    letters = _NUMBER.sub("", folded)
    measured = [
        (distance, other)
        for other in others
        if _NUMBER.sub("", fold_writing(other)) != letters
        and (distance := _distance(folded, fold_writing(other))) is not None
    ]
    return [other for _, other in sorted(measured)]


def _distance(folded: str, other: str) -> int | None:
    most = min(max(len(folded) // _LETTERS_OF_EDIT, 1), 2)
    if abs(len(folded) - len(other)) <= most:
        edits = edits_between(folded, other, most)
        if edits is not None:
            return edits
    shorter, longer = sorted((folded, other), key=len)
    is_continued = len(shorter) >= _SHORTEST_BEGINNING and longer.startswith(shorter)
    return len(longer) if is_continued else None
