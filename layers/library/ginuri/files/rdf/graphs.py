"""Reads Turtle, RDF/XML, JSON-LD and N-Triples, without fetching anything.

This is the only module that needs rdflib. Triples are stored by subject only: rdflib's own stores keep three
copies of each.
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
from ginuri.identifiers.messages import Message, Words, message
from ginuri.registry.texts.ntriples import BlankNode, Literal, Term

MOST_BYTES = 16 * 1024 * 1024
"""The largest RDF file, unpacked."""
MOST_TRIPLES = 200_000
_CHUNK = 64 * 1024
_MOST_TAG_BYTES = 1024 * 1024
_MOST_DEPTH = 200
_LITERAL_STRING = "http://www.w3.org/2001/XMLSchema#string"
# A lone surrogate: an escape can express it, UTF-8 cannot.
_HALF = re.compile(r"[\ud800-\udfff]")
# Undocumented exceptions of rdflib for a file in another format than its suffix.
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
_PLACED = re.compile(r"[^:]*:([0-9]+):([0-9]+): (.*)", re.DOTALL)
_WHY = re.compile(r"Bad syntax \((.*?)\) at \^", re.DOTALL)

Graph = Mapping[str | BlankNode, Mapping[str, Collection[Term]]]
"""The values of each subject by property, in the order of the file."""

# rdflib would convert literals and log its failures; they are kept as written.
logging.getLogger("rdflib").setLevel(logging.CRITICAL)
rdflib.NORMALIZE_LITERALS = False
for _markup in (rdflib.RDF.XMLLiteral, rdflib.RDF.HTML):  # otherwise rdflib parses them to trees of any size
    rdflib.term.bind(_markup, str, datatype_specific=True)


def read_graph(suffix: str, content: bytes) -> Graph:
    """Read an RDF file in the format of its suffix. Raises UnreadableFile."""
    if len(content) > MOST_BYTES:
        raise UnreadableFile(
            "size",
            f"{len(content):,}",
            "An RDF file may have at most {most} bytes. Split it into several files.",
            most=f"{MOST_BYTES:,}",
        )
    sink = _Sink()
    try:
        _parse(suffix, content, sink)
    except UnreadableFile:
        raise
    except RecursionError as error:
        raise _broken(suffix, "", message("It is nested too deep.")) from error
    except _BROKEN as error:
        raise _broken(suffix, *_place(error)) from error
    return sink.found


def _parse(suffix: str, content: bytes, sink: _Sink) -> None:
    if suffix == ".rdf":
        _check_xml(content)
        sink.parse(data=content, format="xml", publicID=RELATIVE)
    elif suffix == ".jsonld":
        to_rdf(_json(content), cast("rdflib.Dataset", sink), RELATIVE, version=1.1)
    else:  # N-Triples is a subset of Turtle, whose parser reports line numbers
        sink.parse(data=content, format="turtle", publicID=RELATIVE)


class _Sink(rdflib.Graph):
    """Collects the triples of a parser by subject, and counts them."""

    def __init__(self) -> None:
        super().__init__(bind_namespaces="none")
        self.found: dict[str | BlankNode, dict[str, dict[Term, None]]] = {}
        self._blanks: dict[str, BlankNode] = {}
        self._count = 0

    def add(self, triple: tuple[Any, Any, Any]) -> Self:
        self._count += 1
        if self._count > MOST_TRIPLES:
            raise UnreadableFile(
                "size",
                f"> {MOST_TRIPLES:,}",
                "An RDF file may have at most {most} triples. Split it into several files.",
                most=f"{MOST_TRIPLES:,}",
            )
        subject, predicate, target = (self._term(node) for node in triple)
        if isinstance(subject, Literal) or not isinstance(predicate, str):
            raise UnreadableFile(
                "RDF", predicate, "A subject must be a name or a blank node, and a property must be a name."
            )
        self.found.setdefault(subject, {}).setdefault(predicate, {})[target] = None
        return self

    def bind(self, *_: object, **__: object) -> None:
        """Ignore prefixes, which the output does not use."""

    def _term(self, node: object) -> Term:
        if isinstance(node, rdflib.BNode):
            # rdflib's labels are random; numbers in file order are stable.
            return self._blanks.setdefault(str(node), BlankNode(f"b{len(self._blanks)}"))
        if isinstance(node, rdflib.Literal):
            datatype = intern(str(node.datatype or ""))
            return Literal(
                _HALF.sub("\N{REPLACEMENT CHARACTER}", str(node)),
                node.language or "",
                "" if datatype == _LITERAL_STRING else datatype,
            )
        return intern(_HALF.sub("\N{REPLACEMENT CHARACTER}", str(node)))


def _json(content: bytes) -> Any:  # noqa: ANN401  JSON has values of any type
    document = read_json(content.decode("utf-8-sig"))
    if not isinstance(document, dict | list):
        raise UnreadableFile(
            "JSON-LD", document, "A JSON-LD file must contain an object, or a list of objects."
        )
    for name, context in _contexts(document):
        if name == "@import" or isinstance(context, str):
            raise UnreadableFile(
                "remote context",
                context,
                "A JSON-LD context on the web is never fetched. Copy its content into the file, under "
                "@context.",
            )
    return document


def _contexts(document: object) -> Iterator[tuple[str, object]]:
    pending = [document]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            for name, value in node.items():
                if name in {"@context", "@import"}:
                    yield from (
                        (name, context) for context in (value if isinstance(value, list) else [value])
                    )
                pending.append(value)
        elif isinstance(node, list):
            pending.extend(node)


def _check_xml(content: bytes) -> None:
    # XML 1.0 §2.8: without a document type there are no entities to expand.
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    depth = 0

    def begin(name: str, _: object) -> None:
        nonlocal depth
        depth += 1
        if depth > _MOST_DEPTH:
            raise UnreadableFile(
                "XML", name, "The elements of the file are nested deeper than {most}.", most=str(_MOST_DEPTH)
            )

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    for start in range(0, len(content), _CHUNK):
        chunk = content[start : start + _CHUNK]
        parser.Parse(chunk, False)  # noqa: FBT003  positional only
        if start + len(chunk) - parser.CurrentByteIndex > _MOST_TAG_BYTES:
            raise UnreadableFile(
                "XML",
                f"byte {parser.CurrentByteIndex:,}",
                "A tag with its attributes may have at most {most} bytes. Use elements instead of "
                "attributes.",
                most=f"{_MOST_TAG_BYTES:,}",
            )


def _refuse(name: str, *_: object) -> NoReturn:
    raise UnreadableFile(
        "XML",
        f"<!DOCTYPE {name}",
        "The file declares a document type, which is not supported. Save it without one, or as Turtle.",
    )


def _place(error: Exception) -> tuple[Words, Words]:
    match error:
        case BadSyntax():
            why = _WHY.search(str(error))
            return message("line {line}", line=str(error.lines + 1)), why[1] if why else ""
        case json.JSONDecodeError():
            return _at(error.lineno, error.colno), error.msg
        case expat.ExpatError():
            return _at(error.lineno, error.offset + 1), expat.ErrorString(error.code)
        case SAXParseException():
            return _at(error.getLineNumber(), (error.getColumnNumber() or 0) + 1), error.getMessage()
        case _:
            return _stated_place(error)


def _at(line: object, column: int) -> Message:
    return message("line {line}, column {column}", line=str(line), column=str(column))


def _stated_place(error: Exception) -> tuple[Words, Words]:
    placed = _PLACED.fullmatch(str(error))  # RDF/XML errors start with the place
    if placed and isinstance(error, ParserError):
        return _at(placed[1], int(placed[2]) + 1), placed[3]
    if error.args and isinstance(error.args[0], Message):
        return "", error.args[0]
    return "", str(error) or type(error).__name__


_NAMES = {".ttl": "Turtle", ".nt": "N-Triples", ".rdf": "RDF/XML", ".jsonld": "JSON-LD"}


def _broken(suffix: str, place: Words, why: Words) -> UnreadableFile:
    name = _NAMES[suffix]
    if not place:
        return UnreadableFile(
            name, "", "The file is not valid {format}: {reason}", format=name, reason=_sentence(why)
        )
    return UnreadableFile(
        name,
        place,
        "The file is not valid {format}, {place}: {reason} Correct that, and upload it again.",
        format=name,
        place=place if isinstance(place, Message) else message("{place}", place=place),
        reason=_sentence(why),
    )


def _sentence(why: Words) -> Words:
    # A parser's message is in English and may be very long.
    return why if isinstance(why, Message) or not why else f"{why[:200].removesuffix('.')}."
