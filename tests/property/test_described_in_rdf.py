"""For every record, all formats of RDF have the same graph."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import Any

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from rdflib.compare import isomorphic

from ginuri.descriptions.composer import compose
from ginuri.descriptions.rdf.description import describe_in_rdf
from ginuri.descriptions.rdf.nodes import Graph, Node
from ginuri.descriptions.rdf.serializations.formats import RDF_WRITERS
from ginuri.descriptions.rdf.serializations.rdf_xml import is_writable
from ginuri.descriptions.rdf.serializations.triples import flatten
from ginuri.identifiers import Kind
from ginuri.registry.model import (
    Alias,
    NameAuthority,
    Registered,
    Representation,
    Resource,
    ResourceType,
    Scheme,
    Status,
    StoredFile,
)
from ginuri.registry.texts.ntriples import BlankNode, Literal, Term, write_term
from ginuri.registry.texts.plain_text import plain
from ginuri.resolution.descriptions.decision import Describe, decide_description
from ginuri.resolution.descriptions.paths import read_description_path
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES
from tests.builders import MAP, PUT, find

# rdflib warns about its own name, which its reader of JSON-LD uses.
pytestmark = pytest.mark.filterwarnings("ignore:(Dataset[.]|ConjunctiveGraph):DeprecationWarning")
READERS = {"nt": "nt", "ttl": "turtle", "rdf": "xml", "jsonld": "json-ld"}
HOST = "ids.example.org"

_unplain = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ['"""', "'\\", "]]>", "<a>&amp;", "a\r\nb", "\t", "\x00\x7f\x85\u2028", " ", "", "true", "@en", "_:b"]
)
_words = _unplain.map(plain)
"""Texts as read from the registry."""
_texts = st.dictionaries(st.sampled_from(["", "en", "de", "zh-Hant-TW"]), _words, max_size=2)
_uris = st.sampled_from(
    [
        "https://example.org/a",
        "https://example.org/a?b=c&d='e'#f",
        "https://example.org/%20(x),*",
        "urn:cgi:party:CGI:AZGS",
        "mailto:a@example.org",
        "http://resources.usgin.org/uri-gin/azgs/doc/b",
        "uri-gin/azgs/c/",
        "some words",
        "http://purl.org/dc/terms/",
        "http://purl.org/dc/terms/title",
    ]
)
_relations = st.sampled_from(
    [
        "license",
        "related",
        "predecessor-version",
        "a b",
        "https://example.org/ns#rel",
        "http://purl.org/dc/terms/x",
    ]
)
_names = st.sampled_from(
    [
        "https://example.org/é",
        "https://example.org/ns#a",
        "https://example.org/ns#1",
        "urn:x:1",
        "dcat:Dataset",
        "http://purl.org/dc/terms/subject",
        "http://purl.org/dc/terms/a.b",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#li",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#first",
    ]
)
_blanks = st.sampled_from(["n1", "n2", "b", "t1"]).map(BlankNode)
_datatypes = st.sampled_from(
    ["", "http://www.w3.org/2001/XMLSchema#string", "http://www.w3.org/2001/XMLSchema#integer", "urn:x:y"]
)
_literals = st.builds(Literal, _words, datatype=_datatypes) | st.builds(
    Literal, _words, st.sampled_from(["en", "pt-BR"])
)


@st.composite
def _triples(draw: st.DrawFn) -> str | None:
    """Return triples about one thing, and about its blank nodes."""
    subjects: list[str | BlankNode] = [
        draw(st.sampled_from(["http://v.example/x#a", f"http://{HOST}/{MAP}"]))
    ]
    pairs: Sequence[tuple[str, Term]] = draw(
        st.lists(st.tuples(_names, _names | _blanks | _literals), max_size=8)
    )
    lines: list[str] = []
    for name, target in pairs:
        subject = draw(st.sampled_from(subjects)) if lines else subjects[0]
        lines.append(f"{write_term(subject)} {write_term(name)} {write_term(target)} .")
        if isinstance(target, BlankNode):
            subjects.append(target)
    return "\n".join(lines) or None


