"""The triples that an RDF file stated about an identifier, as nodes beside those of the description."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.descriptions.rdf.nodes import Node, Value, literal
from ginuri.registry.model import Registered, Resource
from ginuri.registry.texts.ntriples import BlankNode, Literal, Term, Triple, group, read_triples


def subject_of(record: Registered) -> str | None:
    """Return the subject of a record's triples, as written there; None if it has none."""
    subject = next((subject for subject, _, _ in _triples(record)), None)
    return subject if isinstance(subject, str) else None


def stated_nodes(record: Registered) -> Iterator[Node]:
    """Yield a node for the subject of the triples, and one for each blank node."""
    for subject, pairs in group(_triples(record)).items():
        yield Node(_name(subject), tuple(dict.fromkeys((name, _value(target)) for name, target in pairs)))


def _triples(record: Registered) -> Iterator[Triple]:
    stated = record.triples if isinstance(record, Resource) else None
    return read_triples(stated) if stated else iter(())


def _value(term: Term) -> Value:
    if isinstance(term, Literal):
        return literal(term.text, term.language, term.datatype)
    return Node(_name(term))


def _name(term: str | BlankNode) -> str | BlankNode:
    # The prefix keeps these labels apart from those that `descriptions.rdf.serializations.triples` assigns.
    return BlankNode(f"t{term.label}") if isinstance(term, BlankNode) else term
