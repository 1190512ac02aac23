"""The table of fields: the fields of a registration, their records, and the formats that write them.

Code that reads, checks, lists and writes fields uses this table; their values are checked where files are
read (`ginuri.files.schema.fields`). A new field is a row here, its type there, and its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from ginuri.frozen import Frozen
from ginuri.registry.model import RecordType


class Shape(StrEnum):
    """The appearance of a field in a table: one cell, a cell for each language, or a cell of JSON."""

    CELL = "cell"
    TEXTS = "texts"
    JSON = "json"


class Field(Frozen):
    """A field of registrations."""

    on: frozenset[RecordType]
    """The records that have it."""
    read_on: frozenset[RecordType] = frozenset()
    """The records whose registrations may state it as a short form of other fields."""
    shape: Shape = Shape.CELL
    property: str = ""
    """The RDF property, as a prefixed name; empty for none, or for several."""
    formats: frozenset[str] = frozenset()
    """The formats that write it, by the names of their writers; `schema.org` is a part of pages."""
    source: str = ""
    """The specification it comes from; empty for our own fields."""
    is_metadata: bool = True
    """Whether it describes the identified thing; otherwise it configures the registry's treatment of it.

    A hidden record shows none of the former, unless its status says so (`StatusMeaning.shown`).
    """


_SCHEME, _HOST = frozenset({RecordType.SCHEME}), frozenset({RecordType.HOST})
_AUTHORITY, _NAMESPACE = frozenset({RecordType.AUTHORITY}), frozenset({RecordType.NAMESPACE})
_TYPE, _RESOURCE = frozenset({RecordType.RESOURCE_TYPE}), frozenset({RecordType.RESOURCE})
_ALIAS, _RULE = frozenset({RecordType.ALIAS}), frozenset({RecordType.RULE})
_DELEGATION, _GRANT = frozenset({RecordType.DELEGATION}), frozenset({RecordType.GRANT})
_EVERY = frozenset(RecordType) - _GRANT
_OWN = _EVERY - _DELEGATION
_STEWARDED = _SCHEME | _HOST | _AUTHORITY | _NAMESPACE
_NONE = frozenset[RecordType]()

_PAGE, _RDF, _JSON = frozenset({"page"}), frozenset({"rdf"}), frozenset({"json"})
_SCHEMA_ORG, _LIST, _GEOJSON = frozenset({"schema.org"}), frozenset({"csv"}), frozenset({"geojson"})
_DESCRIBED = _PAGE | _RDF | _JSON
_DUBLIN_CORE = "DCMI Metadata Terms"
_DCAT = "DCAT 3"
_GIN = "The USGIN URI scheme 1.1"
_INFO = "RFC 4452 §3.2"
_CONNEGP = "Content Negotiation by Profile"

FIELDS: Mapping[str, Field] = {
    "record": Field(_EVERY | _GRANT, formats=_JSON | _LIST | _GEOJSON, is_metadata=False),
    "identifier": Field(
        _NONE,
        _EVERY | _GRANT,
        property="dcterms:identifier",
        formats=_DESCRIBED | _LIST | _GEOJSON,
        is_metadata=False,
    ),
    "title": Field(
        _EVERY,
        shape=Shape.TEXTS,
        property="dcterms:title",
        formats=_DESCRIBED | _SCHEMA_ORG | _LIST | _GEOJSON,
        source=_DUBLIN_CORE,
    ),
    "description": Field(
        _EVERY,
        shape=Shape.TEXTS,
        property="dcterms:description",
        formats=_DESCRIBED | _SCHEMA_ORG | _GEOJSON,
        source=_DUBLIN_CORE,
    ),
    "kind": Field(_RESOURCE | _RULE, formats=_JSON, source=_GIN),
    "status": Field(
        _OWN,
        property="adms:status",
        formats=_DESCRIBED | _LIST | _GEOJSON,
        source="ISO 19135",
        is_metadata=False,
    ),
    "successor": Field(
        _OWN,
        property="dcterms:isReplacedBy",
        formats=_DESCRIBED | _GEOJSON,
        source=_DUBLIN_CORE,
        is_metadata=False,
    ),
    "reason": Field(
        _OWN, property="skos:changeNote", formats=_DESCRIBED | _GEOJSON, source="SKOS", is_metadata=False
    ),
    "requested_by": Field(_OWN, formats=_DESCRIBED, source="RFC 7725", is_metadata=False),
    "until": Field(
        _OWN, property="dcterms:available", formats=_DESCRIBED, source=_DUBLIN_CORE, is_metadata=False
    ),
    "representations": Field(_RESOURCE | _RULE, shape=Shape.JSON, formats=_DESCRIBED, source=_GIN),
    "location": Field(_NONE, _RESOURCE | _RULE),
    "status_code": Field(_ALIAS | _RULE, _RESOURCE, formats=_JSON),
    "media_type": Field(_NONE, _RESOURCE | _RULE),
    "stands_for": Field(_ALIAS, formats=_DESCRIBED | _GEOJSON),
    "pattern": Field(_TYPE, _RULE, formats=_DESCRIBED, source=_GIN, is_metadata=False),
    "ignore_case": Field(_RULE),
    "captures": Field(_RULE),
    "pass_query": Field(_RULE),
    "document": Field(_RULE),
    "document_of": Field(_RULE),
    "dereference": Field(_TYPE | _RESOURCE, formats=_JSON, is_metadata=False),
    "canonical_media_type": Field(_TYPE, formats=_DESCRIBED, source=_GIN, is_metadata=False),
    "default_media_type": Field(_TYPE, formats=_DESCRIBED, source=_GIN, is_metadata=False),
    "valid_media_types": Field(_TYPE, formats=_DESCRIBED, source=_GIN, is_metadata=False),
    "broader": Field(
        _TYPE, property="skos:broader", formats=_DESCRIBED | _LIST, source="SKOS", is_metadata=False
    ),
    "definition": Field(_TYPE, property="skos:definition", formats=_DESCRIBED | _LIST, source="SKOS"),
    "services": Field(
        _AUTHORITY | _NAMESPACE | _TYPE,
        shape=Shape.JSON,
        property="iana:service",
        formats=_DESCRIBED | _GEOJSON,
    ),
    "part_of": Field(_RESOURCE, property="dcterms:isPartOf", formats=_DESCRIBED, source=_DUBLIN_CORE),
    "spatial": Field(
        _RESOURCE | _AUTHORITY,
        property="dcterms:spatial",
        formats=_DESCRIBED | _SCHEMA_ORG | _LIST | _GEOJSON,
        source=_DCAT,
    ),
    "trusted_hosts": Field(_STEWARDED, formats=_DESCRIBED, source=_GIN, is_metadata=False),
    "homepage": Field(_STEWARDED, property="foaf:homepage", formats=_DESCRIBED, source="FOAF"),
    "contact": Field(_OWN, formats=_DESCRIBED, source=_DCAT, is_metadata=False),
    "syntax": Field(_STEWARDED | _TYPE, formats=_JSON, is_metadata=False),
    "answered_by": Field(_STEWARDED | _DELEGATION, formats=_DESCRIBED, is_metadata=False),
    "fallback": Field(_SCHEME | _HOST | _NAMESPACE, formats=_DESCRIBED, is_metadata=False),
    "query_arguments": Field(
        _HOST, shape=Shape.JSON, formats=_PAGE | _JSON, source=_CONNEGP, is_metadata=False
    ),
    "pages": Field(_HOST, formats=_JSON, is_metadata=False),
    "featured": Field(
        _HOST | _AUTHORITY, property="skos:example", formats=_DESCRIBED, source="SKOS", is_metadata=False
    ),
    "theme_color": Field(_HOST, formats=_JSON | _RDF, source="Web Application Manifest", is_metadata=False),
    "to": Field(_DELEGATION | _GRANT, is_metadata=False),
    "valid_from": Field(_DELEGATION, is_metadata=False),
    "may": Field(_GRANT, is_metadata=False),
    "valid_until": Field(_GRANT, is_metadata=False),
    "specification": Field(
        _SCHEME | _NAMESPACE, property="rdfs:isDefinedBy", formats=_DESCRIBED, source=_GIN
    ),
    "authority": Field(_SCHEME | _NAMESPACE, formats=_DESCRIBED, source=_GIN, is_metadata=False),
    "registrant": Field(_NAMESPACE, formats=_DESCRIBED | _LIST, source=_INFO),
    "grammar": Field(_SCHEME | _NAMESPACE, formats=_DESCRIBED | _LIST, source=_INFO),
    "normalization": Field(_SCHEME | _NAMESPACE, formats=_DESCRIBED | _LIST, source=_INFO),
    "case": Field(_SCHEME | _NAMESPACE, formats=_DESCRIBED | _LIST, source=_INFO, is_metadata=False),
    "documentation": Field(
        _NAMESPACE, shape=Shape.JSON, property="foaf:page", formats=_DESCRIBED | _LIST, source=_INFO
    ),
    "links": Field(_RESOURCE, shape=Shape.JSON, formats=_DESCRIBED, source="RFC 8288"),
    "triples": Field(_RESOURCE, formats=_JSON),
    "properties": Field(_EVERY, shape=Shape.JSON, formats=_DESCRIBED, source=_DUBLIN_CORE),
    "tests": Field(_EVERY, shape=Shape.JSON),
}
PER_LANGUAGE = tuple(name for name, field in FIELDS.items() if field.shape is Shape.TEXTS)
"""The fields that are texts by language tag."""
AS_JSON = frozenset(name for name, field in FIELDS.items() if field.shape is Shape.JSON)
"""The fields with JSON in one cell of a table."""
FIELDS_OF: Mapping[RecordType, frozenset[str]] = {
    record_type: frozenset(name for name, field in FIELDS.items() if record_type in field.on)
    for record_type in RecordType
}
"""The fields that a record of a type has, in their stored form."""
