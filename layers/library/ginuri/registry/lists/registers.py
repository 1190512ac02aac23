"""Registers that exist without a registration, and special names of authorities.

They follow from the segments of an identifier and its ancestors, without further calls. Source:
"Meta-resource identifiers and registry structure" and "Special URIs".
"""

from __future__ import annotations

from ginuri.identifiers import Identifier, Kind
from ginuri.identifiers.service_paths import register_path
from ginuri.registry.lists.memberships import REGISTER, RESOURCE_TYPES, types_register
from ginuri.registry.model import NameAuthority, Namespace, Resource, Scheme, Steward, Texts
from ginuri.registry.ports import Found

NAME_AUTHORITIES = "nameAuthority"
URI_SCHEMES = "uriScheme"
NAMESPACES = "namespace"
_OF_A_SCHEME = (NAME_AUTHORITIES, URI_SCHEMES)
_AUTHORITY = "authority"
_REGISTRY = "registry"
_TITLES: dict[str, Texts] = {
    NAME_AUTHORITIES: {"en": "Register of name authorities", "es": "Registro de autoridades de nombres"},
    URI_SCHEMES: {"en": "Register of URI schemes", "es": "Registro de esquemas de URI"},
    RESOURCE_TYPES: {"en": "Register of resource types", "es": "Registro de tipos de recurso"},
}


def register_name(found: Found) -> str | None:
    """Return the kind of register that an identifier names, registered or not; None for any other.

    Every name authority has a register of resource types; those of name authorities and of URI schemes belong
    to the authority of the scheme. A scheme of namespaces is itself their register: in these schemes the
    registry gives no meaning to other names (RFC 4452 §4.1).
    """
    identifier = found.identifier
    if identifier.is_namespaced:
        return NAMESPACES if isinstance(found.record, Scheme) else None
    match identifier.segments:
        case (_, "register", name) if name in _TITLES and identifier.is_terminated:
            authority = identifier.ancestors[1]
        case ("register", name) if (
            name == RESOURCE_TYPES and identifier.is_bound and identifier.is_terminated
        ):
            authority = identifier.root
        case _:
            return None
    if not isinstance(found.records.get(authority), Steward):
        return None
    return name if name == RESOURCE_TYPES or authority == _keeper(found) else None


def unregistered_register(found: Found) -> Resource | None:
    """Describe a register without a registration; None for any other identifier."""
    name = register_name(found)
    if name is None:
        return None
    return Resource(
        identifier=found.identifier.normal_form,
        modified="",
        titles=_TITLES[name],
        kind=Kind.THING,
        properties={"type": "Collection"},
    )


def name_meant(found: Found) -> str | None:
    """Return the authority or register that an unregistered name means by the source."""
    return authority_meant(found) or register_meant(found)


def register_meant(found: Found) -> str | None:
    """Return the name with `register/…` in place of `registry/…`; None for any other.

    Source, "Registry implementation": "each name authority must have a registry/resourceType resource", and a
    "registry of known URISchemes … at registry/uriScheme". Everywhere else the source has them under
    `register/`.
    """
    identifier = found.identifier
    match identifier.segments:
        case (_, "registry", name, *below) if not identifier.is_namespaced:
            authority = identifier.ancestors[1]
        case _:
            return None
    prefix = f"{authority}{_REGISTRY}/"
    if prefix in found.records or not isinstance(found.records.get(authority), Steward):
        return None
    if name in _TITLES and not below:
        return register_path(authority, name)
    return f"{authority}{REGISTER}/{identifier.normal_form.removeprefix(prefix)}"


def authority_meant(found: Found) -> str | None:
    """Return the name authority that a special name means, registered or not; else None.

    `uri-gin/authority/azgs/` stands for `uri-gin/azgs/`; so does `uri-gin/usgin/authority/azgs/`, because
    usgin is the authority of the scheme; `uri-gin/azgs/authority/azgs.mapping/` stands for
    `uri-gin/azgs.mapping/`.
    """
    identifier = found.identifier
    if identifier.is_namespaced or not found.has_registered_root:
        return None
    match identifier.segments:
        case ("authority", name) if name and f"{identifier.root}{_AUTHORITY}/" not in found.records:
            return f"{identifier.root}{name}/"
        case (above, "authority", name) if identifier.is_terminated and (
            name.startswith(f"{above}.") or identifier.ancestors[1] == _keeper(found)
        ):
            return f"{identifier.root}{name}/"
        case _:
            return None


def authority_opened(identifier: Identifier) -> str | None:
    """Return the sub-authority that registering this name opens (`checks.authorization.opening`).

    >>> from ginuri.identifiers import parse
    >>> authority_opened(parse("uri-gin/azgs/authority/azgs.mapping/"))
    'uri-gin/azgs.mapping/'
    """
    match identifier.segments:
        case (above, "authority", name) if (
            name.startswith(f"{above}.") and identifier.is_terminated and not identifier.is_namespaced
        ):
            return f"{identifier.root}{name}/"
        case _:
            return None


def registers_of(record: Scheme | NameAuthority) -> tuple[str, ...]:
    """Return the registers of a scheme or a name authority.

    >>> registers_of(Scheme(identifier="uri-gin/", modified="", authority="uri-gin/usgin/"))
    ('uri-gin/usgin/register/nameAuthority/', 'uri-gin/usgin/register/uriScheme/')
    """
    if isinstance(record, Namespace):
        return ()
    if isinstance(record, NameAuthority):
        return (types_register(record.identifier),)
    return tuple(f"{record.authority}{REGISTER}/{register}/" for register in _OF_A_SCHEME if record.authority)


def title_of_register(name: str) -> Texts:
    """Return the default title of a register."""
    return _TITLES[name.rstrip("/").rpartition("/")[2]]


def _keeper(found: Found) -> str | None:
    scheme = found.records.get(found.identifier.root)
    return scheme.authority if isinstance(scheme, Scheme) else None
