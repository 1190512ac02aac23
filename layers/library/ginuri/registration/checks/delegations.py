"""May a prefix be handed to another host or another authority? That stands in the record of the prefix.

Who may register under it is judged by the moment that an upload was put, never by the clock: so it is the
same for every delivery of the upload.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.model import Registered
from ginuri.registry.record.record import DELEGATION, Path, Record, Value

HANDED = (*DELEGATION, "to")
"""Where it stands to whom a prefix is handed, by day."""
AT_ONCE = ""
"""Stands for the day of what holds since it was stated."""
NOBODY = ""
"""Stands for the authority where a prefix is handed to nobody; it is no None, so that it was handed once
stays known."""


@dataclass(frozen=True, slots=True)
class Handover:
    """A prefix, and the authority whose folder alone may register under it."""

    prefix: str
    to: str


def hand_over(to: str | None, day: str | None) -> dict[Path, Value]:
    """State that a prefix is handed to an authority, or to nobody, at once or from a day.

    What is stated at once ends whatever was stated before, for any day.
    """
    if day:
        return {("to", day): to or NOBODY}
    return {("to",): None, ("to", AT_ONCE): to or NOBODY}


def handover_of(prefix: str, to: Mapping[str, str], put: str) -> Handover | None:
    """Give the handover of a prefix that held when an upload was put; None where none did.

    >>> handover_of("uri-gin/azgs/core/", {"2027-01-01": "uri-gin/usgin/"}, "2026-12-31T23:59:59.999Z")
    """
    days = [day for day in to if day < put]
    holder = to[max(days)] if days else NOBODY
    return Handover(prefix, holder) if holder else None


def is_from_receiver(record: Registered | Record | None) -> Mapping[str, str]:
    """Give to whom a prefix is, was or will be handed, by day."""
    if isinstance(record, Record):
        return {path[2]: value for path, value in record.in_force().items() if path[:2] == HANDED}
    return record.delegation.to if record is not None and record.delegation is not None else {}


def is_delegated(registration: Registration) -> bool:
    """Tell whether a registration says anything about a delegation."""
    return any(path[0] == DELEGATION[0] for path in registration.statements)


def receivers_of(registration: Registration) -> list[str]:
    """Name the authorities that a registration hands its prefix to."""
    return receivers_in(registration.statements)


def receivers_in(statements: Mapping[Path, Value]) -> list[str]:
    """Name the authorities that a prefix is handed to."""
    return [value for path, value in statements.items() if path[:2] == HANDED and value]


def judge_delegation(
    registration: Registration, before: Record | None, receivers: frozenset[str]
) -> Iterator[Finding]:
    """Find what speaks against handing a prefix over; `receivers` are the authorities there are for it."""
    identifier, statements = registration.identifier, registration.statements
    if not identifier.is_terminated:
        yield refuse(
            "identifier",
            "prefix",
            identifier,
            "Only a prefix can be delegated, and a prefix ends in a slash. Write {prefix}.",
            prefix=f"{identifier}/",
        )
    is_told = any(path[:2] in {HANDED, (*DELEGATION, "answered_by")} for path in statements)
    if not is_told and (
        before is None or not (before.get(*DELEGATION, "answered_by") or is_from_receiver(before))
    ):
        yield refuse_without_host()
    for to in receivers_of(registration):
        if to not in receivers:
            yield refuse(
                "to",
                "name authority",
                to,
                "{authority} is not registered as a name authority. Name one that is, such as uri-gin/azgs/.",
                authority=to,
            )
    status = statements.get((*DELEGATION, "status"))
    if status is not None:
        yield refuse(
            "status",
            "no status",
            status,
            "A delegation has no status. To end it, clear `answered_by` or `to`; to restore it, state it "
            "again.",
        )


def refuse_without_host() -> Finding:
    """Refuse a delegation of which nobody knows to whom."""
    return refuse(
        "answered_by",
        "required",
        None,
        "State to whom the prefix is delegated: a host in `answered_by`, or a name authority in `to`. To "
        "end a delegation, clear the field.",
    )
