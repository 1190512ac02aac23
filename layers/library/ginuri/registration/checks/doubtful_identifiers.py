"""Refuses new identifiers that a file does not state as a person wrote them, such as changed numbers.

The reader of the file has the reasons; only here it is known whether the identifier is registered.
"""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding
from ginuri.registry.model import RecordType


def judge_doubts(registration: Registration, registered_type: RecordType | None) -> Sequence[Finding]:
    """Find reasons against a new identifier; one that is registered already is as people wrote it."""
    return registration.doubts if registered_type is None else ()
