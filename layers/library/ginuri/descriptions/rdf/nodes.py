"""RDF graphs: nodes with their statements, from which every RDF format is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from ginuri.descriptions.description import Reference, Text
from ginuri.descriptions.rdf.vocabulary import PREFIXES, XSD
from ginuri.registry.model import Texts
from ginuri.registry.texts.ntriples import BlankNode, Literal, as_iri
from ginuri.resolution.negotiation.preferences import LONGEST_REMEMBERED

# RDF 1.1 Concepts, §3.3: a language tag is well-formed by BCP 47.
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
# RDF 1.1 Turtle, §6.5: a subset of PN_LOCAL that is a name in JSON-LD as well
_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]*")
_PREFIX_OF = {namespace: prefix for prefix, namespace in PREFIXES.items()}
_MEDIA_TYPES = Path(__file__).with_name("registered-media-types.txt")


@dataclass(frozen=True, slots=True)
class Node:
    """A node and its statements, in order; a plain reference if there are none."""

    name: str | BlankNode | None
    """Its URI or blank node; None for an unnamed node that is nested in one place."""
    statements: tuple[Statement, ...] = ()


Value = Node | Literal
Statement = tuple[str, Value]
"""The URI of a property, and its value."""
Statements = Iterator[Statement]
Graph = tuple[Node, ...]
"""The first node is the main subject."""


def expand(name: str) -> str:
    """Return the URI of a term, which is a URI or has a prefix of `vocabulary.PREFIXES`.

    >>> expand("dcterms:title"), expand("https://example.org/p")
    ('http://purl.org/dc/terms/title', 'https://example.org/p')
    """
    return (_expand_again if len(name) <= LONGEST_REMEMBERED else _expand)(name)


def _expand(name: str) -> str:
    prefix, _, local = name.partition(":")
    return f"{PREFIXES[prefix]}{local}" if prefix in PREFIXES else as_iri(name)


def compact(uri: str) -> tuple[str, str] | None:
    """Return the prefix and the local name that a URI can be written with; None if it has none.

    >>> compact("http://purl.org/dc/terms/title"), compact("https://example.org/p")
    (('dcterms', 'title'), None)
    """
    return (_compact_again if len(uri) <= LONGEST_REMEMBERED else _compact)(uri)


def _compact(uri: str) -> tuple[str, str] | None:
    # Every namespace ends in one of these two characters, which local names do not contain.
    end = max(uri.rfind("/"), uri.rfind("#")) + 1
    prefix = _PREFIX_OF.get(uri[:end])
    return (prefix, uri[end:]) if prefix is not None and _LOCAL.fullmatch(uri, end) else None


# A description repeats few terms many times; long ones are not cached, because stewards choose their length.
_expand_again = lru_cache(maxsize=1024)(_expand)
_compact_again = lru_cache(maxsize=1024)(_compact)


def node(uri: str | None, statements: Iterable[tuple[str, Value]] = ()) -> Node:
    """Return a node, named or not, from statements with properties for `expand`."""
    gathered = dict.fromkeys((expand(name), value) for name, value in statements)
    return Node(None if uri is None else as_iri(uri), tuple(gathered))


def term(name: str) -> Node:
    """Refer to a term of a vocabulary, which is an argument of `expand`."""
    return Node(expand(name))


def reference(named: Reference) -> Value:
    """Write a reference: a node, or a literal if it has no URI.

    A registered title is repeated unless it is shortened, as that would be another title.
    """
    if named.uri is None:
        return text_value(named.title)
    titles = (
        ()
        if named.identifier is None or named.is_shortened
        else (("dcterms:title", text_value(named.title)),)
    )
    return node(named.uri, titles)


def texts(name: str, stated: Texts) -> Statements:
    """Yield a statement for each language of a text."""
    return ((name, text_value(Text(text, language))) for language, text in stated.items())


def text_value(text: Text) -> Literal:
    """Write a text, with its language if that is known."""
    return literal(text.text, language=text.language if _LANGUAGE.fullmatch(text.language) else "")


def typed(value: str, datatype: str) -> Literal:
    """Write a value of a datatype of XML Schema."""
    return literal(value, datatype=f"{XSD}{datatype}")


def literal(text: str, language: str = "", datatype: str = "") -> Literal:
    """Write a literal."""
    # RDF 1.1 Concepts, §3.3: without a datatype it is a string.
    return Literal(text, language, "" if datatype == f"{XSD}string" else datatype)


def media_type(text: str) -> tuple[str, Value]:
    """State a media type, without its parameters.

    DCAT 3 asks for dcat:mediaType where IANA registers the type, and for dcterms:format elsewhere.

    >>> media_type("TEXT/CSV; header=present")
    ('dcat:mediaType', Node(name='https://www.iana.org/assignments/media-types/text/csv', statements=()))
    """
    name = text.partition(";")[0].strip()
    registered = _registered().get(name.lower())
    if registered is None:
        return "dcterms:format", literal(name)
    return "dcat:mediaType", node(f"https://www.iana.org/assignments/media-types/{registered}")


@cache
def _registered() -> Mapping[str, str]:
    """Return the registered names by their spelling in lower case."""
    _, *names = _MEDIA_TYPES.read_text(encoding="ascii").splitlines()
    return {name.lower(): name for name in names}
