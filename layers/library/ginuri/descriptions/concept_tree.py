"""The concepts of a vocabulary as a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ginuri.descriptions.description import Branch, Member
from ginuri.registry.lists.memberships import BROADER, NARROWER, related_concepts
from ginuri.registry.model import Resource

_DEEPEST = 30
"""The most levels: deeper ones are left to the pages of their concepts."""


def grow_tree(members: Sequence[Member]) -> tuple[Branch, ...]:
    """Return the tree of concepts; () if no member states a broader or a narrower one among the others.

    A concept with several broader ones is below each. Concepts of a circle come first in it by their order.
    """
    listed = {member.record.identifier: member for member in members}
    below: dict[str, dict[str, None]] = {name: {} for name in listed}
    for name, member in listed.items():
        record = member.record
        if isinstance(record, Resource):
            for broader in related_concepts(BROADER, record.links, record.properties):
                below.get(broader, {})[name] = None
            for narrower in related_concepts(NARROWER, record.links, record.properties):
                if narrower in listed:
                    below[name][narrower] = None
    placed = {name for names in below.values() for name in names}
    if not placed:
        return ()
    seen: set[str] = set()
    tops = [_branch(name, listed, below, (), seen) for name in listed if name not in placed]
    # The rest is in circles.
    tops += [_branch(name, listed, below, (), seen) for name in listed if name not in seen]
    return tuple(tops)


def _branch(
    name: str,
    listed: Mapping[str, Member],
    below: Mapping[str, Mapping[str, None]],
    above: tuple[str, ...],
    seen: set[str],
) -> Branch:
    seen.add(name)
    path = (*above, name)
    names = [each for each in below[name] if each not in path] if len(path) < _DEEPEST else []
    return Branch(listed[name].named, tuple(_branch(each, listed, below, path, seen) for each in names))
