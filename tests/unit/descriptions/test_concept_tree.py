"""Concepts form a tree by the broader ones that they state."""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.descriptions.concept_tree import grow_tree
from ginuri.descriptions.description import Branch, Member, Reference, Text
from ginuri.registry.model import Resource


def _tree(**broader: Sequence[str]) -> list[object]:
    members = [
        Member(
            Reference(Text(name)),
            Resource(
                identifier=f"uri-gin/a/{name}",
                modified="",
                properties={"broader": [f"uri-gin/a/{above}" for above in above_it]} if above_it else {},
            ),
            "",
        )
        for name, above_it in broader.items()
    ]
    return _outline(grow_tree(members))


def _outline(branches: Sequence[Branch]) -> list[object]:
    return [[branch.named.title.text, *_outline(branch.branches)] for branch in branches]


def test_narrower_concepts_are_below_their_broader_ones() -> None:
    assert _tree(a=(), b=("a",), c=("b",), d=("a",)) == [["a", ["b", ["c"]], ["d"]]]


def test_a_concept_with_two_broader_ones_is_below_both() -> None:
    assert _tree(a=(), b=(), c=("a", "b")) == [["a", ["c"]], ["b", ["c"]]]


def test_a_concept_with_a_broader_one_elsewhere_is_at_the_top() -> None:
    assert _tree(a=(), b=("a",), c=("z",)) == [["a", ["b"]], ["c"]]


def test_concepts_in_a_circle_are_shown_once_each() -> None:
    assert _tree(a=("b",), b=("a",)) == [["a", ["b"]]]


def test_members_without_relations_form_no_tree() -> None:
    assert _tree(a=(), b=()) == []
