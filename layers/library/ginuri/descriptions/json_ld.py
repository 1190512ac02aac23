"""A description as JSON-LD 1.1, its context within: about the thing, and linked to it as another resource."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http import HTTPStatus
from urllib.parse import urljoin

from ginuri.core.description_paths import FORMATS
from ginuri.core.identifiers import Kind
from ginuri.core.model import Alias, NameAuthority, Resource, ResourceType, Stewarded
from ginuri.core.version_names import is_day
from ginuri.descriptions.description import Description, Form, Link, Named, Text
from ginuri.descriptions.naming import refer_elsewhere, refer_to_contact
from ginuri.descriptions.nodes import Statement, media_type, node, reference, text_value, texts, typed
from ginuri.descriptions.own_triples import included_nodes, subject_of
from ginuri.descriptions.register_json_ld import member_nodes, register_statements
from ginuri.descriptions.vocabulary import (
    AGENTS,
    CLASSES,
    DCMI_TERMS,
    DEPRECATED,
    LITERAL_TERMS,
    NATURES,
    PREFIXES,
    STATUSES,
)

_TERMS = {"license": "dcterms:license"}
_RELATION = re.compile(r"[a-z][a-z0-9.\-]*")


def write_json_ld(description: Description) -> bytes:
    """Write a description as JSON-LD, in UTF-8."""
    document = {"@context": PREFIXES, **node(description.uri, _thing(description))}
    # What somebody uploaded as RDF stands beside what is registered, word for word.
    included = list(included_nodes(description.record))
    if description.register is not None:
        included += member_nodes(description.register)
    if included:
        document["@included"] = included
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _thing(description: Description) -> Iterator[Statement]:
    record = description.record
    classes = _classes(description)
    yield from (("@type", each) for each in classes)
    if record.status in DEPRECATED:
        yield "owl:deprecated", True
    if description.successor is not None:
        yield "dcterms:isReplacedBy", reference(description.successor)
    yield "foaf:isPrimaryTopicOf", node(description.address, _document(description))
    yield from texts("dcterms:title", record.titles)
    yield from texts("dcterms:description", record.descriptions)
    yield "dcterms:identifier", description.uri
    yield from (("dcterms:type", reference(each)) for each in description.types[:1] if description.kind)
    if description.part_of is not None:
        yield "dcterms:isPartOf", reference(description.part_of)
    if (
        description.authority is not None
        and AGENTS.isdisjoint(classes)
        and "publisher" not in record.properties
    ):
        yield "dcterms:publisher", reference(description.authority)
    yield from _particulars(description)
    holds = "dcat:distribution" if "dcat:Dataset" in classes else "dcterms:hasFormat"
    yield from ((holds, node(form.name, _form(form))) for form in description.forms)
    for name, values in description.properties.items():
        yield from (_property(name, value) for value in values)
    yield from (_link(link) for link in description.links)
    yield from _around(description)
    subject = subject_of(description.record)
    if subject and subject != description.uri:
        yield "owl:sameAs", {"@id": subject}


def _around(description: Description) -> Iterator[Statement]:
    yield from (("skos:narrower", reference(each)) for each in description.narrower)
    beside = (*description.registers, *((description.opens,) if description.opens else ()))
    yield from (("rdfs:seeAlso", reference(each)) for each in beside)
    if description.register is not None:
        yield from register_statements(description.register)


def _classes(description: Description) -> list[str]:
    stated = [value.title.text for value in description.properties.get("type", ())]
    known = [NATURES[each] for each in stated if each in NATURES]
    if type(description.record) in CLASSES:
        known.append(CLASSES[type(description.record)])
    if description.kind in {Kind.DOCUMENT, Kind.REPRESENTATION}:
        known.append("foaf:Document")
    return known


def _document(description: Description) -> Iterator[Statement]:
    yield "@type", "dcat:CatalogRecord"
    yield "@type", "foaf:Document"
    yield "reg:status", {"@id": STATUSES[description.record.status]}
    if description.record.reason:
        yield "skos:changeNote", description.record.reason
    yield "foaf:primaryTopic", {"@id": description.uri}
    if description.identifier.scheme:
        yield "iana:up", {"@id": urljoin(description.address, description.above)}
    if description.is_registered:
        yield "dcterms:modified", typed(description.record.modified, "dateTime")
    if description.authority is not None:
        yield "dcterms:publisher", reference(description.authority)
        yield "prov:wasAttributedTo", {"@id": description.authority.uri}
    for extension, uri in description.formats.items():
        yield (
            "dcterms:hasFormat",
            {"@id": uri, "dcat:mediaType": media_type(FORMATS[extension].media_type or "")},
        )


def _particulars(description: Description) -> Iterator[Statement]:
    record = description.record
    match record:
        case Stewarded(trusted_hosts=hosts, homepage=homepage, contact=contact):
            yield from (("rdfs:seeAlso", {"@id": f"http://{host}/"}) for host in hosts)
            if homepage:
                yield "foaf:homepage", reference(refer_elsewhere(homepage))
            if contact and (address := refer_to_contact(contact)).uri:
                is_agent = isinstance(record, NameAuthority)
                card = {"@type": "vcard:Kind", "vcard:hasEmail": reference(address)}
                yield ("foaf:mbox", reference(address)) if is_agent else ("dcat:contactPoint", card)
            if description.specification is not None:
                yield "rdfs:isDefinedBy", reference(description.specification)
            yield from (("dcterms:conformsTo", reference(each)) for each in description.schemes)
        case ResourceType():
            yield from texts("skos:prefLabel", record.titles)
            if record.definition:
                yield "skos:definition", record.definition
            yield from (("skos:broader", reference(each)) for each in description.types[:1])
            yield from (("rdfs:seeAlso", reference(each.target)) for each in description.services)
        case Alias(status_code=status_code):
            # One that moves, or stands for several, is not the same as what it leads to today.
            is_same = status_code == HTTPStatus.MOVED_PERMANENTLY and len(description.stands_for) == 1
            relation = "owl:sameAs" if is_same else "rdfs:seeAlso"
            yield from ((relation, reference(each)) for each in description.stands_for)
        case Resource() | _:
            return


def _form(form: Form) -> Iterator[Statement]:
    representation, file = form.representation, form.representation.file
    yield "@type", "dcat:Distribution"
    yield from texts("dcterms:title", representation.titles)
    if representation.media_type:
        yield "dcat:mediaType", media_type(representation.media_type)
    if representation.language:
        yield "dcterms:language", representation.language
    if representation.profile:
        yield "dcterms:conformsTo", reference(refer_elsewhere(representation.profile))
    if representation.valid_from and is_day(representation.valid_from):
        yield "dcterms:valid", typed(representation.valid_from, "date")
    if representation.location:
        yield "dcat:accessURL", {"@id": form.leads_to}
    if file is not None:
        yield "dcat:downloadURL", {"@id": form.leads_to}
        yield "dcat:byteSize", typed(str(file.length), "nonNegativeInteger")
        yield (
            "spdx:checksum",
            {
                "@type": "spdx:Checksum",
                "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha256"},
                "spdx:checksumValue": typed(file.sha256, "hexBinary"),
            },
        )


def _property(name: str, value: Named) -> Statement:
    term, _, language = name.partition("@")
    if language and term in DCMI_TERMS:  # `alternative@de`, as in the columns of a table
        return f"dcterms:{term}", text_value(Text(value.title.text, language))
    if name not in DCMI_TERMS:
        stated = value.uri or value.title.text
        return "schema:additionalProperty", {
            "@type": "schema:PropertyValue",
            "schema:name": name,
            "schema:value": stated,
        }
    literal = name in LITERAL_TERMS or value.uri is None
    return f"dcterms:{name}", (value.uri or value.title.text) if literal else reference(value)


def _link(link: Link) -> Statement:
    # RFC 8288 §2.1: a registered relation is a token, any other a URI.
    if _RELATION.fullmatch(link.relation):
        return _TERMS.get(link.relation, f"iana:{link.relation}"), reference(link.target)
    known = re.match("https?://", link.relation)
    return (link.relation if known else "rdfs:seeAlso"), reference(link.target)
