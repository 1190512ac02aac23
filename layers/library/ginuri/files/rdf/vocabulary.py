"""The RDF properties and classes that registrations have fields for."""

from __future__ import annotations

SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
DC = "http://purl.org/dc/elements/1.1/"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
DCAT = "http://www.w3.org/ns/dcat#"
_SCHEMA = ("https://schema.org/", "http://schema.org/")
_FOAF = "http://xmlns.com/foaf/0.1/"

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
PREF_LABEL, NOTATION = f"{SKOS}prefLabel", f"{SKOS}notation"
IN_SCHEME, TOP_CONCEPT_OF, HAS_TOP_CONCEPT = (
    f"{SKOS}{name}" for name in ("inScheme", "topConceptOf", "hasTopConcept")
)
BROADER, NARROWER = f"{SKOS}broader", f"{SKOS}narrower"
IS_PART_OF, IS_REPLACED_BY, LANGUAGE = (
    f"{DCTERMS}{name}" for name in ("isPartOf", "isReplacedBy", "language")
)
DEPRECATED = f"{OWL}deprecated"
DISTRIBUTION, DOWNLOAD_URL, ACCESS_URL, MEDIA_TYPE = (
    f"{DCAT}{name}" for name in ("distribution", "downloadURL", "accessURL", "mediaType")
)
FORMATS = (MEDIA_TYPE, f"{DCTERMS}format", f"{DC}format")

SPATIAL = f"{DCTERMS}spatial"
_GEO, _WGS84 = "http://www.opengis.net/ont/geosparql#", "http://www.w3.org/2003/01/geo/wgs84_pos#"
HAS_GEOMETRY = (f"{_GEO}hasDefaultGeometry", f"{_GEO}hasGeometry", "http://www.w3.org/ns/locn#geometry")
BBOX = f"{DCAT}bbox"
GEOMETRIES = (
    "http://www.w3.org/ns/locn#geometry",
    f"{_GEO}asWKT",
    f"{_GEO}asGeoJSON",
    f"{DCAT}centroid",
    BBOX,
)
"""Properties with a geometry as value, the most detailed first."""
LONGITUDE, LATITUDE, ALTITUDE = (f"{_WGS84}{name}" for name in ("long", "lat", "alt"))

TITLES = (
    PREF_LABEL,
    f"{DCTERMS}title",
    f"{DC}title",
    f"{RDFS}label",
    *(f"{schema}name" for schema in _SCHEMA),
    f"{_FOAF}name",
)
"""Properties with a title as value; the first counts in each language."""
DESCRIPTIONS = (
    f"{SKOS}definition",
    f"{DCTERMS}description",
    f"{DC}description",
    f"{RDFS}comment",
    *(f"{schema}description" for schema in _SCHEMA),
    f"{SKOS}scopeNote",
)
"""Properties with a description as value; the first counts in each language."""
PROPERTIES = {f"{SKOS}altLabel": "alternative", f"{SKOS}hiddenLabel": "hiddenLabel", NOTATION: "notation"}
"""Properties registered as further metadata under another name."""
RELATIONS = {f"{DCTERMS}license": "license"}
"""Properties with a registered link relation (RFC 4946)."""
IS_DEFINED_BY = "http://www.w3.org/2000/01/rdf-schema#isDefinedBy"
"""The property of vocabulary terms, which are things."""
DOCUMENT = f"{_FOAF}Document"
"""The class of vocabularies that are documents, such as those whose terms differ in the fragment."""
VOCABULARIES = {f"{SKOS}ConceptScheme", f"{OWL}Ontology"}
"""Classes of vocabularies, which are things: browsers get a page, RDF clients the file."""
IS_VERSION_OF = f"{DCTERMS}isVersionOf"
VERSIONS = (f"{OWL}versionIRI", f"{OWL}priorVersion", f"{DCTERMS}hasVersion")
"""Properties that lead from a vocabulary to a version of it."""
WHOLES = {
    *VOCABULARIES,
    "http://rdfs.org/ns/void#Dataset",
    f"{DCAT}Dataset",
}
"""Classes of subjects that a whole RDF file can describe."""
