"""Fallbacks: a host that moved in leads on what is not registered here yet, to the server that has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ginuri.identifiers import parse_host
from ginuri.identifiers.hosts import same_host
from ginuri.registry.model import Host, Namespace, Scheme
from ginuri.registry.ports import Finder, Found, ManyFinder
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.decision import Question
from ginuri.resolution.outcomes import FallenBack, NotRegistered

Holder = Host | Scheme | Namespace
"""The records that may state a fallback."""


def fall_back(decision: NotRegistered, question: Question, finder: Finder) -> FallenBack | None:
    """Return the fallback of an unregistered identifier; None without one, or if its host is registered here.

    A host that was registered after it was stated belongs to this registry, and could lead back. Raises
    RegistryUnavailable.
    """
    fallen = find_fallback(decision.found, question.hosts)
    if fallen is None:
        return None
    host = parse_host(fallen.host)
    return None if finder.find(host, question.moment, host).record is not None else fallen


def fall_back_all(
    unknown: Mapping[int, Found], questions: Sequence[Question], finder: ManyFinder
) -> dict[int, FallenBack]:
    """Return the fallbacks of unregistered identifiers by their number, as `fall_back` does, in one call."""
    fallen = {
        index: each
        for index, found in unknown.items()
        if (each := find_fallback(found, questions[index].hosts)) is not None
    }
    hosts = {each.host: parse_host(each.host) for each in fallen.values()}
    if not hosts:
        return {}
    found = finder.find_many(list(hosts.values()), questions[0].moment)
    ours = {host for host, its in zip(hosts, found, strict=True) if its.record is not None}
    return {index: each for index, each in fallen.items() if each.host not in ours}


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
