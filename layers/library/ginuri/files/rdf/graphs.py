"""Turtle, RDF/XML, JSON-LD and N-Triples → triples. Nothing is ever fetched.

This is the only module that needs rdflib. Triples are held by subject only: rdflib's own stores keep each of
them three times.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Collection, Iterator, Mapping
from sys import intern
from typing import Any, NoReturn, Self, cast
from xml.parsers import expat
from xml.sax import SAXParseException

import rdflib
from rdflib.exceptions import ParserError
from rdflib.plugins.parsers.jsonld import to_rdf
from rdflib.plugins.parsers.notation3 import BadSyntax

from ginuri.files.json_lines import read_json
from ginuri.files.rdf.subjects import RELATIVE
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.ntriples import Blank, Literal, Term

MOST_BYTES = 16 * 1024 * 1024
"""How long a file of RDF may be, unpacked."""
MOST_TRIPLES = 200_000
"""How many triples it may have."""
_CHUNK = 64 * 1024
_MOST_TAG_BYTES = 1024 * 1024
_MOST_DEPTH = 200
_LITERAL_STRING = "http://www.w3.org/2001/XMLSchema#string"
_HALF = re.compile(r"[\ud800-\udfff]")
"""Half of a character, which escapes can write and UTF-8 cannot."""
_BROKEN = (
    BadSyntax,
    ParserError,
    SAXParseException,
    expat.ExpatError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What is raised for a file that is not what its name says: rdflib has no list of that."""
_PLACED = re.compile(r"[^:]*:([0-9]+):([0-9]+): (.*)", re.DOTALL)
_WHY = re.compile(r"Bad syntax \((.*?)\) at \^", re.DOTALL)

Graph = Mapping[str | Blank, Mapping[str, Collection[Term]]]
"""What is said of each subject, by property, in the order of the file."""

# It converts what literals say, and logs whatever it cannot: what is written is kept here as it is written.
logging.getLogger("rdflib").setLevel(logging.CRITICAL)
rdflib.NORMALIZE_LITERALS = False
for _markup in (rdflib.RDF.XMLLiteral, rdflib.RDF.HTML):  # and would make a tree of it, however large
    rdflib.term.bind(_markup, str, datatype_specific=True)


def read_graph(suffix: str, content: bytes) -> Graph:
    """Read a file of RDF, its format told by the ending. Raises UnreadableFile for what cannot be read."""
    if len(content) > MOST_BYTES:
        told = f"a file of RDF has at most {MOST_BYTES:,} bytes; cut it into several"
        raise UnreadableFile("size", f"{len(content):,}", told)
    sink = _Sink()
    try:
        _parse(suffix, content, sink)
    except UnreadableFile:
        raise
    except RecursionError as error:
        raise _broken(suffix, "", "it is nested too deep") from error
    except _BROKEN as error:
        raise _broken(suffix, *_place(error)) from error
    return sink.found


def _parse(suffix: str, content: bytes, sink: _Sink) -> None:
    if suffix == ".rdf":
        _check_xml(content)
        sink.parse(data=content, format="xml", publicID=RELATIVE)
    elif suffix == ".jsonld":
        to_rdf(_json(content), cast("rdflib.Dataset", sink), RELATIVE, version=1.1)
    else:  # N-Triples is a part of Turtle, and the parser of Turtle tells the line
        sink.parse(data=content, format="turtle", publicID=RELATIVE)


class _Sink(rdflib.Graph):
    """Takes what a parser finds, counts it, and keeps it by subject."""

    def __init__(self) -> None:
        super().__init__(bind_namespaces="none")
        self.found: dict[str | Blank, dict[str, dict[Term, None]]] = {}
        self._blanks: dict[str, Blank] = {}
        self._count = 0

    def add(self, triple: tuple[Any, Any, Any]) -> Self:
        self._count += 1
        if self._count > MOST_TRIPLES:
            told = f"a file of RDF has at most {MOST_TRIPLES:,} triples; cut it into several"
            raise UnreadableFile("size", f"more than {MOST_TRIPLES:,}", told)
        subject, predicate, target = (self._term(each) for each in triple)
        if isinstance(subject, Literal) or not isinstance(predicate, str):
            raise UnreadableFile("RDF", predicate, "a subject is a name or a blank node, a property a name")
        self.found.setdefault(subject, {}).setdefault(predicate, {})[target] = None
        return self

    def bind(self, *_: object, **__: object) -> None:
        """Forget what prefixes are called: nothing is written with them."""

    def _term(self, node: object) -> Term:
        if isinstance(node, rdflib.BNode):
            # rdflib's own labels are chance; these say in which order nodes came.
            return self._blanks.setdefault(str(node), Blank(f"b{len(self._blanks)}"))
        if isinstance(node, rdflib.Literal):
            datatype = intern(str(node.datatype or ""))
            return Literal(
                _HALF.sub("\N{REPLACEMENT CHARACTER}", str(node)),
                node.language or "",
                "" if datatype == _LITERAL_STRING else datatype,
            )
        return intern(_HALF.sub("\N{REPLACEMENT CHARACTER}", str(node)))


