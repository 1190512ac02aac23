"""Checks that an identifier keeps its meaning, unless the upload is a correction with a reason."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.identifiers import Kind
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.model import RecordType
from ginuri.registry.record.record import Record
from ginuri.registry.record.statements import OF_RECORD

NEVER_REUSED = "never reused"
"""The rule that a change of an immutable field breaks."""


def judge_type(
    before: Record | None, registered: RecordType | None, record_type: RecordType, correction: str
) -> Iterator[Finding]:
    """Find a change of the type of a record; `registered` is None for a record without one."""
    if before is not None and registered is not None and registered != record_type:
        yield _changed("record", before, registered, record_type, correction)


def judge_kind(registration: Registration, before: Record, correction: str) -> Iterator[Finding]:
    """Find a change of the kind of a registered resource."""
    statements = registration.statements
    if not statements.states("kind"):
        return
    by_syntax = str(registration.identifier.kind)
    registered, stated = before.in_force().text("kind") or by_syntax, statements.text("kind") or by_syntax
    if registered == stated:
        return
    if stated == Kind.THING and statements.states("triples") and not correction:
        yield refuse(
            "kind",
            NEVER_REUSED,
            stated,
            "The file describes a vocabulary or a term, which is a thing, but this is registered as "
            "{before}, by {source}. To make it a thing, upload the file as a correction with a reason. To "
            "keep a vocabulary a document, make it a foaf:Document in the file.",
            before=registered,
            source=_source("kind", before),
        )
    else:
        yield _changed("kind", before, registered, stated, correction)


def _changed(field: str, before: Record, registered: str, stated: str, correction: str) -> Finding:
    if correction:
        return warn(
            field,
            "corrected",
            stated,
            "This was registered as {before}. Corrected, with the reason: {reason}",
            before=registered,
            reason=correction,
        )
    return refuse(
        field,
        NEVER_REUSED,
        stated,
        "This is registered as {before}, by {source}. An identifier keeps its meaning: register another "
        "one, or upload this as a correction with a reason.",
        before=registered,
        source=_source(field, before),
    )


def _source(field: str, before: Record) -> str:
    return (before.stated_first(OF_RECORD, field) or before.created).source
