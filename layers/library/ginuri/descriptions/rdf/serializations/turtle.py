"""RDF as Turtle (RDF 1.1 Turtle): one block per subject, blank nodes nested where they are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ginuri.descriptions.rdf.nodes import Graph, compact, expand
from ginuri.descriptions.rdf.serializations.triples import flatten
from ginuri.descriptions.rdf.vocabulary import PREFIXES
from ginuri.registry.texts.ntriples import BlankNode, Literal, Term, group, write_term

_MOST_NESTED = 4
_TYPE = expand("rdf:type")
_Triples = Mapping[str | BlankNode, Sequence[tuple[str, Term]]]


def write_turtle(graph: Graph) -> bytes:
    """Write RDF as Turtle, in UTF-8."""
    return _Turtle(group(iter(flatten(graph)))).write().encode()


class _Turtle:
    def __init__(self, triples: _Triples) -> None:
        self._triples = triples
        led_to = Counter(
            target for pairs in triples.values() for _, target in pairs if isinstance(target, BlankNode)
        )
        self._within = {blank for blank, times in led_to.items() if times == 1}
        self._used: set[str] = set()

    def write(self) -> str:
        """Write the prefixes, then a block for each subject that is not nested elsewhere."""
        subjects = [subject for subject in self._triples if subject not in self._within]
        # The list grows during the loop, by nodes that are nested too deep.
        blocks = [f"{self._term(subject)} {self._pairs(subject, 1, subjects)} .\n" for subject in subjects]
        prefixes = (f"@prefix {prefix}: <{PREFIXES[prefix]}> .\n" for prefix in sorted(self._used))
        return "\n".join(("".join(prefixes), *blocks))

    def _pairs(self, subject: str | BlankNode, depth: int, later: list[str | BlankNode]) -> str:
        targets: dict[str, list[str]] = {}
        for name, target in self._triples.get(subject, ()):
            predicate = "a" if name == _TYPE else self._term(name)
            targets.setdefault(predicate, []).append(self._target(target, depth, later))
        lines = (f"{name} {', '.join(values)}" for name, values in targets.items())
        return f" ;\n{'  ' * depth}".join(lines)

    def _target(self, target: Term, depth: int, later: list[str | BlankNode]) -> str:
        if not isinstance(target, BlankNode) or target not in self._within:
            return self._term(target)
        if target not in self._triples:
            return "[]"
        if depth > _MOST_NESTED:
            later.append(target)
            return self._term(target)
        return f"[ {self._pairs(target, depth + 1, later)} ]"

    def _term(self, term: Term) -> str:
        if isinstance(term, Literal) and term.datatype:
            return f"{write_term(Literal(term.text))}^^{self._term(term.datatype)}"
        if isinstance(term, str):
            return self._shorten(term)
        return write_term(term)

    def _shorten(self, uri: str) -> str:
        compacted = compact(uri)
        if compacted is None:
            return write_term(uri)
        prefix, local = compacted
        self._used.add(prefix)
        return f"{prefix}:{local}"