def _json(content: bytes) -> Any:  # noqa: ANN401  JSON is what it is
    document = read_json(content.decode("utf-8-sig"))
    if not isinstance(document, dict | list):
        raise UnreadableFile("JSON-LD", document, "JSON-LD is an object, or a list of objects")
    for name, context in _contexts(document):
        if name == "@import" or isinstance(context, str):
            told = "a context elsewhere is never fetched; write its content into the file, under @context"
            raise UnreadableFile("remote context", context, told)
    return document


def _contexts(document: object) -> Iterator[tuple[str, object]]:
    todo = [document]
    while todo:
        each = todo.pop()
        if isinstance(each, dict):
            for name, value in each.items():
                if name in {"@context", "@import"}:
                    yield from (
                        (name, context) for context in (value if isinstance(value, list) else [value])
                    )
                todo.append(value)
        elif isinstance(each, list):
            todo.extend(each)


def _check_xml(content: bytes) -> None:
    # XML 1.0 §2.8: without a document type there are no entities to expand.
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    depth = 0

    def begin(name: str, _: object) -> None:
        nonlocal depth
        depth += 1
        if depth > _MOST_DEPTH:
            raise UnreadableFile("XML", name, f"its elements are nested more than {_MOST_DEPTH} deep")

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    for start in range(0, len(content), _CHUNK):
        chunk = content[start : start + _CHUNK]
        parser.Parse(chunk, False)  # noqa: FBT003  it takes no names
        if start + len(chunk) - parser.CurrentByteIndex > _MOST_TAG_BYTES:
            told = (
                f"a tag with all its attributes has at most {_MOST_TAG_BYTES:,} bytes; use elements instead"
            )
            raise UnreadableFile("XML", f"byte {parser.CurrentByteIndex:,}", told)


def _refuse(name: str, *_: object) -> NoReturn:
    told = "it declares a document type, whose entities are not expanded here; save it without, or as Turtle"
    raise UnreadableFile("XML", f"<!DOCTYPE {name}", told)


def _place(error: Exception) -> tuple[str, str]:
    """Tell where a file is broken, and why."""
    match error:
        case BadSyntax():
            why = _WHY.search(str(error))
            return f"line {error.lines + 1}", why[1] if why else "it is no Turtle"
        case json.JSONDecodeError():
            return f"line {error.lineno}, column {error.colno}", error.msg
        case expat.ExpatError():
            return f"line {error.lineno}, column {error.offset + 1}", expat.ErrorString(error.code)
        case SAXParseException():
            return (
                f"line {error.getLineNumber()}, column {(error.getColumnNumber() or 0) + 1}",
                error.getMessage(),
            )
        case _:
            return _place_told(error)


def _place_told(error: Exception) -> tuple[str, str]:
    placed = _PLACED.fullmatch(str(error))  # of RDF/XML, with the place before what is wrong
    if placed and isinstance(error, ParserError):
        return f"line {placed[1]}, column {int(placed[2]) + 1}", placed[3]
    return "", str(error) or type(error).__name__


_NAMES = {".ttl": "Turtle", ".nt": "N-Triples", ".rdf": "RDF/XML", ".jsonld": "JSON-LD"}


def _broken(suffix: str, place: str, why: str) -> UnreadableFile:
    at = f" at {place}" if place else ""
    told = f"it cannot be read as {_NAMES[suffix]}{at}: {why[:200]}; correct that, and upload it again"
    return UnreadableFile(_NAMES[suffix], place, told)
