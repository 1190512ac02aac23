"""A page of a list in JSON-LD: the register as SKOS, and every list as a collection of Hydra, with its pages.

https://www.w3.org/TR/skos-reference/ and https://www.hydra-cg.com/spec/latest/core/
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from ginuri.core.model import Resource, ResourceType
from ginuri.descriptions.description import Member, Register
from ginuri.descriptions.nodes import Node, Statement, node, reference, text_value, texts
from ginuri.descriptions.vocabulary import DEPRECATED, PREFIXES, STATUSES


def write_register_json_ld(register: Register) -> bytes:
    """Write a page of a list as JSON-LD, in UTF-8."""
    title: tuple[Statement, ...] = (("dcterms:title", text_value(register.title)),)
    document: dict[str, Any] = {
        "@context": PREFIXES,
        **node(register.uri, (*title, *register_statements(register))),
        "@included": member_nodes(register),
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def register_statements(register: Register) -> Iterator[Statement]:
    """Say of what has members which they are, and where the rest of them is."""
    if register.name is not None:
        yield "@type", "skos:ConceptScheme"
        tops = (each for each in register.members if each.is_top)
        yield from (("skos:hasTopConcept", {"@id": each.named.uri}) for each in tops)
    parts = (each for each in register.members if _is_part(each, register))
    yield from (("dcterms:hasPart", {"@id": each.named.uri}) for each in parts)
    yield "rdfs:seeAlso", node(register.address, _list(register))


def member_nodes(register: Register) -> list[Node]:
    """Say of each member what it is, so that nobody need fetch all of them."""
    return [node(each.named.uri, _member(each, register)) for each in register.members]


def _is_part(member: Member, register: Register) -> bool:
    return isinstance(member.record, Resource) and member.record.part_of == register.identifier


def _list(register: Register) -> Iterator[Statement]:
    yield "@type", "hydra:Collection"
    yield from (("hydra:member", {"@id": each.named.uri}) for each in register.members)
    if not register.is_first or register.next is not None:
        yield "hydra:view", node(register.page, _view(register))


def _view(register: Register) -> Iterator[Statement]:
    yield "@type", "hydra:PartialCollectionView"
    yield "hydra:first", {"@id": urljoin(register.address, register.first)}
    if register.next is not None:
        yield "hydra:next", {"@id": urljoin(register.address, register.next)}


def _member(member: Member, register: Register) -> Iterator[Statement]:
    record = member.record
    if register.name is not None:
        yield "@type", "skos:Concept"
        yield "skos:inScheme", {"@id": register.uri}
        if member.is_top:
            yield "skos:topConceptOf", {"@id": register.uri}
        yield from texts("skos:prefLabel", record.titles or {"": record.identifier})
        if member.broader is not None:
            yield "skos:broader", reference(member.broader)
        if isinstance(record, ResourceType) and record.definition:
            yield "skos:definition", record.definition
    yield from texts("dcterms:title", record.titles)
    if record.status in DEPRECATED:
        yield "owl:deprecated", True
    about = {"@id": member.about, "reg:status": {"@id": STATUSES[record.status]}}
    yield "foaf:isPrimaryTopicOf", about
