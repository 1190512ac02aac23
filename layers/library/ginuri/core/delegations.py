"""May a prefix be handed to another host? What is said of that stands in the record of the prefix."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.core.record import DELEGATION, Record
from ginuri.core.rows import Registration
from ginuri.core.verdicts import Finding, refuse


def is_delegated(registration: Registration) -> bool:
    """Tell whether a registration says anything about a delegation."""
    return any(path[0] == DELEGATION[0] for path in registration.statements)


def judge_delegation(registration: Registration, before: Record | None) -> Iterator[Finding]:
    """Find what speaks against handing a prefix to another host."""
    identifier, host = registration.identifier, (*DELEGATION, "answered_by")
    if not identifier.is_terminated:
        message = f"what is delegated is a prefix, which ends in a slash: {identifier}/"
        yield refuse("identifier", "prefix", identifier, message)
    if host not in registration.statements and (before is None or before.get(*host) is None):
        yield refuse_without_host()
    status = registration.statements.get((*DELEGATION, "status"))
    if status is not None:
        message = "a delegation has no status: it ends with answered_by null, and stated again it is back"
        yield refuse("status", "no status", status, message)


def refuse_without_host() -> Finding:
    """Refuse a delegation of which nobody knows to whom."""
    message = "a delegation names the host that answers for the prefix; null ends it"
    return refuse("answered_by", "required", None, message)
