"""A description in RDF: the described thing, and the description as a separate resource.

docs/reference/rdf.md maps the fields of a registration to properties.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ginuri.descriptions.description import MOST_UPLOADS, Description, Link, Reference, Text
from ginuri.descriptions.rdf.nodes import (
    Graph,
    Statements,
    Value,
    literal,
    media_type,
    node,
    reference,
    term,
    text_value,
    texts,
    typed,
)
from ginuri.descriptions.rdf.records import additional, describe_record
from ginuri.descriptions.rdf.register import describe_members, member_nodes
from ginuri.descriptions.rdf.representations import describe_representations
from ginuri.descriptions.rdf.stated_triples import stated_nodes, subject_of
from ginuri.descriptions.rdf.vocabulary import (
    AGENTS,
    CLASSES,
    DCMI_TERMS,
    LITERAL_TERMS,
    NATURES,
    PREFIXES,
)
from ginuri.identifiers import Kind
from ginuri.registry.metadata.geometry import Geometry, is_point, write_box_wkt, write_wkt
from ginuri.registry.model import Namespace
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.descriptions.formats import COMMON_FORMATS
from ginuri.resolution.descriptions.paths import address

_TERMS = {"license": "dcterms:license", "describedby": "foaf:page", "describes": "foaf:primaryTopic"}
_REVISED = {"predecessor-version", "replaces"}
_RELATION = re.compile(r"[a-z][a-z0-9.\-]*")


def describe_in_rdf(description: Description) -> Graph:
    """Write a description as a graph; triples that were uploaded as RDF follow it unchanged."""
    members = member_nodes(description.register) if description.register is not None else ()
    return node(description.uri, _thing(description)), *stated_nodes(description.record), *members


def _thing(description: Description) -> Statements:
    record = description.record
    classes = _classes(description)
    yield from (("rdf:type", term(name)) for name in classes)
    yield from _lifecycle(description)
    yield "foaf:isPrimaryTopicOf", node(description.address, _document(description))
    yield from texts("dcterms:title", record.titles)
    yield from texts("dcterms:description", record.descriptions)
    yield "dcterms:identifier", literal(description.uri)
    yield from (("dcterms:type", reference(type_)) for type_ in description.types[:1] if description.kind)
    if description.part_of is not None:
        yield "dcterms:isPartOf", reference(description.part_of)
    if description.listed_in is not None:
        yield "skos:inScheme", reference(description.listed_in)
    is_agent = not AGENTS.isdisjoint(classes)
    if description.authority is not None and isinstance(description.steward, Namespace):
        yield "rdfs:isDefinedBy", reference(description.authority)
    elif description.authority is not None and not is_agent and "publisher" not in record.properties:
        yield "dcterms:publisher", reference(description.authority)
    if description.identifier.is_namespaced:
        yield "owl:sameAs", node(description.identifier.normal_form)
    yield from describe_record(description)
    yield from describe_representations(description, is_dataset="dcat:Dataset" in classes)
    for name, values in description.properties.items():
        yield from (statement for value in values for statement in _property(name, value))
    yield from (statement for link in description.links for statement in _link(link))
    yield from _neighbours(description)
    if description.spatial is not None:
        yield "dcterms:spatial", node(None, _location(description.spatial))
    subject = subject_of(record)
    if subject and subject != description.uri:
        yield "owl:sameAs", node(subject)


def _location(geometry: Geometry) -> Statements:
    # DCAT 3 §6.10, and GeoSPARQL 1.1 for geographic queries
    wkt = _wkt(write_wkt(geometry))
    yield "rdf:type", term("dcterms:Location")
    yield "locn:geometry", wkt
    yield ("dcat:centroid", wkt) if is_point(geometry) else ("dcat:bbox", _wkt(write_box_wkt(geometry)))
    yield "geo:hasGeometry", node(None, [("rdf:type", term("geo:Geometry")), ("geo:asWKT", wkt)])


def _wkt(text: str) -> Value:
    return literal(text, datatype=f"{PREFIXES['geo']}wktLiteral")


def _neighbours(description: Description) -> Statements:
    yield from (("skos:narrower", reference(type_)) for type_ in description.narrower)
    beside = (
        *description.registers,
        *description.hosts,
        *((description.opens,) if description.opens else ()),
    )
    yield from (("rdfs:seeAlso", reference(related)) for related in beside)
    if description.register is not None:
        yield from describe_members(description.register)


def _classes(description: Description) -> list[str]:
    stated = [value.title.text for value in description.properties.get("type", ())]
    known = [NATURES[name] for name in stated if name in NATURES]
    own = CLASSES.get(type(description.record))
    document = "foaf:Document" if description.kind in {Kind.DOCUMENT, Kind.REPRESENTATION} else None
    return [*known, *filter(None, (own, document))]


def _lifecycle(description: Description) -> Statements:
    record = description.record
    yield "adms:status", term(STATUSES[record.status].term)
    if record.until:
        yield "dcterms:available", typed(record.until, "date")
    if STATUSES[record.status].is_deprecated:
        yield "owl:deprecated", typed("true", "boolean")
    if description.successor is not None:
        yield "dcterms:isReplacedBy", reference(description.successor)


def _document(description: Description) -> Statements:
    record = description.record
    authority = None if isinstance(description.steward, Namespace) else description.authority
    yield "rdf:type", term("dcat:CatalogRecord")
    yield "rdf:type", term("foaf:Document")
    yield "reg:status", term(STATUSES[record.status].term)
    if record.reason:
        yield "skos:changeNote", literal(record.reason)
    if description.requested_by is not None:
        who = description.requested_by
        yield "schema:additionalProperty", additional("requested_by", who.uri or who.title.text)
    yield "foaf:primaryTopic", node(description.uri)
    if description.identifier.scheme or description.above != "/":
        yield "iana:up", node(f"{description.host}{description.above}")
    if description.is_registered:
        yield "dcterms:modified", typed(record.modified, "dateTime")
        yield "prov:generatedAtTime", typed(record.modified, "dateTime")
        yield "prov:wasGeneratedBy", node(None, _activity(record.modified, description.uploads))
    if description.uploads:
        yield "dcterms:issued", typed(description.uploads[0].put, "dateTime")
    before = [stamp for stamp in description.uploads if stamp.put != record.modified]
    for stamp in (*before[:1], *before[1:][-MOST_UPLOADS:]):
        yield "prov:wasInfluencedBy", node(None, _activity(stamp.put, (stamp,)))
    if authority is not None and authority.uri is not None:
        yield "dcterms:publisher", reference(authority)
        yield "prov:wasAttributedTo", node(authority.uri)
    for extension, form in COMMON_FORMATS.items():
        if not form.is_linkset:
            uri = f"{description.host}{address(description.identifier, extension)}"
            yield "dcterms:hasFormat", node(uri, [media_type(form.media_type)])


def _activity(put: str, uploads: Sequence[Stamp]) -> Statements:
    # Only the operator knows who uploaded a file: for a delegated prefix it may be another authority.
    yield "rdf:type", term("prov:Activity")
    yield "prov:endedAtTime", typed(put, "dateTime")
    yield from (("rdfs:label", literal(stamp.upload)) for stamp in uploads if stamp.put == put)


def _property(name: str, value: Reference) -> Statements:
    stated, language = name.partition("@")[::2]
    if name not in DCMI_TERMS and not (language and stated in DCMI_TERMS):
        yield "schema:additionalProperty", additional(name, value.uri or value.title.text)
        return
    if language:  # `alternative@de`, as in the columns of a table
        yield f"dcterms:{stated}", text_value(Text(value.title.text, language))
    elif name in LITERAL_TERMS or value.uri is None:
        yield f"dcterms:{name}", literal(value.uri or value.title.text)
    else:
        yield f"dcterms:{name}", reference(value)
        if name in _REVISED:
            yield "prov:wasRevisionOf", node(value.uri)


def _link(link: Link) -> Statements:
    # RFC 8288 §2.1: a registered relation is a token, any other a URI.
    if _RELATION.fullmatch(link.relation):
        yield _TERMS.get(link.relation, f"iana:{link.relation}"), reference(link.target)
    else:
        known = re.match("https?://", link.relation)
        yield link.relation if known else "rdfs:seeAlso", reference(link.target)
    if link.relation in _REVISED and link.target.uri is not None:
        yield "prov:wasRevisionOf", node(link.target.uri)
