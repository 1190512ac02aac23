"""What SKOS says that a vocabulary must not be (SKOS Reference, S14), and what makes a hierarchy none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ginuri.files.rdf import vocabulary as words
from ginuri.files.rdf.graphs import Graph
from ginuri.files.remarks import write_remark
from ginuri.identifiers.messages import message
from ginuri.registration.ntriples import Literal

_MOST_NAMED = 10
"""How many concepts of a circle are named."""


def remark_on_labels(graph: Graph) -> Iterator[bytes]:
    """Remark on subjects with two preferred labels in one language."""
    for subject, said in graph.items():
        labels = [each for each in said.get(words.PREF_LABEL, ()) if isinstance(each, Literal)]
        for language, times in Counter(each.language for each in labels).items():
            if times > 1 and isinstance(subject, str):
                texts = sorted(each.text for each in labels if each.language == language)
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
    """Remark on concepts that are broader than themselves, one remark a circle."""
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
        *((subject, target) for subject, said in graph.items() for target in said.get(words.BROADER, ())),
        *((target, subject) for subject, said in graph.items() for target in said.get(words.NARROWER, ())),
    ]
    broader: dict[str, set[str]] = {}
    for narrow, broad in pairs:
        if isinstance(narrow, str) and isinstance(broad, str):
            broader.setdefault(narrow, set()).add(broad)
    return broader


def _circle(broader: dict[str, set[str]]) -> list[str]:
    """Find a circle. What leads into none is taken away first, so that any way ends in one."""
    _prune(broader)
    if not broader:
        return []
    path: dict[str, None] = {}
    at = min(broader)
    while at not in path:
        path[at] = None
        at = min(each for each in broader[at] if each in broader)
    steps = list(path)
    return steps[steps.index(at) :]


def _prune(broader: dict[str, set[str]]) -> None:
    narrower: dict[str, list[str]] = {}
    open_ways = {}
    for narrow, targets in broader.items():
        further = [each for each in targets if each in broader]
        open_ways[narrow] = len(further)
        for each in further:
            narrower.setdefault(each, []).append(narrow)
    todo = [each for each, ways in open_ways.items() if not ways]
    while todo:
        ended = todo.pop()
        broader.pop(ended)
        for each in narrower.get(ended, ()):
            open_ways[each] -= 1
            if not open_ways[each]:
                todo.append(each)
