"""Whether an operator may give a person a token: only if grants from `_host/` give the person its rights.

Grants that a folder states are not enough. Further tokens are created with the first one.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ginuri.access.creation import WantedToken
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.authorization import Rights, rights_of
from ginuri.registration.grants_reader import WholeRecordReader, read_grants
from ginuri.registry.clock import write_moment
from ginuri.registry.record.grant_records import record_of_grants
from ginuri.registry.record.record import Record
from ginuri.registry.record.statements import OF_GRANTS


def missing_grants(registry: WholeRecordReader, wanted: WantedToken, now: datetime) -> Iterator[Message]:
    """Name the folders for which the owner of a token lacks a grant. Raises RegistryUnavailable."""
    for folder in wanted.folders:
        prefix = folder_to_prefix(folder)
        given = rights_from_host(registry, wanted.owner, prefix, now)
        if missing := wanted.rights - given:
            yield message(
                "No grant from {host_folder} gives {owner} the right {rights} on {prefix}. Register one "
                "first, as in {example}.",
                host_folder=HOST_FOLDER,
                owner=wanted.owner,
                rights=", ".join(sorted(missing)),
                prefix=prefix,
                example=_example(wanted, prefix),
            )


def rights_from_host(registry: WholeRecordReader, owner: str, prefix: str, now: datetime) -> Rights:
    """Return the rights that a person has on a prefix by grants from `_host/`. Raises RegistryUnavailable."""
    grants, handed_over = read_grants(registry, prefix, now)
    names = {record_of_grants(grant.prefix) for grant in grants if grant.to == owner}
    records = registry.read(sorted(names)) if names else {}
    from_host = [
        grant
        for grant in grants
        if grant.to == owner and _is_from_host(records[record_of_grants(grant.prefix)], owner)
    ]
    return rights_of({owner}, prefix, from_host, handed_over, write_moment(now)[:10])


def _is_from_host(record: Record, owner: str) -> bool:
    return any(
        key.place == OF_GRANTS and key.field == owner and entry.changed.upload.startswith(HOST_FOLDER)
        for key, entry in record.entries.items()
    )


def _example(wanted: WantedToken, prefix: str) -> str:
    may = ", ".join(f'"{right}"' for right in sorted(wanted.rights))
    return f'{{"record": "grant", "identifier": "{prefix}", "to": "{wanted.owner}", "may": [{may}]}}'
