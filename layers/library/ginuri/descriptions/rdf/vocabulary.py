"""The vocabularies of descriptions in RDF, and the terms for record types and natures."""

from __future__ import annotations

from ginuri.registry.model import Host, NameAuthority, Namespace, Registered, ResourceType, Scheme

XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIXES = {
    "adms": "http://www.w3.org/ns/adms#",
    "admss": "http://purl.org/adms/status/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "geo": "http://www.opengis.net/ont/geosparql#",
    "hydra": "http://www.w3.org/ns/hydra/core#",
    "iana": "http://www.iana.org/assignments/relation/",
    "locn": "http://www.w3.org/ns/locn#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "reg": "http://purl.org/linked-data/registry#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "spdx": "http://spdx.org/rdf/terms#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "void": "http://rdfs.org/ns/void#",
    "xsd": XSD,
}
"""Every document declares them, so no remote context is needed to read it."""

CLASSES: dict[type[Registered], str] = {
    Host: "dcat:DataService",
    NameAuthority: "foaf:Agent",
    Namespace: "skos:Concept",
    ResourceType: "skos:Concept",
    Scheme: "dcterms:Standard",
}
NATURES = {
    "Collection": "dcat:Resource",
    "Dataset": "dcat:Dataset",
    "Organization": "foaf:Organization",
    "Person": "foaf:Person",
    "Service": "dcat:DataService",
    "Text": "foaf:Document",
}
"""The class for a stated `type`; most types are from the DCMI Type Vocabulary."""
AGENTS = {"foaf:Agent", "foaf:Organization", "foaf:Person"}

# fmt: off  # lists that are compared with the specification, not read
# DCMI Metadata Terms, section 3: the properties in the /terms/ namespace
DCMI_TERMS = frozenset(
    (
        "abstract",
        "accessRights",
        "accrualMethod",
        "accrualPeriodicity",
        "accrualPolicy",
        "alternative",
        "audience",
        "available",
        "bibliographicCitation",
        "conformsTo",
        "contributor",
        "coverage",
        "created",
        "creator",
        "date",
        "dateAccepted",
        "dateCopyrighted",
        "dateSubmitted",
        "description",
        "educationLevel",
        "extent",
        "format",
        "hasFormat",
        "hasPart",
        "hasVersion",
        "identifier",
        "instructionalMethod",
        "isFormatOf",
        "isPartOf",
        "isReferencedBy",
        "isReplacedBy",
        "isRequiredBy",
        "issued",
        "isVersionOf",
        "language",
        "license",
        "mediator",
        "medium",
        "modified",
        "provenance",
        "publisher",
        "references",
        "relation",
        "replaces",
        "requires",
        "rights",
        "rightsHolder",
        "source",
        "spatial",
        "subject",
        "tableOfContents",
        "temporal",
        "title",
        "type",
        "valid",
    )
)
# DCMI Metadata Terms: those whose range is a literal, whatever their values look like
LITERAL_TERMS = frozenset(
    (
        "alternative",
        "available",
        "bibliographicCitation",
        "created",
        "date",
        "dateAccepted",
        "dateCopyrighted",
        "dateSubmitted",
        "identifier",
        "issued",
        "modified",
        "title",
        "valid",
    )
)
# fmt: on
