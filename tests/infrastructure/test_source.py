"""Rules of the source that ruff and mypy have no check for."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("functions", "infra", "layers", "tests")
_points_elsewhere = re.compile(r"#.*\b(?:see|as) above\b.*|#.*\blikewise\b.*", re.IGNORECASE).findall


def test_a_comment_gives_its_own_reason() -> None:
    modules = [module for folder in FOLDERS for module in (ROOT / folder).rglob("*.py")]
    comments = {
        str(module.relative_to(ROOT)): _points_elsewhere(module.read_text(encoding="utf-8"))
        for module in modules
    }

    assert modules
    assert {module: found for module, found in comments.items() if found} == {}
