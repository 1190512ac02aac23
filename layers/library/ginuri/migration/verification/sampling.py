"""A sample of the identifiers under each prefix, which stands for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from ginuri.migration.verification.prefixes import group_of, merge_smaller, prefix_of
from ginuri.migration.verification.requests import IdentifierUses

_WHOLE = 2**48


def sample(
    identifiers: Sequence[IdentifierUses], most: int, seed: str, default_host: str
) -> list[IdentifierUses]:
    """Choose at most as many identifiers of each prefix, in their order.

    A prefix with fewer is counted to the one above it. The more often an identifier is used, the more likely
    it is chosen; the counts of the chosen ones add up to those of all under their prefix. The seed decides.
    """
    leaves = [prefix_of(f"{each.host or default_host}{each.target}") for each in identifiers]
    groups: dict[str, int] = {}
    for leaf in leaves:
        groups[leaf] = groups.get(leaf, 0) + 1
    merge_smaller(groups, most)
    drawn = [_draw(f"{seed} {each.host} {each.target}") for each in identifiers]
    members: dict[str, list[int]] = {}
    for number, leaf in enumerate(leaves):
        members.setdefault(group_of(leaf, groups), []).append(number)
    counts: dict[int, float] = {}
    for numbers in members.values():
        counts |= _choose({number: identifiers[number].count for number in numbers}, most, drawn)
    return [_weighted(identifiers[number], count) for number, count in sorted(counts.items())]


def _choose(counts: dict[int, float], most: int, drawn: Sequence[float]) -> dict[int, float]:
    """Choose members of a group, and return the counts that they stand for.

    Systematic sampling, with probabilities proportional to size. Members that are as large as the distance
    between two choices are certain, and stand for themselves.
    """
    if len(counts) <= most:
        return counts
    certain: dict[int, float] = {}
    rest = dict(sorted(counts.items(), key=lambda member: -member[1]))
    total = sum(rest.values())
    for number, count in list(rest.items()):
        if count * (most - len(certain)) < total:
            break
        certain[number] = rest.pop(number)
        total -= count
    places = most - len(certain)
    if not places:
        return certain
    return certain | dict.fromkeys(_systematic(rest, total / places, drawn), total / places)


def _systematic(counts: dict[int, float], step: float, drawn: Sequence[float]) -> Iterator[int]:
    shuffled = sorted(counts, key=drawn.__getitem__)
    reached, wanted = 0.0, step * drawn[min(counts)]
    for number in shuffled:
        reached += counts[number]
        if wanted < reached:
            yield number
            wanted += step


def _draw(text: str) -> float:
    """Return a number from 0 to 1, the same for the same text."""
    return int.from_bytes(sha256(text.encode()).digest()[:6], "big") / _WHOLE


def _weighted(identifier: IdentifierUses, count: float) -> IdentifierUses:
    factor = count / identifier.count
    return replace(identifier, uses=[replace(use, count=use.count * factor) for use in identifier.uses])
