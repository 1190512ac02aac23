"""An expression and its target are rules that lead the same names to the same places."""

from __future__ import annotations

import pytest

from ginuri.files.expressions.targets import write_rules
from ginuri.identifiers.messages import Message

B = "https://b.example"


def _rules(expression: str, target: str = f"{B}/$1", base: str = "") -> list[tuple[str, str, str]] | str:
    found = write_rules(expression, target, base=base)
    if isinstance(found, Message):
        return str(found)
    return [(rule.prefix, rule.pattern, rule.location) for rule in found.rules]


@pytest.mark.parametrize(
    ("expression", "target", "rules"),
    [
        ("^a/([0-9]+)$", f"{B}/$1.ttl", [("a/", "{id:digits}", f"{B}/{{+id}}.ttl")]),
        ("^a/b$", B, [("a/", "b", B)]),
        ("^a/?$", B, [("", "a", B), ("a/", "", B)]),
        ("^a/", f"{B}/", [("a/", "", f"{B}/"), ("a/", "{+rest}", f"{B}/")]),
        ("^a/(.*)$", f"{B}/$1", [("a/", "", f"{B}/"), ("a/", "{+rest}", f"{B}/{{+rest}}")]),
        (
            "^(a|b)/([0-9]+)(-([a-z]+))?$",
            f"{B}/$2/$4/$1",
            [("", "{part1:a|b}/{part2:digits}[-{part3:lower}]", f"{B}/{{+part2}}/{{+part3}}/{{+part1}}")],
        ),
        (
            "^x([OPQ])([0-6])y$",
            f"{B}/P$1$2",
            [("", "x{part1:[O-Q](1)}{part2:[0-6](1)}y", f"{B}/P{{+part1}}{{+part2}}")],
        ),
        # The two forms of the location need a rule each.
        ("^x(/(.*))?$", f"{B}$1", [("", "x", B), ("x/", "", f"{B}/"), ("x/", "{+rest}", f"{B}/{{+rest}}")]),
    ],
)
def test_an_expression_is_written_as_rules_below_its_folder(
    expression: str, target: str, rules: list[tuple[str, str, str]]
) -> None:
    assert _rules(expression, target) == rules


def test_a_base_is_the_prefix_of_all_rules() -> None:
    assert _rules("^obo/(a|[0-9]+/b)$", base="obo/") == [
        ("obo/", "a", f"{B}/a"),
        ("obo/", "{id:digits}/b", f"{B}/{{+id}}/b"),
    ]


def test_an_expression_that_ignores_case_has_no_names() -> None:
    found = write_rules("(?i)^a/b$", B, base="a/")

    assert not isinstance(found, Message)
    assert found.ignore_case
    assert [(rule.prefix, rule.pattern) for rule in found.rules] == [("a/", "b")]


@pytest.mark.parametrize(
    ("expression", "target", "base", "why"),
    [
        ("^(?=ab)b$", B, "", "cannot look ahead"),
        ("^([0-9]+)$", f"{B}/$2", "", "a piece that the expression does not have"),
        ("^(?<n>a)$", B, "", "is no regular expression"),
        ("^a//b$", B, "", "No identifier matches the expression."),
        ("^a/([0-9]+)$", B, "b/", "No identifier matches the expression."),
    ],
)
def test_an_expression_without_equivalent_rules_is_explained(
    expression: str, target: str, base: str, why: str
) -> None:
    told = _rules(expression, target, base)

    assert isinstance(told, str)
    assert why in told
