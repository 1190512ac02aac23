"""Fallbacks: a host that moved in leads on what is not registered here yet, to the server that has it."""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.identifiers.hosts import same_host
from ginuri.registry.model import Host, Namespace, Scheme
from ginuri.registry.ports import Found
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.outcomes import FallenBack

Holder = Host | Scheme | Namespace
"""The records that may state a fallback."""


def find_fallback(found: Found, hosts: Sequence[str]) -> FallenBack | None:
    """Return the nearest fallback above an unregistered identifier; None if it leads to one of `hosts`.

    Below a host, scheme or namespace that is retired, withheld, embargoed or reserved, none applies.
    """
    for name in reversed(found.identifier.ancestors):
        record = found.records.get(name)
        if not isinstance(record, Holder) or record.fallback is None:
            continue
        is_ours = any(same_host(record.fallback, host) for host in hosts)
        applies = STATUSES[record.status].leads_on and not is_ours
        return FallenBack(found, record.fallback, name) if applies else None
    return None
