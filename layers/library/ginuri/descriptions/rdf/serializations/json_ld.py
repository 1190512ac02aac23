"""RDF as JSON-LD 1.1 with an inline context: the main node first, other nodes nested in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ginuri.descriptions.json.indented import write_indented
from ginuri.descriptions.rdf.nodes import Graph, Node, Value, compact, expand
from ginuri.descriptions.rdf.vocabulary import PREFIXES, XSD
from ginuri.registry.texts.ntriples import BlankNode

_TYPE = expand("rdf:type")
_BOOLEANS = {"true": True, "false": False}
# JSON-LD 1.1, §8.6: a number without a fraction is an xsd:integer in canonical form.
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,14}")
_USUAL = ("http:", "https:")


def write_json_ld(graph: Graph) -> bytes:
    """Write RDF as JSON-LD, in UTF-8."""
    context = _context(graph)
    first, *others = graph
    document = {"@context": context, **_write(first, context)}
    if others:
        # JSON-LD 1.1, §4.1.7: nodes beside the main one, such as triples that were uploaded as RDF.
        document["@included"] = [_write(other, context) for other in others]
    return write_indented(document).encode()


def _context(graph: Graph) -> dict[str, str]:
    # JSON-LD 1.1, §4.1.5: an IRI whose scheme equals a prefix would be read as a compact IRI.
    schemes = {iri.partition(":")[0] for iri in _iris(graph) if not iri.startswith(_USUAL)}
    return {prefix: uri for prefix, uri in PREFIXES.items() if prefix not in schemes}


def _iris(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node.name, str):
            yield node.name
        yield from (predicate for predicate, _ in node.statements)
        yield from _iris(value for _, value in node.statements if isinstance(value, Node))


def _write(node: Node, context: dict[str, str]) -> dict[str, Any]:
    gathered: dict[str, list[Any]] = {}
    for predicate, value in node.statements:
        if predicate == _TYPE and isinstance(value, Node) and isinstance(value.name, str):
            name, member = "@type", _shorten(value.name, context)
        else:
            name, member = _shorten(predicate, context), _value(value, context)
        gathered.setdefault(name, []).append(member)
    # A single value is not written as a list.
    members = {name: values[0] if len(values) == 1 else values for name, values in gathered.items()}
    return members if node.name is None else {"@id": _name(node.name, context), **members}


def _value(value: Value, context: dict[str, str]) -> Any:  # noqa: ANN401  any JSON
    if isinstance(value, Node):
        return _write(value, context)
    if value.language:
        return {"@value": value.text, "@language": value.language}
    if value.datatype == f"{XSD}boolean" and value.text in _BOOLEANS:
        return _BOOLEANS[value.text]
    if value.datatype == f"{XSD}integer" and _INTEGER.fullmatch(value.text):
        return int(value.text)
    if value.datatype:
        return {"@value": value.text, "@type": _shorten(value.datatype, context)}
    return value.text


def _name(name: str | BlankNode, context: dict[str, str]) -> str:
    return f"_:{name.label}" if isinstance(name, BlankNode) else _shorten(name, context)


def _shorten(uri: str, context: dict[str, str]) -> str:
    compacted = compact(uri)
    return ":".join(compacted) if compacted is not None and compacted[0] in context else uri
