"""Reads the row of a grant: one prefix, one receiver, and all that the receiver may do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ginuri.files.schema.fields import RegistrationFields, stated_of
from ginuri.files.schema.values import fold_word
from ginuri.registration.authorization import Right, read_grantee
from ginuri.registration.checks.other_fields import refuse_other_fields
from ginuri.registration.verdicts import Finding, refuse, shown
from ginuri.registry.model import RecordType
from ginuri.registry.record.statements import OF_GRANTS, JsonValue, Key, Statements


def grantee_of(named: Mapping[str, Any]) -> str | None:
    """Return the receiver of the grant in a row, valid or not; None when the row is no grant."""
    record, to = named.get("record"), named.get("to")
    if not isinstance(record, str) or fold_word(record) != RecordType.GRANT:
        return None
    return read_grantee(to.strip()) or to.strip() if isinstance(to, str) else shown(to)


def state_grant(fields: RegistrationFields) -> tuple[Statements, list[Finding]]:
    """Return the statement of a grant, which replaces an earlier one as a whole."""
    findings = [
        *refuse_other_fields(stated_of(fields, without={"identifier"}), RecordType.GRANT),
        *_judge_receiver(fields.to),
    ]
    stated = stated_of(fields)
    if "may" not in stated:
        findings.append(
            refuse(
                "may",
                "required",
                None,
                "State in `may` what the receiver may do: {rights}. To end the grant, clear the field.",
                rights=", ".join(Right),
            )
        )
    elif not fields.may and fields.valid_until:
        findings.append(
            refuse(
                "valid_until",
                "may",
                fields.valid_until,
                "This row ends the grant at once. State in `may` what the receiver may do until that day, or "
                "leave out `valid_until`.",
            )
        )
    return Statements({Key(OF_GRANTS, None, fields.to or ""): _value_of(fields)}), findings


def _judge_receiver(to: str | None) -> Iterator[Finding]:
    if to is None:
        yield refuse(
            "to",
            "required",
            None,
            "State in `to` who receives the grant: a person such as {person}, or a group such as {group}.",
            person="mailto:jane@example.org",
            group="group:azgs-editors",
        )
    elif read_grantee(to) is None:
        yield refuse(
            "to",
            "receiver",
            to,
            "A grant is given to a person such as {person}, or to a group such as {group}. To hand the whole "
            "prefix to another name authority, state a record of type `delegation`.",
            person="mailto:jane@example.org",
            group="group:azgs-editors",
        )


def _value_of(fields: RegistrationFields) -> JsonValue:
    if not fields.may:
        return None
    until: dict[str, JsonValue] = {"valid_until": fields.valid_until} if fields.valid_until else {}
    return {"may": [str(right) for right in Right if right in fields.may], **until}
