"""docs/reference/parameters.md lists the parameters of the template, their defaults, and its outputs."""

from __future__ import annotations

import re
from pathlib import Path

from infra.local.template import expand
from tests.infrastructure.stack import Stack


def test_the_page_lists_every_parameter_with_its_default(root: Path) -> None:
    parameters = expand(root / "template.yaml")["Parameters"]

    listed = re.findall(r"^\| `(\w+)` \| `([^`]*)` \|", _page(root)[0], re.MULTILINE)

    assert dict(listed) == {name: str(parameter["Default"]) for name, parameter in parameters.items()}


def test_the_page_lists_every_output(root: Path) -> None:
    outputs = expand(root / "template.yaml")["Outputs"]
    _, _, table = _page(root)[0].partition("The outputs of the stack")

    listed = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", table, re.MULTILINE)))

    assert set(listed) == set(outputs)


def test_the_page_lists_parameters_and_outputs_of_the_edge(root: Path, global_stack: Stack) -> None:
    named = set(re.findall(r"`(\w+)`", _page(root)[1]))

    assert set(global_stack.template["Parameters"]) | set(global_stack.template["Outputs"]) <= named
    for name, default in re.findall(r"^\| `(\w+)` \| `([^`]*)` \|", _page(root)[1], re.MULTILINE):
        assert global_stack.template["Parameters"][name]["Default"] == default


def _page(root: Path) -> tuple[str, str]:
    """Return the parts of the page about the stack, and about that of the edge."""
    text = (root / "docs" / "reference" / "parameters.md").read_text(encoding="utf-8")
    stack, _, edge = text.partition("## The stack of the edge")
    return stack, edge
