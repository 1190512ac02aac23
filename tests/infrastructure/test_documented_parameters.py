"""docs/reference/parameters.md lists the parameters of the template, their defaults, and its outputs."""

from __future__ import annotations

import re
from pathlib import Path

from infra.local.template import expand


def test_the_page_lists_every_parameter_with_its_default(root: Path) -> None:
    parameters = expand(root / "template.yaml")["Parameters"]

    listed = re.findall(r"^\| `(\w+)` \| `([^`]*)` \|", _page(root), re.MULTILINE)

    assert dict(listed) == {name: str(parameter["Default"]) for name, parameter in parameters.items()}


def test_the_page_lists_every_output(root: Path) -> None:
    outputs = expand(root / "template.yaml")["Outputs"]
    _, _, table = _page(root).partition("The outputs of the stack")

    listed = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", table, re.MULTILINE)))

    assert set(listed) == set(outputs)


def _page(root: Path) -> str:
    return (root / "docs" / "reference" / "parameters.md").read_text(encoding="utf-8")
