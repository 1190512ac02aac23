"""The RDF of special record types: hosts, schemes, authorities, resource types and aliases."""

from __future__ import annotations

from http import HTTPStatus

from ginuri.descriptions.description import Description, Link, Reference, Text
from ginuri.descriptions.labels import refer_elsewhere, refer_to_contact
from ginuri.descriptions.rdf.nodes import (
    Node,
    Statements,
    Value,
    literal,
    media_type,
    node,
    reference,
    term,
    text_value,
    texts,
)
from ginuri.identifiers.stewards import steward
from ginuri.registry.model import (
    Alias,
    Host,
    NameAuthority,
    Namespace,
    Resource,
    ResourceType,
    Scheme,
    Stewarded,
)


def describe_record(description: Description) -> Statements:
    """Yield the statements that only this record type has, and the contact."""
    own = description.record.contact
    if own and not isinstance(description.record, Stewarded) and (address := refer_to_contact(own)).uri:
        yield "dcat:contactPoint", _card(address)
    match description.record:
        case Namespace() as record:
            yield from _stewarded(description, record)
            yield from _namespace(description, record)
        case Stewarded() as record:
            yield from _stewarded(description, record)
        case ResourceType() as record:
            yield from _resource_type(description, record)
        case Alias(status_code=status_code):
            # An alias that may move, or has several targets, is not the same as its target today.
            is_same = status_code == HTTPStatus.MOVED_PERMANENTLY and len(description.stands_for) == 1
            relation = "owl:sameAs" if is_same else "rdfs:seeAlso"
            yield from ((relation, reference(target)) for target in description.stands_for)
        case Resource():
            yield from (("iana:service", _disclosed_service(service)) for service in description.services)
        case _:
            return


def additional(name: str, value: str) -> Node:
    """Write a field that no vocabulary has a term for, under its registered name."""
    return node(
        None,
        (
            ("rdf:type", term("schema:PropertyValue")),
            ("schema:name", literal(name)),
            ("schema:value", literal(value)),
        ),
    )


def _stewarded(description: Description, record: Stewarded) -> Statements:
    for host in record.trusted_hosts:
        yield "rdfs:seeAlso", node(f"http://{host}/", _trusted(description, record))
    if record.homepage:
        yield "foaf:homepage", reference(refer_elsewhere(record.homepage))
    if record.contact and (address := refer_to_contact(record.contact)).uri:
        is_agent = isinstance(record, NameAuthority) and not isinstance(record, Namespace)
        yield ("foaf:mbox", reference(address)) if is_agent else ("dcat:contactPoint", _card(address))
    if description.specification is not None:
        yield "rdfs:isDefinedBy", reference(description.specification)
    if isinstance(record, Scheme | Namespace):
        yield from _syntax(record)
    if isinstance(record, Scheme):
        yield from name_host(record)
    yield from (("dcterms:conformsTo", reference(scheme)) for scheme in description.schemes)
    yield from (("iana:service", describe_service(service)) for service in description.services)
    if record.answered_by:
        yield "schema:additionalProperty", additional("answered_by", record.answered_by)
    yield from (("skos:example", reference(example)) for example in description.featured)
    if isinstance(record, Host) and record.theme_color:
        yield "schema:additionalProperty", additional("theme_color", record.theme_color)
    if isinstance(record, Scheme | Host | Namespace) and record.fallback:
        yield "schema:additionalProperty", additional("fallback", record.fallback)


def name_host(record: Scheme) -> Statements:
    """Yield the authoritative host of a scheme, if it has one."""
    if record.authoritative_host:
        yield "schema:additionalProperty", additional("authoritative_host", record.authoritative_host)


def _card(address: Reference) -> Node:
    return node(None, (("rdf:type", term("vcard:Kind")), ("vcard:hasEmail", reference(address))))


def _trusted(description: Description, record: Stewarded) -> Statements:
    yield "rdf:type", term("dcat:DataService")
    if isinstance(record, Scheme):
        yield "dcterms:conformsTo", node(description.uri)


def _syntax(record: Scheme | Namespace) -> Statements:
    for name in ("grammar", "normalization", "case"):
        if value := getattr(record, name):
            yield "schema:additionalProperty", additional(name, str(value))


def _namespace(description: Description, record: Namespace) -> Statements:
    yield from texts("skos:prefLabel", record.titles)
    yield "skos:notation", literal(description.identifier.segments[0])
    if description.listed_in is not None:
        yield "skos:topConceptOf", reference(description.listed_in)
    if record.registrant and description.authority is None:
        named = (("rdf:type", term("foaf:Organization")), ("foaf:name", literal(record.registrant)))
        yield "dcterms:publisher", node(None, named)
    yield from (
        ("foaf:page", node(document.target.uri, _titled(document))) for document in description.documentation
    )


def _resource_type(description: Description, record: ResourceType) -> Statements:
    yield from texts("skos:prefLabel", record.titles)
    if record.definition:
        yield "skos:definition", literal(record.definition)
    if description.types:
        yield "skos:broader", reference(description.types[0])
    if description.listed_in is not None and _is_top(description, record):
        yield "skos:topConceptOf", reference(description.listed_in)
    for name, inherited in description.defaults.items():
        yield from (("schema:additionalProperty", additional(name, value)) for value in inherited.values)
    yield from (("iana:service", describe_service(service)) for service in description.services)


def _is_top(description: Description, record: ResourceType) -> bool:
    # A broader type of another authority is in another register.
    broader = description.types[0].identifier if description.types else None
    return broader is None or steward(broader) != steward(record.identifier)


def describe_service(service: Link) -> Value:
    """Write a service with its title and its media type; a template as a template."""
    statements = ("rdf:type", term("dcat:DataService")), *_titled(service)
    if service.target.uri is not None:
        return node(service.target.uri, statements)
    template = ("hydra:template", literal(service.target.title.text))
    return node(None, (("rdf:type", term("hydra:IriTemplate")), template, *statements))


def _disclosed_service(service: Link) -> Value:
    # RFC 4452 §1: "these services SHALL NOT be regarded as authoritative"
    note = text_value(Text("Disclosed by the namespace; not authoritative.", "en"))
    return node(
        service.target.uri, (("rdf:type", term("dcat:DataService")), *_titled(service), ("skos:note", note))
    )


def _titled(link: Link) -> Statements:
    if link.title is not None:
        yield "dcterms:title", text_value(link.title)
    if link.media_type:
        yield media_type(link.media_type)
