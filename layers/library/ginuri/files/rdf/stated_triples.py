"""The triples of a subject and of the blank nodes it leads to, as reproducible text."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice

from ginuri.files.rdf.graphs import MOST_TRIPLES, Graph
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registry.texts.ntriples import MOST_BYTES, BlankNode, Term, write_term

# The depth to which blank nodes are compared for sorting; equal nodes keep the file order.
_DEPTH = 6
# The most triples written for one file: every subject that leads to a blank node repeats it.
_MOST_WRITTEN = 3 * MOST_TRIPLES
# The shortest possible triple, in bytes.
_LEAST_LINE = 16


class StatedTripleWriter:
    """Writes the triples of a graph, one subject at a time."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._keys: dict[tuple[BlankNode, int], str] = {}
        self._written = 0

    def write(self, subject: str) -> str | None:
        """Write the triples of a subject as N-Triples; None for more than a record may have.

        Raises UnreadableFile if shared blank nodes would exceed _MOST_WRITTEN.
        """
        lines: list[str] = []
        length = 0
        for line in self._lines(subject):
            self._written += 1
            if self._written > _MOST_WRITTEN:
                raise UnreadableFile(
                    "size",
                    f"> {_MOST_WRITTEN:,}",
                    "Too many subjects lead to the same blank nodes. Give those nodes names, or split the "
                    "file.",
                )
            length += len(line.encode()) + 1
            if length > MOST_BYTES:
                return None
            lines.append(line)
        return "\n".join(lines)

    def _lines(self, subject: str) -> Iterator[str]:
        labels: dict[BlankNode, BlankNode] = {}
        todo: list[str | BlankNode] = [subject]
        for node in todo:  # the list grows in the loop
            start = _write(node, labels)
            for predicate, target in self._sorted(node):
                if isinstance(target, BlankNode) and target not in labels:
                    labels[target] = BlankNode(f"b{len(labels)}")
                    todo.append(target)
                yield f"{start} {write_term(predicate)} {_write(target, labels)} ."

    def _sorted(self, node: str | BlankNode) -> list[tuple[str, Term]]:
        # More triples would not fit into a record anyway.
        pairs = islice(self._pairs(node), MOST_BYTES // _LEAST_LINE + 1)
        return sorted(pairs, key=lambda pair: (pair[0], self._key(pair[1], _DEPTH)))

    def _pairs(self, node: str | BlankNode) -> Iterator[tuple[str, Term]]:
        return ((name, target) for name, targets in self._graph.get(node, {}).items() for target in targets)

    def _key(self, term: Term, depth: int) -> str:
        if not isinstance(term, BlankNode) or not depth:
            return "_:" if isinstance(term, BlankNode) else write_term(term)
        if (term, depth) not in self._keys:
            lines = sorted(f"{name} {self._key(target, depth - 1)}" for name, target in self._pairs(term))
            self._keys[term, depth] = f"_:{sha256('  '.join(lines).encode()).hexdigest()}"
        return self._keys[term, depth]


def _write(term: Term, labels: dict[BlankNode, BlankNode]) -> str:
    return write_term(labels[term] if isinstance(term, BlankNode) and term in labels else term)
