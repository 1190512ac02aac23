"""The triples that a file of RDF stated about an identifier, as nodes of JSON-LD."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.core.model import Registered, Resource
from ginuri.core.ntriples import Blank, Literal, Term, Triple, group, read_triples
from ginuri.descriptions.nodes import Node, node

_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def subject_of(record: Registered) -> str | None:
    """Give what the triples of a record are about, as they call it; None where it has none."""
    subject = next((subject for subject, _, _ in _triples(record)), None)
    return subject if isinstance(subject, str) else None


def included_nodes(record: Registered) -> Iterator[Node]:
    """Give a node for the subject of the triples, and one for each blank node (JSON-LD 1.1, §4.1.7)."""
    for subject, said in group(_triples(record)).items():
        statements = (
            ("@type", target) if name == _TYPE and isinstance(target, str) else (name, _value(target))
            for name, target in said
        )
        yield node(_name(subject), statements)


def _triples(record: Registered) -> Iterator[Triple]:
    stated = record.triples if isinstance(record, Resource) else None
    return read_triples(stated) if stated else iter(())


def _value(term: Term) -> Node | str:
    if not isinstance(term, Literal):
        return {"@id": _name(term)}
    if term.language:
        return {"@value": term.text, "@language": term.language}
    return {"@value": term.text, "@type": term.datatype} if term.datatype else term.text


def _name(term: str | Blank) -> str:
    return f"_:{term.label}" if isinstance(term, Blank) else term
