"""A page of a list in RDF: a register as SKOS, and every list as a Hydra collection, with its pages.

https://www.w3.org/TR/skos-reference/ and https://www.hydra-cg.com/spec/latest/core/
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from urllib.parse import urljoin

from ginuri.descriptions.description import CANONICAL_FORM, Member, Register
from ginuri.descriptions.rdf.nodes import (
    Graph,
    Node,
    Statements,
    literal,
    node,
    reference,
    term,
    text_value,
    texts,
    typed,
)
from ginuri.descriptions.rdf.records import additional, describe_service, name_host
from ginuri.registry.model import Namespace, Resource, ResourceType, Scheme
from ginuri.registry.statuses import STATUSES

MOST_LANGUAGES = 200
"""The languages of a title in a list; the description has all of them."""


def describe_register_in_rdf(register: Register) -> Graph:
    """Write a page of a list as a graph."""
    title = ("dcterms:title", text_value(register.title))
    return node(register.uri, (title, *describe_members(register))), *member_nodes(register)


def describe_members(register: Register) -> Statements:
    """Yield the statements about the members of a list, and the addresses of its other pages."""
    if register.concept_scheme == register.uri:
        yield from _concept_scheme(register)
    yield from (
        ("dcterms:hasPart", node(member.named.uri))
        for member in register.members
        if isinstance(member.record, Resource) and member.record.part_of == register.identifier
    )
    yield "rdfs:seeAlso", node(register.address, _list(register))


def _concept_scheme(register: Register) -> Statements:
    if register.name is not None:
        yield "rdf:type", term("skos:ConceptScheme")
        tops = (member for member in register.members if member.is_top)
        yield from (("skos:hasTopConcept", node(member.named.uri)) for member in tops)


def member_nodes(register: Register) -> Iterator[Node]:
    """Return a node for each member, so that clients need not fetch them one by one."""
    return (node(member.named.uri, _member(member, register)) for member in register.members)


def _list(register: Register) -> Statements:
    if register.concept_scheme == register.address:
        yield from _concept_scheme(register)
        yield "dcterms:title", text_value(register.title)
    yield "rdf:type", term("hydra:Collection")
    if register.canonical_media_type:
        yield "schema:additionalProperty", additional(CANONICAL_FORM, register.canonical_media_type)
    yield from (("hydra:member", node(member.named.uri)) for member in register.members)
    if not register.is_first or register.next is not None:
        yield "hydra:view", node(register.page, _view(register))


def _view(register: Register) -> Statements:
    yield "rdf:type", term("hydra:PartialCollectionView")
    yield "hydra:first", node(urljoin(register.address, register.first))
    if register.next is not None:
        yield "hydra:next", node(urljoin(register.address, register.next))


def _member(member: Member, register: Register) -> Statements:
    record = member.record
    titles = dict(islice(record.titles.items(), MOST_LANGUAGES))
    if register.name is not None:
        yield "rdf:type", term("skos:Concept")
        yield "skos:inScheme", node(register.concept_scheme)
        if member.is_top:
            yield "skos:topConceptOf", node(register.concept_scheme)
        yield from texts("skos:prefLabel", titles or {"": record.identifier})
        if member.broader is not None:
            yield "skos:broader", reference(member.broader)
        yield from (("iana:service", describe_service(service)) for service in member.services)
        if isinstance(record, Scheme):
            yield from name_host(record)
        if isinstance(record, Namespace):
            yield "skos:notation", literal(record.identifier.split(":")[1].rstrip("/"))
            yield from texts("skos:definition", record.descriptions)
        if isinstance(record, ResourceType) and record.definition:
            yield "skos:definition", literal(record.definition)
    yield from texts("dcterms:title", titles)
    if STATUSES[record.status].is_deprecated:
        yield "owl:deprecated", typed("true", "boolean")
    yield "foaf:isPrimaryTopicOf", node(member.about, [("reg:status", term(STATUSES[record.status].term))])
