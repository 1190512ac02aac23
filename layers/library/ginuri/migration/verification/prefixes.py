"""The prefixes that identifiers are counted under: as many as a person reads, or as a sample needs."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

ALL = ""
"""The prefix of all identifiers."""
_LAST_BREAK = re.compile(r"[/:_](?=[^/:_]*[/:_]*\Z)")
Group = TypeVar("Group")


def prefix_of(uri: str) -> str:
    """Return an identifier without its last piece; breaks are `/`, `:` and `_`.

    >>> prefix_of("purl.example.org/obo/HP_0000001"), prefix_of("w3id.example/ns/a/?x=/y")
    ('purl.example.org/obo/HP_', 'w3id.example/ns/')
    >>> prefix_of("purl.example.org/obo/"), prefix_of("purl.example.org/")
    ('purl.example.org/', '')
    """
    path = uri.partition("?")[0]
    found = _LAST_BREAK.search(path.rstrip("/:_"))
    return path[: found.end()] if found else ALL


def group_of(prefix: str, groups: Mapping[str, object]) -> str:
    """Return the longest group that a prefix is in."""
    while prefix and prefix not in groups:
        prefix = prefix_of(prefix)
    return prefix


def merge_smaller(groups: dict[str, int], least: int) -> None:
    """Merge the groups with fewer members into those above them, the longest prefix first."""
    queue = [(-len(prefix), prefix) for prefix in groups if prefix]
    heapq.heapify(queue)
    while queue:
        _, prefix = heapq.heappop(queue)
        if groups[prefix] >= least:
            continue
        above = prefix_of(prefix)
        if above and above not in groups:
            heapq.heappush(queue, (-len(above), above))
        groups[above] = groups.get(above, 0) + groups.pop(prefix)


def merge_groups(
    groups: dict[str, Group],
    add: Callable[[Group, Group], Group],
    weigh: Callable[[Group], tuple[float, float]],
    most: int,
) -> None:
    """Merge the lightest groups into those above them, until there are at most as many."""
    queue = [(weigh(group), -len(prefix), prefix) for prefix, group in groups.items() if prefix]
    heapq.heapify(queue)
    while len(groups) > most and queue:
        weight, _, prefix = heapq.heappop(queue)
        if prefix not in groups or weight != weigh(groups[prefix]):
            continue  # merged since, and queued again
        above = prefix_of(prefix)
        group = groups.pop(prefix)
        groups[above] = add(groups[above], group) if above in groups else group
        if above:
            heapq.heappush(queue, (weigh(groups[above]), -len(above), above))
