"""Composes a description from found records; all lookups are here, so that the formats only write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace

from ginuri.descriptions.description import Description, FormatDescription, Inherited, Reference, Text
from ginuri.descriptions.labels import Labeller, choose_label
from ginuri.descriptions.references import values_of
from ginuri.descriptions.register import compose_register, labeller_of
from ginuri.descriptions.special import (
    authority_of_unregistered,
    distrusted_host,
    find_missing,
    name_registers,
)
from ginuri.i18n.translation import page_language
from ginuri.identifiers import KNOWN_ROOTS, parse
from ginuri.identifiers.roots import path_of, printable_name
from ginuri.identifiers.service_paths import description_path, members_path, register_path
from ginuri.identifiers.stewards import steward as steward_of
from ginuri.registry.lists.memberships import BROADER, NARROWER, related_texts, types_register
from ginuri.registry.locations import is_location
from ginuri.registry.model import (
    Host,
    NameAuthority,
    Namespace,
    Registered,
    Representation,
    Resource,
    ResourceType,
    Scheme,
    Steward,
)
from ginuri.registry.ports import Found
from ginuri.registry.reading import RECORD_TYPES
from ginuri.registry.rules.namespaces import services_for
from ginuri.registry.version_names import version_path
from ginuri.resolution.descriptions.decision import Describe
from ginuri.resolution.descriptions.paths import address
from ginuri.resolution.links import form_address, schema_types

_GIN = KNOWN_ROOTS[0]
_ABSENT = {name: None for kind in RECORD_TYPES for name in kind._fields}
_INHERITED = (
    *("dereference", "default_media_type", "canonical_media_type"),
    *("valid_media_types", "pattern", "syntax"),
)


def compose(outcome: Describe) -> Description:
    """Compose the description of an identifier."""
    identifier, record, found = outcome.identifier, outcome.record, outcome.found
    fields = SimpleNamespace(**_ABSENT | {name: getattr(record, name) for name in record._fields})
    namer = labeller_of(outcome)
    steward = _steward(record, found)
    scheme = found.records.get(identifier.root)
    types = _types(record, found)
    broader = types[1:] if isinstance(record, ResourceType) else types
    resource = record if isinstance(record, Resource) else None
    title = title_of(outcome)
    is_listed = outcome.listing.names or outcome.listing.register
    defaults = _defaults(record, types, namer)
    about = Found(identifier, found.records)
    services = services_for(about) if fields.services is None else fields.services
    return Description(
        identifier=identifier,
        record=record,
        fields=fields,
        uri=outcome.uri,
        address=namer.here + address(identifier),
        title=title,
        nature=next(schema_types(about, record), "Thing"),
        kind=(resource.kind or identifier.kind) if resource else None,
        scheme=namer.refer(scheme.identifier) if scheme else None,
        authority=namer.refer(steward.identifier) if steward else None,
        steward=steward,
        types=tuple(namer.refer(type_.identifier) for type_ in broader),
        type_paths=frozenset(
            name for name, other in found.records.items() if isinstance(other, ResourceType)
        ),
        defaults=defaults,
        successor=namer.refer(record.successor) if record.successor else None,
        requested_by=namer.refer(record.requested_by) if record.requested_by else None,
        part_of=namer.refer(fields.part_of) if fields.part_of else None,
        spatial=fields.spatial,
        listed_in=_listed_in(record, found, namer),
        forms=tuple(_forms(resource, outcome.uri, namer)) if resource else (),
        properties=_properties(record, namer),
        links=tuple(
            namer.link(relation, link) for relation, links in (fields.links or {}).items() for link in links
        ),
        services=tuple(namer.link("service", service) for service in services),
        documentation=tuple(namer.link("help", document) for document in fields.documentation or ()),
        stands_for=tuple(map(namer.refer, fields.stands_for or ())),
        featured=tuple(map(namer.refer, fields.featured or ())),
        specification=namer.refer(fields.specification) if fields.specification else None,
        handed_to=tuple(_handed_to(record, namer)),
        schemes=tuple(_schemes(outcome, namer)),
        hosts=tuple(_hosts(outcome, namer)),
        above=outcome.above,
        register=compose_register(outcome, title) if is_listed else None,
        narrower=tuple(map(namer.refer, _narrower(resource, outcome))),
        broader=tuple(map(namer.refer, _related(resource, BROADER))),
        more_narrower=outcome.listing.more_narrower,
        registers=name_registers(outcome, namer),
        opens=authority_of_unregistered(outcome, namer),
        next_rules=outcome.next_rules and _next_rules(outcome),
        uploads=tuple(outcome.uploads),
        distrusted=distrusted_host(outcome),
        missing=tuple(find_missing(record, defaults)),
        language=page_language(outcome.languages),
    )


def _related(concept: Resource | None, relation: str) -> tuple[str, ...]:
    return related_texts(relation, concept.links, concept.properties) if concept else ()


def _narrower(concept: Resource | None, outcome: Describe) -> tuple[str, ...]:
    listed = outcome.listing.narrower
    return (*listed, *(text for text in _related(concept, NARROWER) if text not in listed))


def _next_rules(outcome: Describe) -> str:
    extension = "" if outcome.negotiated else outcome.extension
    return description_path(
        outcome.identifier.normal_form, extension=extension, after=outcome.next_rules or ""
    )


def title_of(outcome: Describe) -> Text:
    """Return the title of the described record, or its identifier if it has none."""
    identifier = outcome.identifier
    untitled = (
        printable_name(identifier.normal_form) if identifier.scheme else identifier.normal_form.strip("/")
    )
    return choose_label(outcome.record.titles, outcome.languages) or Text(untitled)


def _schemes(outcome: Describe, namer: Labeller) -> Iterator[Reference]:
    if not isinstance(outcome.record, Host):
        return
    known = {*outcome.listing.roots, *(root for root in KNOWN_ROOTS if root in outcome.found.records)}
    yield from (namer.refer(root) for root in sorted({_GIN, *known}) if not root.startswith("//"))


def _hosts(outcome: Describe, namer: Labeller) -> Iterator[Reference]:
    own = outcome.identifier.normal_form
    return (namer.refer(root) for root in outcome.listing.roots if root.startswith("//") and root != own)


def _steward(record: Registered, found: Found) -> Steward | None:
    if isinstance(record, Scheme | Namespace):
        authority = found.records.get(record.authority or "")
        return authority if isinstance(authority, NameAuthority) else None
    return None if isinstance(record, Steward) else found.authority


def _listed_in(record: Registered, found: Found, namer: Labeller) -> Reference | None:
    # Source, "URI syntax": types are listed by their authority, authorities and schemes by the scheme's.
    if isinstance(record, ResourceType) and found.authority is not None:
        return namer.refer(types_register(steward_of(record.identifier)))
    scheme = found.records.get(found.identifier.root)
    if isinstance(record, Namespace):
        return _register_of_namespaces(scheme, namer) if scheme is not None else None
    if not isinstance(scheme, Scheme) or not scheme.authority:
        return None
    match record:
        case NameAuthority():
            return namer.refer(register_path(scheme.authority, "nameAuthority"))
        case Scheme():
            return namer.refer(register_path(scheme.authority, "uriScheme"))
        case _:
            return None


def _register_of_namespaces(scheme: Registered, namer: Labeller) -> Reference:
    where = members_path(scheme.identifier)
    return Reference(namer.refer(scheme.identifier).title, namer.here + where, where)


def _types(record: Registered, found: Found) -> tuple[ResourceType, ...]:
    if not isinstance(record, ResourceType):
        return found.resource_types
    # A type inherits the same fields as a member of it.
    return Found(parse(f"{record.identifier}x"), found.records).resource_types


def _defaults(record: Registered, types: Sequence[ResourceType], namer: Labeller) -> Mapping[str, Inherited]:
    defaults: dict[str, Inherited] = {}
    for type_ in types if isinstance(record, ResourceType) else ():
        source = None if type_ == record else namer.refer(type_.identifier)
        for name in _INHERITED:
            value = getattr(type_, name)
            if value:
                values = (str(value),) if isinstance(value, str) else tuple(value)
                defaults.setdefault(name, Inherited(values, source))
    return defaults


def _forms(resource: Resource, uri: str, namer: Labeller) -> Iterator[FormatDescription]:
    for form in resource.representations:
        if form.part:
            name = uri + form.part
            yield FormatDescription(
                form, name, _leads_to(form, namer) or name, path_of(f"{resource.identifier}{form.part}")
            )
        elif form.location and is_location(form.location):
            yield FormatDescription(form, None, form.location, form.location)
        elif form.identifier:
            name = namer.refer(form.identifier).uri or uri
            yield FormatDescription(form, name, name, path_of(form.identifier))
        elif form.valid_from:
            name = version_path(uri, form.valid_from)
            yield FormatDescription(form, name, name, form_address(resource, form))
        else:
            yield FormatDescription(form, None, uri, path_of(resource.identifier))


def _leads_to(form: Representation, namer: Labeller) -> str | None:
    if form.location and is_location(form.location):
        return form.location
    return namer.refer(form.identifier).uri if form.identifier else None


def _properties(record: Registered, namer: Labeller) -> Mapping[str, tuple[Reference, ...]]:
    return {
        name: tuple(_value(name, text, namer) for text in dict.fromkeys(values_of(value)))
        for name, value in record.properties.items()
    }


def _value(name: str, text: str, namer: Labeller) -> Reference:
    named = namer.refer(text)
    # Another name has its own registered title, not that of its target.
    if name != "identifier":
        return named
    return replace(named, title=Text(text), uri=named.uri and text, is_shortened=False)


def _handed_to(record: Registered, namer: Labeller) -> Iterator[tuple[str, Reference]]:
    days = record.delegation.to if record.delegation is not None else {}
    return ((day, namer.refer(to)) for day, to in sorted(days.items()) if to)
