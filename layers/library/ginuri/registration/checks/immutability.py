"""What stays for good: an identifier names what it named first, unless that is corrected, with a reason."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.model import RecordType
from ginuri.registry.record.record import Record, Value

NEVER_REUSED = "never reused"
"""The rule that is broken by a change of what stays for good."""


def judge_type(
    before: Record | None, held: Value, record_type: RecordType, correction: str
) -> Iterator[Finding]:
    """Find whether what is registered would become a record of another type; `held` is None for none."""
    if before is not None and held is not None and held != record_type:
        yield _changed("record", before, held, record_type, correction)


def judge_kind(registration: Registration, before: Record, correction: str) -> Iterator[Finding]:
    """Find whether a registered resource would become one of another kind."""
    if ("kind",) not in registration.statements:
        return
    by_syntax = str(registration.identifier.kind)
    held, stated = before.get("kind") or by_syntax, registration.statements["kind",] or by_syntax
    if held != stated:
        yield _changed("kind", before, held, stated, correction)


def _changed(field: str, before: Record, held: Value, stated: Value, correction: str) -> Finding:
    if correction:
        return warn(
            field,
            "corrected",
            stated,
            "This was registered as {before}. Corrected, with the reason: {reason}",
            before=held,
            reason=correction,
        )
    source = before.stated_first(field) or before.created
    return refuse(
        field,
        NEVER_REUSED,
        stated,
        "This is registered as {before}, by {source}. An identifier keeps its meaning: register another "
        "one, or upload this as a correction with a reason.",
        before=held,
        source=source.source,
    )
