"""The result of a check: one line, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What a check found."""

    PASSED = "passed"
    WARNING = "warning"
    """A deployment succeeds, but something will be missing."""
    FAILED = "failed"
    """A deployment would fail."""
    UNKNOWN = "unknown"
    """It could not be found out."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found, and the remedy unless it passed."""

    verdict: Verdict
    text: str
    remedy: str = ""


def passed(text: str) -> Finding:
    """Return a finding that needs nothing."""
    return Finding(Verdict.PASSED, text)


def warning(text: str, remedy: str) -> Finding:
    """Return a finding that does not keep a deployment from succeeding."""
    return Finding(Verdict.WARNING, text, remedy)


def failed(text: str, remedy: str) -> Finding:
    """Return a finding that lets a deployment fail."""
    return Finding(Verdict.FAILED, text, remedy)


def unknown(text: str, remedy: str) -> Finding:
    """Return a finding that nobody knows."""
    return Finding(Verdict.UNKNOWN, text, remedy)
