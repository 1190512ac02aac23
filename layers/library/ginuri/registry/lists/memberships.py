"""Further memberships of an identifier, derived from its own record, so that one write suffices.

docs/explanation/decisions/0017-slim-indexes-for-collections-and-types.md
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ginuri.frozen import NOTHING
from ginuri.identifiers import read_identifier
from ginuri.identifiers.stewards import steward
from ginuri.registry.model import RecordType, Resource

REGISTER = "register"
"""The segment of an authority's registers (source: "Meta-resource identifiers")."""
RESOURCE_TYPES = "resourceType"
SKOS = "http://www.w3.org/2004/02/skos/core#"
BROADER, NARROWER = "broader", "narrower"
"""The relations of concepts, in the namespace of SKOS (W3C, SKOS Reference, §8)."""
_CONCEPT, _CONCEPT_SCHEME = f"<{SKOS}Concept>", f"<{SKOS}ConceptScheme>"


def types_register(authority: str) -> str:
    """Return the register of an authority's resource types.

    >>> types_register("uri-gin/azgs/")
    'uri-gin/azgs/register/resourceType/'
    """
    return f"{authority}{REGISTER}/{RESOURCE_TYPES}/"


def collection_of(identifier: str, values: Mapping[str, Any]) -> str | None:
    """Return the collection of a record: the stated one, or the register of types for a type.

    `values` are the current values (`Record.values`).

    >>> collection_of("uri-gin/azgs/doc/", {"record": "resource-type"})
    'uri-gin/azgs/register/resourceType/'
    >>> collection_of("//id.example/def/school/", {"record": "resource-type"})
    '//id.example/register/resourceType/'
    """
    if values.get("record") == RecordType.RESOURCE_TYPE:
        return types_register(steward(identifier))
    part_of: str | None = values.get("part_of")
    return part_of


def broader_of(values: Mapping[str, Any]) -> str | None:
    """Return the broader type of a type, or the first broader concept of a concept; None without one."""
    broader: str | None = values.get("broader")
    if broader is None and ("links" in values or "properties" in values):
        concepts = related_concepts(BROADER, values.get("links", NOTHING), values.get("properties", NOTHING))
        return next(iter(concepts), None)
    return broader


def related_concepts(
    relation: str, links: Mapping[str, Sequence[Mapping[str, str]]], properties: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the normal forms of the identifiers that a concept states as related.

    >>> related_concepts(BROADER, {}, {"broader": "http://a.example/uri-gin/azgs/rock/"})
    ('uri-gin/azgs/rock/',)
    """
    texts = related_texts(relation, links, properties)
    read = (read_identifier(text) for text in texts if "/" in text)
    return tuple(dict.fromkeys(identifier.normal_form for identifier in read if identifier is not None))


def related_texts(
    relation: str, links: Mapping[str, Sequence[Mapping[str, str]]], properties: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the texts of a relation of SKOS, which is stated as links or as a property."""
    stated = properties.get(relation, ())
    linked = [link["href"] for link in links.get(f"{SKOS}{relation}", ())]
    return tuple(dict.fromkeys((*linked, *((stated,) if isinstance(stated, str) else stated))))


def may_have_narrower(record: Resource) -> bool:
    """Return whether a resource is a concept, or a member of a collection that may be one."""
    relations = {f"{SKOS}{BROADER}", f"{SKOS}{NARROWER}"}
    return (
        not relations.isdisjoint(record.links)
        or not {BROADER, NARROWER}.isdisjoint(record.properties)
        or (record.part_of is not None and not record.representations)
        or _CONCEPT in (record.triples or "")
    )


def is_concept_scheme(record: Resource) -> bool:
    """Return whether a resource is a concept scheme by its own statements."""
    return _CONCEPT_SCHEME in (record.triples or "")
