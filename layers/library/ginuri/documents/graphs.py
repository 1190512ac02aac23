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

from ginuri.core.errors import UnreadableFile
from ginuri.core.ntriples import Blank, Literal, Term
from ginuri.documents.jsonlines import read_json
from ginuri.documents.subjects import RELATIVE

MOST_BYTES = 16 * 1024 * 1024
"""How long a file of RDF may be, unpacked."""
MOST_TRIPLES = 200_000
"""How many triples it may have."""
_CHUNK = 64 * 1024
_LITERAL_STRING = "http://www.w3.org/2001/XMLSchema#string"
_HALF = re.compile(r"[\ud800-\udfff]")
"""Half of a character, which escapes can write and UTF-8 cannot."""
_WHY = re.compile(r"Bad syntax \((.*?)\) at \^", re.DOTALL)

Graph = Mapping[str | Blank, Mapping[str, Collection[Term]]]
"""What is said of each subject, by property, in the order of the file."""

# It converts what literals say, and logs whatever it cannot: what is written is kept here as it is written.
rdflib.NORMALIZE_LITERALS = False
logging.getLogger("rdflib").setLevel(logging.CRITICAL)


def read_graph(suffix: str, content: bytes) -> Graph:
    """Read a file of RDF, its format told by the ending. Raises UnreadableFile for what cannot be read."""
    if len(content) > MOST_BYTES:
        told = f"a file of RDF has at most {MOST_BYTES:,} bytes; cut it into several"
        raise UnreadableFile("size", f"{len(content):,}", told)
    sink = _Sink()
    try:
        if suffix == ".rdf":
            _refuse_document_type(content)
            sink.parse(data=content, format="xml", publicID=RELATIVE)
        elif suffix == ".jsonld":
            to_rdf(_json(content), cast("rdflib.Dataset", sink), RELATIVE, version=1.1)
        else:  # N-Triples is a part of Turtle, and the parser of Turtle tells the line
            sink.parse(data=content, format="turtle", publicID=RELATIVE)
    except UnreadableFile:
        raise
    except BadSyntax as error:
        why = _WHY.search(str(error))
        raise _broken(suffix, f"line {error.lines + 1}", why[1] if why else "it is no Turtle") from error
    except (SAXParseException, expat.ExpatError) as error:
        raise _broken(suffix, *_xml_place(error)) from error
    except json.JSONDecodeError as error:
        raise _broken(suffix, f"line {error.lineno}, column {error.colno}", error.msg) from error
    except RecursionError as error:
        raise _broken(suffix, "", "it is nested too deep") from error
    except (ParserError, ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
        # What rdflib raises where a file is not what its name says is not drawn up anywhere.
        raise _broken(suffix, "", str(error) or type(error).__name__) from error
    return sink.found


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


def _refuse_document_type(content: bytes) -> None:
    # XML 1.0 §2.8: it stands before the first element. Without one there are no entities to expand.
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    begun: list[str] = []
    parser.StartElementHandler = lambda name, _: begun.append(name)
    for start in range(0, len(content), _CHUNK):
        parser.Parse(content[start : start + _CHUNK], False)  # noqa: FBT003  it takes no names
        if begun:
            return


def _refuse(name: str, *_: object) -> NoReturn:
    told = "it declares a document type, whose entities are not expanded here; save it without, or as Turtle"
    raise UnreadableFile("XML", f"<!DOCTYPE {name}", told)


def _xml_place(error: SAXParseException | expat.ExpatError) -> tuple[str, str]:
    if isinstance(error, expat.ExpatError):
        return f"line {error.lineno}, column {error.offset + 1}", expat.ErrorString(error.code)
    return f"line {error.getLineNumber()}, column {(error.getColumnNumber() or 0) + 1}", error.getMessage()


_NAMES = {".ttl": "Turtle", ".nt": "N-Triples", ".rdf": "RDF/XML", ".jsonld": "JSON-LD"}


def _broken(suffix: str, place: str, why: str) -> UnreadableFile:
    at = f" at {place}" if place else ""
    told = f"it cannot be read as {_NAMES[suffix]}{at}: {why[:200]}; correct that, and upload it again"
    return UnreadableFile(_NAMES[suffix], place, told)
