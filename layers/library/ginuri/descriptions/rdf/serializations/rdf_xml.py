"""RDF as RDF/XML (RDF 1.1 XML Syntax): one flat `rdf:Description` per subject."""

from __future__ import annotations

import string
from collections.abc import Iterator
from html import escape

from ginuri.descriptions.rdf.nodes import Graph
from ginuri.descriptions.rdf.serializations.triples import flatten
from ginuri.descriptions.rdf.vocabulary import PREFIXES
from ginuri.registry.texts.ntriples import BlankNode, Literal, Term, group

_RDF = PREFIXES["rdf"]
# Namespaces in XML 1.0, §3  NCName, of the characters that are letters in every edition
_NO_BEGINNING = f"{string.digits}.-"
_LOCAL = f"{string.ascii_letters}_{_NO_BEGINNING}"
# RDF 1.1 XML Syntax, §6.1.4: forbidden names of property elements, and `li`, which is numbered
_NO_PROPERTIES = frozenset(
    f"{_RDF}{name}"
    for name in (
        "Description",
        "RDF",
        "ID",
        "about",
        "aboutEach",
        "aboutEachPrefix",
        "bagID",
        "datatype",
        "li",
        "nodeID",
        "parseType",
        "resource",
    )
)
# Namespaces in XML 1.0, §3: these two are bound only to `xml` and `xmlns`
_BOUND = {"http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"}


def write_rdf_xml(graph: Graph) -> bytes:
    """Write RDF as RDF/XML, in UTF-8.

    A property whose URI does not end in an XML name cannot be written, and is left out.
    """
    statements = group(iter(flatten(graph)))
    bound = "".join(f'\n  xmlns:{prefix}="{uri}"' for prefix, uri in PREFIXES.items())
    subjects = "".join(
        f"<rdf:Description {_subject(subject)}>\n{''.join(_properties(pairs))}</rdf:Description>\n"
        for subject, pairs in statements.items()
    )
    return f'<?xml version="1.0" encoding="utf-8"?>\n<rdf:RDF{bound}>\n{subjects}</rdf:RDF>\n'.encode()


def is_writable(predicate: str) -> bool:
    """Return whether RDF/XML has an element for a property.

    >>> is_writable("http://purl.org/dc/terms/title"), is_writable("https://example.org/1997")
    (True, False)
    """
    namespace, local = _split(predicate)
    return bool(local) and bool(namespace) and namespace not in _BOUND and predicate not in _NO_PROPERTIES


def _subject(subject: str | BlankNode) -> str:
    if isinstance(subject, BlankNode):
        return f'rdf:nodeID="{subject.label}"'
    return f'rdf:about="{escape(subject)}"'


def _properties(pairs: list[tuple[str, Term]]) -> Iterator[str]:
    for name, target in pairs:
        if is_writable(name):
            element, bound = _element(name)
            yield f"  <{element}{bound}{_target(target)}</{element}>\n"


def _element(name: str) -> tuple[str, str]:
    namespace, local = _split(name)
    prefix = next((prefix for prefix, uri in PREFIXES.items() if uri == namespace), None)
    return (f"{prefix}:{local}", "") if prefix else (f"n:{local}", f' xmlns:n="{escape(namespace)}"')


def _split(name: str) -> tuple[str, str]:
    # From the end, as a regular expression would start again at each letter of a long name.
    local = name[len(name.rstrip(_LOCAL)) :]
    for uri in PREFIXES.values():  # a name in a known namespace is not split in the middle
        rest = name[len(uri) :] if name.startswith(uri) else ""
        if rest and local.endswith(rest) and rest[0] not in _NO_BEGINNING:
            return uri, rest
    local = local.lstrip(_NO_BEGINNING)
    return name[: len(name) - len(local)], local


def _target(target: Term) -> str:
    match target:
        case BlankNode(label):
            return f' rdf:nodeID="{label}">'
        case Literal(text, language, datatype):
            # XML 1.0, §2.11: parsers turn other line ends into line feeds.
            written = escape(text, quote=False).replace("\r", "&#13;")
            typed = f' rdf:datatype="{escape(datatype)}"' if datatype else ""
            attribute = f' xml:lang="{language}"' if language else typed
            return f"{attribute}>{written}"
        case _:
            return f' rdf:resource="{escape(target)}">'
