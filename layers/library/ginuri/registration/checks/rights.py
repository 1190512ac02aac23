"""Checks whether an upload with a scope may do what a registration states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ginuri.registration.authorization import Right, Rights, Scope
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.model import RecordType, Status
from ginuri.registry.record.statements import OF_DELEGATION, JsonValue, Key, RecordPlace, Statements

_RETIRED = {str(Status.RETIRED), str(Status.WITHHELD)}
_OF_RETIREMENT = {"status", "successor", "reason", "requested_by"}
"""The fields of a row that only retires."""
_EITHER = {Right.REGISTER, Right.RETIRE}
_Subject = tuple[RecordPlace, str | None]
"""A record, one of its rules, or one of the forms of either: each has a status of its own."""


def judge_rights(
    registration: Registration, stated: Statements, context: JudgingContext
) -> Iterator[Finding]:
    """Refuse the statements of one part of a registration if its upload lacks a right."""
    if context.scope is None:
        return
    rights, needed = _rights_of(registration, stated, context.scope, context.folder), set[Right]()
    for subject, own in _by_subject(stated).items():
        needed |= _rights_for(subject, own, context.in_force)
    if not needed and rights.isdisjoint(_EITHER):
        needed = {Right.REGISTER}
    name = registration.identifier
    if Right.REGISTER in needed - rights:
        yield refuse(
            "identifier",
            "right",
            name,
            "This upload may not register or change {identifier}: it lacks the right `register`. Ask the "
            "steward of the prefix for a grant.",
            identifier=name,
        )
    if Right.RETIRE in needed - rights:
        yield refuse(
            "status",
            "right",
            name,
            "This upload may not retire or withhold {identifier}, or a part of it: it lacks the right "
            "`retire`. Ask the steward of the prefix for a grant.",
            identifier=name,
        )


def _rights_of(registration: Registration, stated: Statements, scope: Scope, folder: str) -> Rights:
    identifier = registration.identifier
    rights = scope.at(identifier.normal_form, folder)
    is_delegation = {key.place for key in stated if not key.is_first} == {OF_DELEGATION}
    if is_delegation and identifier.ancestors:
        # It remains with the delegator, whose other rights end at the prefix that is handed over.
        rights |= scope.at(identifier.ancestors[-1], folder)
    return rights


def _by_subject(stated: Statements) -> Mapping[_Subject, Mapping[Key, JsonValue]]:
    subjects: dict[_Subject, dict[Key, JsonValue]] = {}
    for key, value in stated.items():
        if not key.is_first:
            subjects.setdefault((key.place, key.form), {})[key] = value
    return subjects


def _rights_for(subject: _Subject, own: Mapping[Key, JsonValue], in_force: Statements) -> set[Right]:
    """Return the rights that the statements about a subject need; none for what is in force already."""
    place, form = subject
    status = Key(place, form, "status")
    changed = {key for key, value in own.items() if not _is_in_force(key, value, in_force)}
    retires = own.get(status) in _RETIRED
    needed = {Right.RETIRE} if retires and status in changed else set()
    is_retirement = retires and all(key.field in _OF_RETIREMENT and key.member is None for key in changed)
    if is_retirement and any(key.place == place and form in {None, key.form} for key in in_force):
        return needed | ({Right.RETIRE} if changed else set())
    return needed | {Right.REGISTER}


def _is_in_force(key: Key, value: JsonValue, in_force: Statements) -> bool:
    default = str(RecordType.RESOURCE) if key == Key(key.place, None, "record") else None
    return value == in_force.get(key, default)
