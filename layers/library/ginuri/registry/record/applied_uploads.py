"""The proof of an applied upload, which the registry keeps beside its records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AppliedUpload:
    """The proof that an upload was applied; a table restored to an earlier moment has lost it."""

    key: str
    version: str
    put: str
    """The time of the upload, RFC 3339 in UTC with milliseconds."""
    processed: str
    """The time when its last row was registered, RFC 3339 in UTC."""
    counts: Mapping[str, int]
    """The number of verdicts by outcome."""
