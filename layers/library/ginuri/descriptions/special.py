"""The fields that only descriptions of hosts, schemes, authorities, resource types and registers have.

Source: "Special URIs", and "Canonical forms" for resource types.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ginuri.descriptions.description import Reference, Text
from ginuri.descriptions.labels import Labeller, choose_label
from ginuri.identifiers.hosts import same_host
from ginuri.identifiers.service_paths import description_path
from ginuri.registry.lists.registers import authority_opened, registers_of, title_of_register
from ginuri.registry.model import Host, NameAuthority, Namespace, Registered, Resource, ResourceType, Scheme
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.descriptions.decision import Describe

_WANTED: dict[type[Registered], tuple[str, ...]] = {
    Scheme: ("descriptions", "authority", "trusted_hosts", "specification"),
    NameAuthority: ("trusted_hosts",),
    Namespace: (
        *("registrant", "contact", "grammar", "normalization", "specification"),
        *("services", "documentation"),
    ),
    ResourceType: (
        *("definition", "canonical_media_type", "default_media_type", "valid_media_types"),
        *("pattern", "services"),
    ),
}
_CALLED = {"descriptions": "description"}


def name_registers(outcome: Describe, namer: Labeller) -> tuple[Reference, ...]:
    """Refer to the registers of a scheme or an authority by their titles, registered or not."""
    record = outcome.record
    names = registers_of(record) if isinstance(record, Scheme | NameAuthority) else ()
    return tuple(_name_register(namer.refer(name), name) for name in names)


def _name_register(named: Reference, name: str) -> Reference:
    if named.identifier:
        return named
    return Reference(choose_label(title_of_register(name)) or Text(name), named.uri, description_path(name))


def authority_of_unregistered(outcome: Describe, namer: Labeller) -> Reference | None:
    """Refer to the sub-authority that a registration creates; None for any other record.

    Source: registering `uri-gin/azgs/authority/azgs.mapping/` creates the authority `uri-gin/azgs.mapping/`.
    """
    name = authority_opened(outcome.identifier) if isinstance(outcome.record, Resource) else None
    return namer.refer(name) if name else None


def distrusted_host(outcome: Describe) -> str | None:
    """Return the requested host if the name authority has trusted hosts and this is not one of them.

    An edge may have changed the host on the way, so the canonical one counts as well. An authority without
    trusted hosts has those of its scheme.
    """
    scheme = outcome.found.records.get(outcome.identifier.root)
    if not isinstance(outcome.record, NameAuthority) or not outcome.host:
        return None
    known = outcome.record.trusted_hosts or (scheme.trusted_hosts if isinstance(scheme, Scheme) else ())
    ours = (outcome.host, outcome.canonical_host)
    is_known = any(same_host(one, each) for one in known for each in ours)
    return outcome.host if known and not is_known else None


def find_missing(record: Registered, defaults: Collection[str]) -> Iterator[str]:
    """Yield the fields that the source requires and that are neither registered nor among the defaults."""
    if STATUSES[record.status].is_hidden:
        return
    wanted = (name for name in _WANTED.get(type(record), ()) if name not in defaults)
    yield from (_CALLED.get(name, name) for name in wanted if not getattr(record, name))
    if isinstance(record, Host) and not (
        record.contact or record.homepage or "publisher" in record.properties
    ):
        yield "contact"
