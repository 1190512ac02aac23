"""Everything under `examples/` is described in RDF: the same graph in every format, valid by the shapes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import rdflib
from pyshacl import validate
from rdflib import DCAT, DCTERMS, FOAF, OWL, PROV, RDF, RDFS, SKOS, URIRef
from rdflib.compare import isomorphic

from ginuri.descriptions.rdf.nodes import compact
from ginuri.descriptions.rdf.vocabulary import PREFIXES
from tests.example_registry import HOST, Descriptions, examples

_PREDICATE = re.compile(r"^\S+ (<[^>]*>)(?: \S+ \.$| .*(@\S+|\^\^\S+) \.$|)", re.MULTILINE)
"""The parts of a triple, with the language or the datatype of a literal."""
SHAPES = Path(__file__).parents[2] / "docs" / "reference" / "shapes.ttl"
FORMATS = {"nt": "nt", "ttl": "turtle", "rdf": "xml", "jsonld": "json-ld"}
RAPPER = {"nt": "ntriples", "ttl": "turtle", "rdf": "rdfxml"}
# rdflib warns about its own names, which pyshacl and its reader of JSON-LD use.
pytestmark = [
    pytest.mark.untraced,
    pytest.mark.filterwarnings("ignore:(Dataset[.]|ConjunctiveGraph):DeprecationWarning"),
]
USGIN = "resources.usgin.org"
REGISTERS = (
    "uri-gin/azgs/register/resourceType/",
    "uri-gin/usgin/register/nameAuthority/",
    "uri-gin/usgin/register/uriScheme/",
)


@pytest.fixture(scope="module")
def descriptions() -> Descriptions:
    return Descriptions(examples())


@pytest.fixture(scope="module")
def everything(descriptions: Descriptions) -> rdflib.Graph:
    """All descriptions in one graph, as a harvester would load them."""
    graph = rdflib.Graph()
    for name in {*descriptions.names(), *REGISTERS}:
        graph.parse(data=descriptions.write("ttl", name), format="turtle")
    return graph  # hosts are among the names


def _read(descriptions: Descriptions, extension: str, name: str, host: str = HOST) -> rdflib.Graph:
    content = descriptions.write(extension, name, host)
    return rdflib.Graph().parse(data=content, format=FORMATS[extension])


@pytest.mark.untraced
def test_the_examples_are_the_same_graph_in_every_format(descriptions: Descriptions) -> None:
    # Descriptions with the same properties differ in words only; tests/property checks any words.
    names = {
        frozenset(_PREDICATE.findall(descriptions.write("nt", name).decode())): name
        for name in descriptions.names()
    }.values()
    different = []
    for name in names:
        expected = _read(descriptions, "nt", name)
        assert len(expected) > 10
        different += [
            (extension, name)
            for extension in ("ttl", "rdf", "jsonld")
            if not isomorphic(_read(descriptions, extension, name), expected)
        ]

    assert len(names) > 100
    assert different == []


def test_all_formats_of_a_hosts_description_have_the_same_graph(descriptions: Descriptions) -> None:
    for host in (HOST, USGIN):
        expected = _read(descriptions, "nt", "", host)
        for extension in ("ttl", "rdf", "jsonld"):
            assert isomorphic(_read(descriptions, extension, "", host), expected)


def test_a_description_has_its_first_registration_and_the_uploads_behind_it(
    descriptions: Descriptions,
) -> None:
    graph = _read(descriptions, "ttl", "uri-gin/aasg/xmlschema/thermalconductivity/schema")

    [about] = graph.subjects(RDF.type, DCAT.CatalogRecord)
    [upload] = graph.objects(about, PROV.wasGeneratedBy)
    assert graph.value(upload, RDFS.label) == rdflib.Literal("uri-gin/aasg/versions.jsonl")
    assert graph.value(about, DCTERMS.issued) == graph.value(upload, PROV.endedAtTime)
    assert len(set(graph.objects(predicate=DCTERMS.hasVersion))) == 5


def test_all_formats_of_a_list_have_the_same_graph(descriptions: Descriptions) -> None:
    for name in ("uri-gin/", "uri-gin/azgs/", *REGISTERS):
        expected = rdflib.Graph().parse(data=descriptions.list("nt", name), format="nt")
        assert set(expected.subjects(FOAF.isPrimaryTopicOf))
        for extension in ("ttl", "rdf", "jsonld"):
            content = descriptions.list(extension, name)
            assert isomorphic(rdflib.Graph().parse(data=content, format=FORMATS[extension]), expected)


@pytest.mark.parametrize("name", REGISTERS)
def test_a_register_is_a_concept_scheme_in_every_format(descriptions: Descriptions, name: str) -> None:
    for extension in FORMATS:
        graph = _read(descriptions, extension, name)
        [register] = graph.subjects(RDF.type, SKOS.ConceptScheme)
        registered = set(graph.subjects(SKOS.inScheme, register))

        assert str(register) == f"http://{USGIN}/{name}"
        assert registered
        assert registered == set(graph.subjects(RDF.type, SKOS.Concept))
        assert set(graph.objects(register, SKOS.hasTopConcept)) == set(
            graph.subjects(SKOS.topConceptOf, register)
        )


@pytest.mark.untraced
def test_all_descriptions_satisfy_the_shapes(everything: rdflib.Graph) -> None:
    holds, _, told = validate(everything, shacl_graph=str(SHAPES), meta_shacl=True, advanced=False)

    assert holds, told


@pytest.mark.parametrize(
    "broken",
    [
        "?thing <http://xmlns.com/foaf/0.1/isPrimaryTopicOf> ?o",
        "?thing <http://www.w3.org/ns/adms#status> ?o",
        "?form <http://spdx.org/rdf/terms#checksum> ?o",
        "?property <https://schema.org/name> ?o",
    ],
)
def test_the_shapes_find_missing_properties(descriptions: Descriptions, broken: str) -> None:
    graph = rdflib.Graph()
    for name in ("uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/", "uri-gin/cgi/classifier/"):
        graph += _read(descriptions, "ttl", name)
    graph.update(f"DELETE {{ {broken} }} WHERE {{ {broken} }}")

    assert not validate(graph, shacl_graph=str(SHAPES))[0]


def test_a_description_differs_from_its_subject(everything: rdflib.Graph) -> None:
    pairs = set(everything.subject_objects(FOAF.isPrimaryTopicOf))

    assert len(pairs) > 500
    topics = {(thing, page) for page, thing in everything.subject_objects(FOAF.primaryTopic)}
    # Other documents may be about a thing as well, with a statement of that.
    assert pairs == {(thing, page) for thing, page in topics if "/about" in str(page)}
    assert not {thing for thing, _ in pairs} & {page for _, page in pairs}


def test_every_resource_type_is_a_concept_of_its_authoritys_register(everything: rdflib.Graph) -> None:
    concept = URIRef(f"http://{USGIN}/uri-gin/azgs/doc/map/")

    assert (concept, RDF.type, SKOS.Concept) in everything
    [register] = everything.objects(concept, SKOS.inScheme)
    assert str(register) == f"http://{USGIN}/uri-gin/azgs/register/resourceType/"


def test_superseded_and_retired_records_are_deprecated(everything: rdflib.Graph) -> None:
    gone = URIRef(f"http://{USGIN}/uri-gin/azgs/application/stationDataEntry20090601/")

    assert [bool(each) for each in everything.objects(gone, OWL.deprecated)] == [True]


# SKOS Reference, W3C Recommendation of 18 August 2009: its integrity conditions, as forbidden patterns. S24
# and S28 make broader transitive and related symmetric.
CONDITIONS = {
    "S9: no scheme is a concept": "?x a skos:ConceptScheme, skos:Concept",
    "S13: a label is of one kind": "?x skos:prefLabel ?l ; skos:altLabel|skos:hiddenLabel ?l",
    "S13: an alternative label is not hidden": "?x skos:altLabel ?l ; skos:hiddenLabel ?l",
    "S14: one preferred label a language": (
        "?x skos:prefLabel ?l, ?m . FILTER (?l != ?m && LANG(?l) = LANG(?m))"
    ),
    "S27: what is related is not broader": (
        "{ ?x skos:related|^skos:related ?y } { ?x (skos:broader|^skos:narrower|skos:broaderTransitive)+ ?y }"
    ),
    "S37: no collection is a concept or a scheme": (
        "{ ?x a skos:Collection } UNION { ?x a skos:OrderedCollection } "
        "{ ?x a skos:Concept } UNION { ?x a skos:ConceptScheme }"
    ),
    "S46: an exact match is not broader or related": (
        "?x (skos:exactMatch|^skos:exactMatch)+ ?y . FILTER (?x != ?y) "
        "{ ?x skos:broadMatch|^skos:narrowMatch|skos:relatedMatch|^skos:relatedMatch ?y }"
    ),
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_integrity_conditions_of_skos_hold(everything: rdflib.Graph, condition: str) -> None:
    prologue = f"PREFIX skos: <{SKOS}>"

    assert list(everything.query(f"{prologue} SELECT * {{ {CONDITIONS[condition]} }}")) == []


@pytest.mark.untraced
def test_the_integrity_conditions_find_each_violation() -> None:
    broken = """
    @prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://e.example/> .
    :s a skos:Concept, skos:ConceptScheme . :c a skos:Collection, skos:Concept .
    :x skos:prefLabel "a"@en, "b"@en ; skos:altLabel "a"@en, "h" ; skos:hiddenLabel "h" ;
      skos:broader :y ; skos:exactMatch :z ; skos:broadMatch :z . :y skos:broader :w . :w skos:related :x .
    """
    graph = rdflib.Graph().parse(data=broken, format="turtle")

    for condition, query in CONDITIONS.items():
        assert list(graph.query(f"PREFIX skos: <{SKOS}> SELECT * {{ {query} }}")), condition


@pytest.mark.skipif(shutil.which("rapper") is None, reason="rapper is not installed (raptor2-utils)")
@pytest.mark.parametrize("extension", RAPPER)
def test_rapper_reads_every_format(descriptions: Descriptions, extension: str) -> None:
    for name in [*descriptions.names()][::40]:
        content = descriptions.write(extension, name)
        told = subprocess.run(  # noqa: S603  the arguments are ours
            [
                shutil.which("rapper") or "",
                "-q",
                "-i",
                RAPPER[extension],
                "-o",
                "ntriples",
                "-",
                "http://e.example/",
            ],
            input=content,
            capture_output=True,
            check=False,
        )

        assert (told.returncode, told.stderr) == (0, b""), name
        read = rdflib.Graph().parse(data=told.stdout, format="nt")
        assert isomorphic(read, _read(descriptions, "nt", name))


@pytest.mark.parametrize("namespace", PREFIXES.values())
def test_a_namespace_ends_where_a_local_name_begins(namespace: str) -> None:
    assert namespace[-1] in "/#"
    assert compact(f"{namespace}x") is not None
