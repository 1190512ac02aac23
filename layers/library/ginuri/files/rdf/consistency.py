"""Checks of a vocabulary: duplicate preferred labels (SKOS Reference, S14) and cyclic hierarchies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ginuri.files.rdf import vocabulary as words
from ginuri.files.rdf.graphs import Graph
from ginuri.files.rdf.remarks import write_remark
from ginuri.identifiers.messages import message
from ginuri.registry.texts.ntriples import Literal

# The most concepts of a cycle in a remark.
_MOST_NAMED = 10


def remark_on_labels(graph: Graph) -> Iterator[bytes]:
    """Remark on subjects with two preferred labels in one language."""
    for subject, properties in graph.items():
        labels = [label for label in properties.get(words.PREF_LABEL, ()) if isinstance(label, Literal)]
        for language, times in Counter(label.language for label in labels).items():
            if times > 1 and isinstance(subject, str):
                texts = sorted(label.text for label in labels if label.language == language)
                remark = message(
                    "{subject} has {number} preferred labels in the language {language}. Its title is "
                    "{title}, the first in alphabetical order. Make the others alternative labels.",
                    subject=subject,
                    number=str(times),
                    language=repr(language),
                    title=repr(texts[0]),
                )
                yield write_remark("skos:prefLabel", "SKOS S14", subject, remark)


def remark_on_circles(graph: Graph) -> Iterator[bytes]:
    """Remark on each cycle of broader concepts."""
    broader = _broader(graph)
    while circle := _circle(broader):
        path = " → ".join((*circle[:_MOST_NAMED], *(["…"] if len(circle) > _MOST_NAMED else []), circle[0]))
        remark = message(
            "These broader concepts form a circle: {path}. Remove one of the statements.", path=path
        )
        yield write_remark("skos:broader", "circle", circle[0], remark)
        for concept in circle:
            broader.pop(concept)


def _broader(graph: Graph) -> dict[str, set[str]]:
    pairs = [
        *(
            (subject, target)
            for subject, properties in graph.items()
            for target in properties.get(words.BROADER, ())
        ),
        *(
            (target, subject)
            for subject, properties in graph.items()
            for target in properties.get(words.NARROWER, ())
        ),
    ]
    broader: dict[str, set[str]] = {}
    for narrow, broad in pairs:
        if isinstance(narrow, str) and isinstance(broad, str):
            broader.setdefault(narrow, set()).add(broad)
    return broader


def _circle(broader: dict[str, set[str]]) -> list[str]:
    """Find a cycle; empty without one. Concepts outside cycles are removed first, so any path ends in one."""
    _prune(broader)
    if not broader:
        return []
    path: dict[str, None] = {}
    concept = min(broader)
    while concept not in path:
        path[concept] = None
        concept = min(target for target in broader[concept] if target in broader)
    steps = list(path)
    return steps[steps.index(concept) :]


def _prune(broader: dict[str, set[str]]) -> None:
    narrower: dict[str, list[str]] = {}
    open_ways = {}
    for narrow, targets in broader.items():
        further = [concept for concept in targets if concept in broader]
        open_ways[narrow] = len(further)
        for concept in further:
            narrower.setdefault(concept, []).append(narrow)
    todo = [concept for concept, ways in open_ways.items() if not ways]
    while todo:
        ended = todo.pop()
        broader.pop(ended)
        for concept in narrower.get(ended, ()):
            open_ways[concept] -= 1
            if not open_ways[concept]:
                todo.append(concept)
