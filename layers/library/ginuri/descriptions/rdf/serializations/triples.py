"""RDF graphs as triples, and as N-Triples."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ginuri.descriptions.rdf.nodes import Graph, Node
from ginuri.registry.texts.ntriples import BlankNode, Triple, write_term


def flatten(graph: Graph) -> tuple[Triple, ...]:
    """Return every triple once, those about a node before those about its values."""
    numbers = count(1)
    return tuple(
        dict.fromkeys(triple for node in graph for triple in _flatten(node, _name(node, numbers), numbers))
    )


def write_n_triples(graph: Graph) -> bytes:
    """Write RDF as N-Triples (RDF 1.1 N-Triples), in UTF-8."""
    lines = (" ".join(map(write_term, triple)) for triple in flatten(graph))
    return "".join(f"{line} .\n" for line in lines).encode()


def _flatten(node: Node, name: str | BlankNode, numbers: Iterator[int]) -> Iterator[Triple]:
    within: list[tuple[Node, str | BlankNode]] = []
    for predicate, value in node.statements:
        if isinstance(value, Node):
            target = _name(value, numbers)
            within.append((value, target))
            yield name, predicate, target
        else:
            yield name, predicate, value
    for inner, target in within:
        yield from _flatten(inner, target, numbers)


def _name(node: Node, numbers: Iterator[int]) -> str | BlankNode:
    return BlankNode(f"n{next(numbers)}") if node.name is None else node.name