_files = st.none() | st.just(StoredFile("k", "v", 3, "ab" * 32, PUT.format(0)))
_forms = st.builds(
    Representation,
    part=st.sampled_from([None, "a.pdf", "b.tif"]),
    media_type=st.sampled_from([None, "text/html", "text/html; charset=utf-8"]),
    language=st.sampled_from([None, "en"]),
    profile=_uris | st.none(),
    location=st.sampled_from([None, "https://example.org/x?y=z&w"]),
    file=_files,
    valid_from=st.sampled_from([None, "1997-06-01", "2001-01-01", "prospective"]),
    titles=_texts,
)
_links = st.dictionaries(
    _relations,
    st.lists(st.fixed_dictionaries({"href": _uris}, optional={"title": _words}), max_size=2),
    max_size=2,
)
_common: dict[str, st.SearchStrategy[Any]] = {
    "modified": st.just(PUT.format(0)),
    "titles": _texts,
    "descriptions": _texts,
    "status": st.sampled_from(Status),
    "successor": st.none() | st.just("uri-gin/azgs/doc/later"),
    "reason": _words | st.none(),
    "properties": st.dictionaries(
        st.sampled_from(["type", "subject", "replaces", "alternative@de", "county", "x@y z"]),
        _uris | _words | st.lists(_uris | _words, max_size=2),
        max_size=3,
    ),
}
_stewarded = {
    **_common,
    "trusted_hosts": st.sampled_from([(), (HOST,), ("a.example:88", "b.example")]),
    "homepage": _uris | st.none(),
    "contact": st.sampled_from([None, "a@example.org", "https://example.org/c", "call us"]),
}
RECORDS: st.SearchStrategy[Registered] = st.one_of(
    st.builds(
        Resource,
        identifier=st.just(MAP) | st.just(MAP.rstrip("/")),
        kind=st.sampled_from([None, Kind.DOCUMENT]),
        representations=st.lists(_forms, max_size=3),
        part_of=st.none() | st.just("uri-gin/azgs/c/"),
        links=_links,
        triples=_triples(),
        **_common,
    ),
    st.builds(
        ResourceType,
        identifier=st.just("uri-gin/azgs/doc/map/"),
        broader=st.none() | st.just("uri-gin/azgs/doc/"),
        definition=_words | st.none(),
        default_media_type=st.none() | st.just("text/html"),
        services=st.lists(
            st.fixed_dictionaries({"href": _uris}, optional={"title": _words, "type": st.just("a/b")}),
            max_size=2,
        ),
        **_common,
    ),
    st.builds(NameAuthority, identifier=st.just("uri-gin/azgs/"), **_stewarded),
    st.builds(Scheme, identifier=st.just("uri-gin/"), specification=_uris | st.none(), **_stewarded),
    st.builds(
        Alias,
        identifier=st.just("uri-gin/azgs/other"),
        stands_for=st.lists(st.just(MAP), min_size=1, max_size=2),
        status_code=st.sampled_from([301, 302]),
        **_common,
    ),
)


def _described(record: Registered) -> Graph:
    around = (
        NameAuthority(identifier="uri-gin/azgs/", modified=PUT.format(0), titles={"en": "Survey"}),
        ResourceType(identifier="uri-gin/azgs/doc/", modified=PUT.format(0), titles={"en": "Document"}),
        Scheme(identifier="uri-gin/", modified=PUT.format(0), authority="uri-gin/azgs/"),
    )
    found = find(record.identifier, *around, record)
    asked = read_description_path(f"/about.ttl/{record.identifier}")
    outcome = decide_description(asked, found, NO_PREFERENCES, HOST)
    assert isinstance(outcome, Describe)
    return describe_in_rdf(compose(outcome))


def _parsed(graph: Graph, extension: str) -> rdflib.Graph:
    return rdflib.Graph().parse(data=RDF_WRITERS[extension](graph), format=READERS[extension])


@given(RECORDS)
def test_all_rdf_formats_have_the_same_graph(record: Registered) -> None:
    graph = _described(record)

    expected = _parsed(graph, "nt")

    assert len(expected) == len(flatten(graph))
    for extension in ("ttl", "jsonld"):
        assert isomorphic(_parsed(graph, extension), expected), extension
    for triple in [each for each in expected if not is_writable(str(each[1]))]:
        expected.remove(triple)
    assert isomorphic(_parsed(graph, "rdf"), expected)


@given(st.text(string.printable, max_size=20))
def test_an_escaped_uri_is_one_term(text: str) -> None:
    graph = (Node(f"urn:x:{write_term('urn:' + text)[1:-1]}", (("urn:x:p", Literal(text)),)),)

    assert isomorphic(_parsed(graph, "ttl"), _parsed(graph, "nt"))


def test_blank_nodes_that_form_a_cycle_keep_their_names() -> None:
    chain = "\n".join(f"_:b{each} <urn:x:p> _:b{each + 1} ." for each in range(40))
    graph = _described(
        Resource(
            identifier=MAP,
            modified=PUT.format(0),
            triples=f"<u:a> <urn:x:p> _:b0 .\n{chain}\n_:b40 <urn:x:p> _:b20 .\n<u:a> <u:q> _:c .",
        )
    )

    expected = _parsed(graph, "nt")
    for extension in READERS:
        assert isomorphic(_parsed(graph, extension), expected), extension


@given(st.text("aZ_09.-/#:\u00e9", max_size=12))
def test_a_property_is_writable_in_xml_if_it_ends_in_a_name(end: str) -> None:
    # Namespaces in XML 1.0 §3, NCName. The literal definition would try each letter of a long URI again.
    ends_in_a_name = re.search(r"[A-Za-z_][A-Za-z0-9_.\-]*\Z", f"http://a.example/{end}") is not None

    assert is_writable(f"http://a.example/{end}") == ends_in_a_name
