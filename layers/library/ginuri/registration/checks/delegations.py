"""Checks delegations of a prefix to another host or another authority, stated in the record of the prefix.

The moment when the upload was put, not the clock, decides who may register under the prefix: so every
delivery of the upload has the same verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.model import Registered
from ginuri.registry.record.record import Record
from ginuri.registry.record.statements import OF_DELEGATION, JsonValue, Key, Statements

RECEIVERS = "to"
"""The field of the authorities that receive a prefix, by day."""
AT_ONCE = ""
"""The day of a handover that is valid from its statement."""
NO_RECEIVER = ""
"""The receiver of an ended handover; not None, which would erase the handover."""


@dataclass(frozen=True, slots=True)
class Handover:
    """A prefix, and the only authority that may register under it."""

    prefix: str
    to: str


def hand_over(to: JsonValue, day: str | None) -> dict[Key, JsonValue]:
    """Return the statements that hand over a prefix, or end its handover, immediately or from a day.

    An immediate handover ends all others, including those of later days.
    """
    receivers = Key(OF_DELEGATION, None, RECEIVERS)
    stated: dict[Key, JsonValue] = {receivers._replace(member=day or AT_ONCE): to or NO_RECEIVER}
    return stated if day else {receivers: None, **stated}


def handover_of(prefix: str, receivers: Mapping[str, str], put: str) -> Handover | None:
    """Return the handover in force when an upload was put; None without any.

    >>> handover_of("uri-gin/azgs/core/", {"2027-01-01": "uri-gin/usgin/"}, "2026-12-31T23:59:59.999Z")
    """
    days = [day for day in receivers if day < put]
    receiver = receivers[max(days)] if days else NO_RECEIVER
    return Handover(prefix, receiver) if receiver else None


def receivers_by_day(record: Registered | Record | None) -> Mapping[str, str]:
    """Return the authorities that a prefix is, was or will be handed to, by day."""
    if isinstance(record, Record):
        return _receivers(record.in_force())
    return record.delegation.to if record is not None and record.delegation is not None else {}


def is_delegated(registration: Registration) -> bool:
    """Return whether a registration has statements about a delegation."""
    return any(key.place == OF_DELEGATION for key in registration.statements)


def receivers_of(statements: Statements) -> list[str]:
    """Return the authorities that statements hand their prefix to."""
    return list(filter(None, _receivers(statements).values()))


def _receivers(statements: Statements) -> dict[str, str]:
    receivers = statements.of(OF_DELEGATION).members(RECEIVERS).items()
    return {day: to for day, to in receivers if isinstance(to, str)}


def judge_delegation(
    registration: Registration, before: Record | None, receivers: frozenset[str]
) -> Iterator[Finding]:
    """Find problems of a delegation; `receivers` are the registered authorities."""
    identifier, stated = registration.identifier, registration.statements.of(OF_DELEGATION)
    if not identifier.is_terminated:
        yield refuse(
            "identifier",
            "prefix",
            identifier,
            "Only a prefix can be delegated, and a prefix ends in a slash. Write {prefix}.",
            prefix=f"{identifier}/",
        )
    registered = before.in_force().of(OF_DELEGATION) if before else Statements()
    if not any(key.field in {RECEIVERS, "answered_by"} for key in (*stated, *registered)):
        yield refuse_without_host()
    yield from (
        refuse(
            "to",
            "name authority",
            to,
            "{authority} is not registered as a name authority. Name one that is, such as uri-gin/azgs/.",
            authority=to,
        )
        for to in receivers_of(registration.statements)
        if to not in receivers
    )
    status = stated.value("status")
    if status is not None:
        yield refuse(
            "status",
            "no status",
            status,
            "A delegation has no status. To end it, clear `answered_by` or `to`; to restore it, state it "
            "again.",
        )


def refuse_without_host() -> Finding:
    """Refuse a delegation without a receiver."""
    return refuse(
        "answered_by",
        "required",
        None,
        "State to whom the prefix is delegated: a host in `answered_by`, or a name authority in `to`. To "
        "end a delegation, clear the field.",
    )
