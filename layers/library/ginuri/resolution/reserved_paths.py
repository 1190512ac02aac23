"""Paths of the service on a host: a host without pages gives them up, the canonical host never does."""

from __future__ import annotations

from ginuri.identifiers import Identifier
from ginuri.identifiers.grammars.bound import reserved_path
from ginuri.identifiers.hosts import same_host
from ginuri.registry.model import Host, Registered
from ginuri.registry.ports import Found
from ginuri.resolution.outcomes import NoSuchScheme


def gives_up_paths(host: Registered | None, canonical_host: str) -> bool:
    """Return whether a host leaves the paths of the service to the names that are bound to it."""
    if not isinstance(host, Host) or host.pages is not False:
        return False
    return not same_host(host.identifier.strip("/"), canonical_host)


def is_reserved(found: Found, canonical_host: str) -> bool:
    """Return whether an identifier is a path of the service that its host has not given up."""
    identifier = found.identifier
    return identifier.is_of_service and not gives_up_paths(found.records.get(identifier.root), canonical_host)


def is_never_free(identifier: Identifier, canonical_host: str) -> bool:
    """Return whether an identifier is a path of the service on the canonical host: nothing need be read."""
    return identifier.is_of_service and same_host(identifier.root.strip("/"), canonical_host)


def reserve(identifier: Identifier) -> NoSuchScheme:
    """Return the outcome for a path of the service."""
    return NoSuchScheme(reserved_path(identifier.normal_form, identifier.segments[0]))
