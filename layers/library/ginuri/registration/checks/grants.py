"""Checks grants: where they are stated, on what, and whether an upload may give what it grants."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.identifiers import Identifier
from ginuri.identifiers.roots import prefix_to_folder
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.authorization import Right, Scope
from ginuri.registration.checks.authorization import refuse_without_steward
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.grants_reader import read_grant
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.record.statements import JsonValue


def judge_grant(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Find problems of a grant, or of the end of one."""
    identifier = registration.identifier
    [stated] = (value for key, value in registration.statements.items() if not key.is_first)
    if not identifier.is_terminated:
        yield refuse(
            "identifier",
            "prefix",
            identifier,
            "A grant is on a prefix, and a prefix ends in a slash. Write {prefix}.",
            prefix=f"{identifier}/",
        )
        return
    if context.folder != HOST_FOLDER and not identifier.normal_form.startswith(context.folder):
        yield refuse(
            "identifier",
            "folder",
            identifier,
            "Files in this folder may only grant rights on prefixes that start with `{prefix}`. Upload this "
            "to the folder of its name authority, or to {host_folder}.",
            prefix=prefix_to_folder(context.folder),
            host_folder=HOST_FOLDER,
        )
    elif context.authority is None and not (identifier.is_scheme and context.scheme is not None):
        yield refuse_without_steward(identifier)
    if context.scope is not None:
        yield from _judge_scope(identifier, stated, context.scope, context.folder)
    if stated is None:
        if not any(not key.is_first for key in context.in_force):
            yield warn("may", "no grant", registration.grantee, "There is no such grant to end.")
        return
    yield from _judge_effect(identifier, stated, context)


def _judge_scope(identifier: Identifier, stated: JsonValue, scope: Scope, folder: str) -> Iterator[Finding]:
    """Refuse a grant of an upload that may not grant, or not as much."""
    rights = scope.at(identifier.normal_form, folder)
    if Right.GRANT not in rights:
        yield refuse(
            "record",
            "right",
            "grant",
            "This upload may not grant rights on {prefix}: nobody can with a token. Ask the operator of the "
            "registry, or upload the line to the bucket yourself.",
            prefix=identifier,
        )
    elif beyond := read_grant(identifier.normal_form, "", stated).may - rights:
        yield refuse(
            "may",
            "right",
            ", ".join(sorted(beyond)),
            "This upload has no such right on {prefix} itself, and can grant only its own: {rights}.",
            prefix=identifier,
            rights=", ".join(sorted(rights)),
        )


def _judge_effect(identifier: Identifier, stated: JsonValue, context: JudgingContext) -> Iterator[Finding]:
    """Refuse a grant that could have no effect, and warn of one that has ended already."""
    handover = context.handover
    if handover is not None and not identifier.normal_form.startswith(handover.to):
        yield refuse(
            "identifier",
            "delegated",
            identifier,
            "The prefix {prefix} is delegated to {authority}, and registered from its folder. Grant the "
            "rights on {authority} instead.",
            prefix=handover.prefix,
            authority=handover.to,
        )
    until = stated.get("valid_until") if isinstance(stated, dict) else None
    if isinstance(until, str) and until < context.put[:10]:
        yield warn(
            "valid_until", "past", until, "The last day of this grant is past: it gives no rights to anybody."
        )
