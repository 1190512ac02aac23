"""The recipes for patterns in the documentation match their examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from ginuri.registry.rules.faults import fault_of
from ginuri.registry.rules.patterns import Pattern

_PAGE = Path(__file__).parents[3] / "docs/how-to/write-patterns.md"


def _recipes() -> list[list[str]]:
    lines = (line.replace("\\|", "\0") for line in _PAGE.read_text().splitlines() if line.startswith("| "))
    cells = [[cell.strip().replace("\0", "|") for cell in line.strip("|").split("|")] for line in lines]
    return cells[1:]


@pytest.mark.parametrize("recipe", _recipes(), ids=lambda recipe: recipe[2])
def test_a_recipe_matches_its_example(recipe: list[str]) -> None:
    pattern, text, variables = recipe[2].strip("`"), recipe[3].strip("`"), recipe[4].split()
    expected = dict(variable.strip("`").split("=", 1) for variable in variables)

    assert fault_of(pattern) is None
    pieces = Pattern(pattern).match(text)
    assert pieces is not None
    assert {"rest": text, "all": text} | pieces == {"rest": text, "all": text, **expected}


def test_the_documentation_has_twenty_recipes() -> None:
    assert len(_recipes()) == 20
