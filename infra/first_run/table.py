"""The table of checks: checks.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("checks.toml")


@dataclass(frozen=True, slots=True)
class Check:
    """A check, in the words of the page."""

    key: str
    name: str
    command: str
    expected: str
    question: str = ""
    """For a person, after the function of the check has acted."""
    disruptive: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page."""

    title: str
    checks: Sequence[Check]


def read_table(path: Path = TABLE) -> list[Section]:
    """Read the sections with their checks. Raises ValueError if two checks share a key."""
    sections = [
        Section(each["title"], [Check(**check) for check in each["check"]])
        for each in tomllib.loads(path.read_text(encoding="utf-8"))["section"]
    ]
    keys = [check.key for section in sections for check in section.checks]
    if repeated := sorted({key for key in keys if keys.count(key) > 1}):
        raise ValueError(f"{path.name} has several checks with the key {', '.join(repeated)}")
    return sections
