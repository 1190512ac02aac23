"""Checks the `fallback` of a host, scheme or namespace: another server, which never leads back here."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.identifiers import describes_unregistered
from ginuri.identifiers.hosts import same_host
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.record.statements import OF_DELEGATION, OF_RECORD, JsonValue, Key

FALLBACK = Key(OF_RECORD, None, "fallback")
_TRUSTED = Key(OF_RECORD, None, "trusted_hosts")
_ANSWERED = (Key(OF_RECORD, None, "answered_by"), Key(OF_DELEGATION, None, "answered_by"))


def fallback_address(registration: Registration) -> str | None:
    """Return the address that the fallback of a registration leads to; None if it states none."""
    host = registration.statements.get(FALLBACK)
    return registration.identifier.uri(host) if isinstance(host, str) else None


def judge_fallback(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Refuse a fallback beside `answered_by` and one to this registry; warn of one that never applies."""
    stated = registration.statements

    def after(key: Key) -> JsonValue:
        return stated[key] if key in stated else context.in_force.get(key)

    host = after(FALLBACK)
    if not isinstance(host, str):
        return
    answering = [key for key in _ANSWERED if after(key)]
    if answering and any(stated.get(key) for key in (FALLBACK, *answering)):
        key = FALLBACK if stated.get(FALLBACK) else next(key for key in answering if stated.get(key))
        yield refuse(
            key.field,
            "one of two",
            stated[key],
            "With `answered_by` another host answers for everything, so nothing falls back. State either "
            "`answered_by` or `fallback`, and clear the other.",
        )
    trusted = after(_TRUSTED)
    is_trusted = isinstance(trusted, list) and host in trusted
    is_itself = same_host(host, registration.identifier.root.strip("/"))
    if stated.get(FALLBACK) and (context.falls_back_here or is_trusted or is_itself):
        yield _refuse_here(FALLBACK, host)
    elif stated.get(_TRUSTED) and is_trusted:
        yield _refuse_here(_TRUSTED, host)
    if stated.get(FALLBACK) and _describes_all(registration):
        yield warn(
            "fallback",
            "never applies",
            host,
            "Identifiers of {namespace} that are not registered are answered with a description, so nothing "
            "falls back. State a rule that leads to {host} instead.",
            namespace=registration.identifier,
            host=host,
        )


def _describes_all(registration: Registration) -> bool:
    # A namespace: the scheme above it may have namespaces that are not registered.
    identifier = registration.identifier
    return bool(identifier.segments) and describes_unregistered(identifier.scheme)


def _refuse_here(key: Key, host: str) -> Finding:
    return refuse(
        key.field,
        "leads back",
        host,
        "{host} belongs to this registry, so that a request for an identifier that is not registered would "
        "come back. State the server that has these identifiers in `fallback`, under a name of its own.",
        host=host,
    )
