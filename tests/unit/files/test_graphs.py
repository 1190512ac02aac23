"""RDF in four formats: read within limits, without fetching anything."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from ginuri.files.rdf.graphs import MOST_BYTES, MOST_TRIPLES, read_graph
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registry.texts.ntriples import BlankNode, Literal

X, P = "http://example.org/x", "http://example.org/p"
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/"'
SAME = {
    ".ttl": f'@prefix e: <http://example.org/> . e:x e:p "a"@en, "01"^^e:n, [ e:p e:x ] . # {X}',
    ".nt": f'<{X}> <{P}> "a"@en .\n<{X}> <{P}> "01"^^<http://example.org/n> .\n'
    f"<{X}> <{P}> _:z .\n_:z <{P}> <{X}> .\n",
    ".rdf": f'<rdf:RDF {RDF}><rdf:Description rdf:about="{X}"><e:p xml:lang="en">a</e:p>'
    '<e:p rdf:datatype="http://example.org/n">01</e:p><e:p rdf:parseType="Resource">'
    f'<e:p rdf:resource="{X}"/></e:p></rdf:Description></rdf:RDF>',
    ".jsonld": f'{{"@context": {{"p": "{P}"}}, "@id": "{X}", "p": [{{"@value": "a", "@language": "en"}}, '
    f'{{"@value": "01", "@type": "http://example.org/n"}}, {{"p": {{"@id": "{X}"}}}}]}}',
}


class _Counting(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """Return the address of a server, and its received requests."""
    paths: list[str] = []
    server = HTTPServer(("127.0.0.1", 0), type("_Handler", (_Counting,), {"asked": paths}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", paths
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("suffix", list(SAME))
def test_each_format_gives_the_same_unchanged_triples(suffix: str) -> None:
    said = read_graph(suffix, SAME[suffix].encode())

    [blank] = [each for each in said if isinstance(each, BlankNode)]
    assert set(said[X][P]) == {Literal("a", "en"), Literal("01", "", "http://example.org/n"), blank}
    assert list(said[blank][P]) == [X]


@pytest.mark.parametrize(
    ("suffix", "content", "rule", "told"),
    [
        (".ttl", b"@prefix e: <http://example.org/> .\ne:x e:p .\n", "Turtle", "line 2"),
        (".ttl", b"e:x e:p e:y .", "Turtle", "line 1: Prefix"),
        (".ttl", b"\xff\xfe", "Turtle", "codec"),
        (".ttl", b"<a:b> <c:d> " + b"[" * 9000, "Turtle", "nested too deep"),
        (".nt", b"<http://example.org/x> <http://example.org/p> .\n", "N-Triples", "line 1"),
        (".rdf", b"<rdf:RDF>\n</rdf>", "RDF/XML", "line 2, column 3: mismatched tag"),
        (".rdf", f"<rdf:RDF {RDF}>\n  <rdf:Description>\n</rdf:RDF>".encode(), "RDF/XML", "line 3, column 3"),
        (
            ".rdf",
            f'<rdf:RDF {RDF}><rdf:Description rdf:ID="a b"/></rdf:RDF>'.encode(),
            "RDF/XML",
            "line 1, column 96: rdf:ID",
        ),
        (".rdf", b"<a>" * 300, "XML", "nested deeper than 200"),
        (".rdf", b"<a " + b"b='c' " * 400_000 + b"/>", "XML", "A tag with its attributes"),
        (".rdf", b'<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>', "XML", "document type"),
        (".jsonld", b'{"@id":\n ]}', "JSON-LD", "line 2, column 2"),
        (".jsonld", b"[" * 200_000, "JSON-LD", "nested too deep"),
        (".jsonld", b'{"@id": "a", "@id": "b"}', "JSON-LD", "twice"),
        (".jsonld", b'"text"', "JSON-LD", "an object"),
        (".jsonld", b'{"@context": "https://schema.org/"}', "remote context", "Copy its content into"),
        (".jsonld", b'{"@context": [{}, "c.jsonld"]}', "remote context", "never fetched"),
        (".jsonld", b'{"@context": {"@import": "c.jsonld"}}', "remote context", "never fetched"),
        (".jsonld", b'{"@context": {"e": {"@id": "e:e", "@context": "c"}}}', "remote context", "never"),
        (".nt", b"#" * (MOST_BYTES + 1), "size", "bytes"),
        pytest.param(
            ".nt",
            b"<a:b> <c:d> <e:f> .\n" * (MOST_TRIPLES + 1),
            "size",
            "triples",
            marks=pytest.mark.untraced,
        ),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_an_unreadable_file_is_refused_with_the_reason(
    suffix: str, content: bytes, rule: str, told: str
) -> None:
    with pytest.raises(UnreadableFile, match=told) as caught:
        read_graph(suffix, content)

    assert caught.value.rule == rule


def test_entities_are_refused_before_they_are_expanded() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE r [<!ENTITY l0 "ha">{laughs}]><rdf:RDF {RDF}>&l9;</rdf:RDF>'

    with pytest.raises(UnreadableFile, match="document type"):
        read_graph(".rdf", bomb.encode())


def test_reading_rdf_never_fetches_a_document(asked: tuple[str, list[str]]) -> None:
    where, paths = asked
    owl = "http://www.w3.org/2002/07/owl#"
    said = read_graph(".ttl", f"<{where}/x> <{owl}imports> <{where}/imported.ttl> .".encode())
    assert list(said) == [f"{where}/x"]
    read_graph(
        ".rdf",
        f'<?xml-stylesheet href="{where}/style"?><rdf:RDF {RDF} xml:base="{where}/base"><rdf:Description '
        f'rdf:about="{where}/x"><e:p rdf:resource="{where}/y"/></rdf:Description></rdf:RDF>'.encode(),
    )
    refused = {
        ".rdf": f'<!DOCTYPE r SYSTEM "{where}/dtd"><r/>',
        ".jsonld": f'{{"@context": "{where}/context.jsonld", "@id": "{where}/x"}}',
    }
    for suffix, content in refused.items():
        with pytest.raises(UnreadableFile):
            read_graph(suffix, content.encode())

    assert paths == []


def test_names_without_a_base_are_recognised_as_such() -> None:
    assert list(read_graph(".ttl", b"<a> <b:b> <c> .")) == ["http://relative.invalid/a"]


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    said = read_graph(".jsonld", b'{"@id": "a:x", "a:p": "x\\ud800"}')

    assert list(said["a:x"]["a:p"]) == [Literal("x\N{REPLACEMENT CHARACTER}")]


def test_named_graphs_are_read_as_one() -> None:
    content = b'{"@id": "a:g", "@graph": [{"@id": "a:x", "a:p": "x"}]}'

    assert list(read_graph(".jsonld", content)) == ["a:x"]
