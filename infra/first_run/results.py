"""The results of a first run, in a file for the repository of the operator: without accounts and secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

_LONGEST = 400
_ACCOUNT = re.compile(r"(?<!\d)\d{12}(?!\d)")
_SECRET = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9/+]{40,}={0,2}(?![A-Za-z0-9])")
"""Longer than any name of AWS, and as long as its keys and the secrets of the edge."""
_KEY = re.compile(r"\b(AKIA|ASIA)[A-Z0-9]{12,}\b")


class Verdict(StrEnum):
    """The result of a check."""

    PASSED = "passed"
    FAILED = "failed"
    OPEN = "open"
    """Nobody knows yet: a person has to look, or AWS has no figures yet."""
    SKIPPED = "skipped"
    """It would disturb clients, and was not asked for."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one check."""

    check: str
    expected: str
    found: str
    verdict: Verdict
    date: str


@dataclass(frozen=True)
class Results:
    """The results for one release of a stack, by the keys of checks."""

    file: Path
    region: str
    release: str
    checks: dict[str, Result] = field(default_factory=dict)

    def add(self, key: str, check: str, expected: str, verdict: Verdict, found: str) -> Result:
        """Note what was found, without what no repository should have, and write the file."""
        date = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        self.checks[key] = Result(check, expected, scrub(found), verdict, date)
        text = json.dumps(self.as_document(), indent=1, ensure_ascii=False)
        self.file.write_text(f"{text}\n", encoding="utf-8")
        return self.checks[key]

    def is_settled(self, key: str) -> bool:
        """Return whether a check passed already."""
        return key in self.checks and self.checks[key].verdict is Verdict.PASSED

    def has_found(self, key: str) -> bool:
        """Return whether a check was made."""
        return key in self.checks and self.checks[key].verdict is not Verdict.SKIPPED

    def as_document(self) -> Mapping[str, Any]:
        """Return the results as JSON."""
        return {
            "region": self.region,
            "release": self.release,
            "checks": {key: asdict(result) for key, result in self.checks.items()},
        }


def scrub(text: str) -> str:
    """Return a text in one line, without account numbers, keys and secrets, and not too long.

    >>> scrub("arn:aws:lambda:us-east-1:123456789012:function:f")
    'arn:aws:lambda:us-east-1:<account>:function:f'
    """
    line = " ".join(text.split())
    clean = _ACCOUNT.sub("<account>", _KEY.sub("<key>", _SECRET.sub("<secret>", line)))
    return clean if len(clean) <= _LONGEST else f"{clean[:_LONGEST]} …"


def read_results(file: Path, region: str, release: str) -> Results:
    """Read the results for this release; none if the file is of another one. Raises ValueError."""
    results = Results(file, region, release)
    if file.exists():
        document = json.loads(file.read_text(encoding="utf-8"))
        if (document.get("region"), document.get("release")) == (region, release):
            for key, each in document["checks"].items():
                results.checks[key] = Result(**{**each, "verdict": Verdict(each["verdict"])})
    return results
