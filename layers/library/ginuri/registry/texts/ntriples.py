"""Triples about one subject as canonical N-Triples (RDF 1.1 N-Triples, §7), one triple per line.

Descriptions are written from them, so this module needs no library; whole RDF files are read in
`ginuri.files.rdf.graphs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from ginuri.identifiers.messages import message
from ginuri.registry.texts.literals import QUOTED, read_literal, write_literal
from ginuri.registry.texts.plain_text import UNPLAIN

MOST_BYTES = 32 * 1024
"""The most bytes of UTF-8 of the triples of one record."""

# §7  IRIREF and LANGTAG, with only the necessary escapes
_IRI = r"<([A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>\"{}|^`\\]*)>"
_BLANK = r"_:([A-Za-z0-9]+)"
_LITERAL = rf"{QUOTED}(?:\^\^{_IRI}|@([A-Za-z]{{1,8}}(?:-[A-Za-z0-9]{{1,8}})*))?"
_TRIPLE = re.compile(
    rf"[ \t]*(?:{_IRI}|{_BLANK})[ \t]+{_IRI}[ \t]+(?:{_IRI}|{_BLANK}|{_LITERAL})[ \t]*\.[ \t]*"
)
# RFC 3987 §2.2  ucschar: no controls and no noncharacters; §4.1: no embeddings and no overrides
_EXCLUDED = r"\x00-\x20<>\"{}|^`\\"
_NO_IRI = re.compile(f"[{_EXCLUDED}{UNPLAIN}]")
_NO_URI = re.compile(rf"[{_EXCLUDED}\x7f]")
"""The same pattern for ASCII text, five times as fast."""

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_CONCEPT, _DOCUMENT = f"{_SKOS}Concept", "http://xmlns.com/foaf/0.1/Document"
_OF_CONCEPTS = {f"{_SKOS}inScheme", f"{_SKOS}topConceptOf"}


@dataclass(frozen=True, slots=True)
class Literal:
    """A text with its language, or with the URI of its datatype unless that is a string."""

    text: str
    language: str = ""
    datatype: str = ""


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A node without a name; its label is valid within one text only."""

    label: str


Term = str | BlankNode | Literal
"""A plain text is an IRI."""
Triple = tuple[str | BlankNode, str, Term]


def write_term(term: Term) -> str:
    """Write a term; characters that an IRI cannot contain are percent-encoded."""
    if isinstance(term, BlankNode):
        return f"_:{term.label}"
    if isinstance(term, str):
        return f"<{as_iri(term)}>"
    text = write_literal(term.text)
    if term.language:
        return f'"{text}"@{term.language}'
    return f'"{text}"^^{write_term(term.datatype)}' if term.datatype else f'"{text}"'


def as_iri(text: str) -> str:
    """Percent-encode the characters that an IRI cannot contain.

    >>> as_iri("https://example.org/a map")
    'https://example.org/a%20map'
    """
    return (_NO_URI if text.isascii() else _NO_IRI).sub(lambda found: quote(found[0]), text)


def read_triples(text: str) -> Iterator[Triple]:
    """Read triples about one subject.

    The first subject is an IRI; any other is a blank node that an earlier triple has as its object. Raises
    ValueError, with the number of the line, for any other line.
    """
    about: str | BlankNode | None = None
    led_to: set[BlankNode] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        found = _TRIPLE.fullmatch(line)
        if found is None:
            raise ValueError(
                message(
                    "Line {number} is not a triple in canonical N-Triples: {line}",
                    number=str(number),
                    line=repr(line[:80]),
                )
            )
        subject, predicate, target = _triple(found)
        about = subject if about is None else about
        if isinstance(about, BlankNode) or (subject != about and subject not in led_to):
            raise ValueError(
                message(
                    "Line {number} is not about the subject of the first line. Keep the triples about one "
                    "subject only.",
                    number=str(number),
                )
            )
        if isinstance(target, BlankNode):
            led_to.add(target)
        yield subject, predicate, target


def is_concept(triples: str) -> bool:
    """Return whether triples make their subject a SKOS concept and not a document.

    >>> is_concept('<u:a> <http://www.w3.org/2004/02/skos/core#inScheme> <u:b> .')
    True
    """
    read = list(read_triples(triples))
    stated = {(predicate, target) for subject, predicate, target in read if subject == read[0][0]}
    is_stated = (_TYPE, _CONCEPT) in stated or any(predicate in _OF_CONCEPTS for predicate, _ in stated)
    return is_stated and (_TYPE, _DOCUMENT) not in stated


def group(triples: Iterator[Triple]) -> Mapping[str | BlankNode, list[tuple[str, Term]]]:
    """Group triples by subject, in their order."""
    grouped: dict[str | BlankNode, list[tuple[str, Term]]] = {}
    for subject, predicate, target in triples:
        grouped.setdefault(subject, []).append((predicate, target))
    return grouped


def _triple(found: re.Match[str]) -> Triple:
    subject, blank, predicate, target, blank_target, text, datatype, language = found.groups()
    about = subject if subject is not None else BlankNode(blank)
    if target is not None:
        return about, predicate, target
    if blank_target is not None:
        return about, predicate, BlankNode(blank_target)
    return about, predicate, Literal(read_literal(text), language or "", datatype or "")
