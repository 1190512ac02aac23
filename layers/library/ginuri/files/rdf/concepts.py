"""What a subject of RDF says → a registration, in the words of docs/reference/registrations.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ginuri.files.rdf import vocabulary as words
from ginuri.files.rdf.graphs import Graph
from ginuri.files.rdf.subjects import Subjects, to_uri
from ginuri.files.values import is_followable
from ginuri.identifiers import Kind
from ginuri.registration.ntriples import BlankNode, Literal, Term
from ginuri.registry.geometry import Geometry, bounds_of, read_geometry
from ginuri.registry.locations import is_location
from ginuri.registry.model import Status

MOST_LINKS = 100
"""How many links of one subject are kept as such."""
_MEDIA_TYPE = re.compile(
    r"(?:https?://www\.iana\.org/assignments/media-types/)?([a-z0-9.+\-]+/[A-Za-z0-9.+\-]+)"
)
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_TOLD_APART = {
    words.TYPE,
    words.IN_SCHEME,
    words.TOP_CONCEPT_OF,
    words.IS_PART_OF,
    words.DISTRIBUTION,
    words.DOWNLOAD_URL,
    words.MEDIA_TYPE,
}
_UNLESS_OURS = {words.HAS_TOP_CONCEPT, words.IS_REPLACED_BY}
_TEXTS = {*words.TITLES, *words.DESCRIPTIONS}
_TRUE, _FALSE = {"true", "1"}, {"false", "0"}

Registration = dict[str, Any]
Said = Mapping[str, Iterable[Term]]


class RegistrationBuilder:
    """Makes registrations of the subjects of one graph."""

    def __init__(self, graph: Graph, subjects: Subjects) -> None:
        self._graph = graph
        self._subjects = subjects
        self._scheme_of = {
            concept: scheme
            for scheme, said in graph.items()
            if isinstance(scheme, str)
            for concept in said.get(words.HAS_TOP_CONCEPT, ())
            if isinstance(concept, str)
        }

    def write(self, subject: str, identifier: str) -> Registration:
        """Make the registration of a subject; what it says nothing about is left out."""
        said = self._graph[subject]
        whole, wholes = self._whole(subject, said)
        told = {
            "identifier": identifier,
            "kind": str(Kind.THING) if _is_term(identifier, said) else None,
            "title": _texts(said, words.TITLES),
            "description": _texts(said, words.DESCRIPTIONS),
            **self._life(said),
            "part_of": whole,
            "spatial": self._place(subject, said),
            "properties": _properties(said),
            "links": [*wholes, *self._links(said)][:MOST_LINKS],
            "representations": list(self._forms(said)),
        }
        return {name: value for name, value in told.items() if value}

    def count_links(self, subject: str) -> int:
        """Tell how many links a subject has, those that are not kept included."""
        said = self._graph[subject]
        return len([*self._whole(subject, said)[1], *self._links(said)])

    def _whole(self, subject: str, said: Said) -> tuple[str | None, list[dict[str, str]]]:
        """Give the identifier of what it is part of, and as links what else it is part of."""
        stated = [
            (name, each)
            for name in (words.IN_SCHEME, words.TOP_CONCEPT_OF, words.IS_PART_OF)
            for each in said.get(name, ())
            if isinstance(each, str)
        ]
        if subject in self._scheme_of:
            stated.append((words.IN_SCHEME, self._scheme_of[subject]))
        ours = [identifier for _, each in stated if (identifier := self._subjects.refer(each))]
        others = [(name, each) for name, each in stated if not ours or self._subjects.refer(each) != ours[0]]
        links = [link for name, each in dict.fromkeys(others) if (link := self._link(name, each))]
        return (ours[0] if ours else None), links

    def _place(self, subject: str, said: Said) -> Geometry | None:
        """Give the first place that can be read: of the subject itself, or of what it says it is at."""
        places = [subject, *(each for each in said.get(words.SPATIAL, ()) if not isinstance(each, Literal))]
        shapes = [
            shape
            for place in places
            for shape in (place, *_nodes(self._graph.get(place, {}), *words.HAS_GEOMETRY))
        ]
        for each in shapes:
            if (geometry := _geometry(self._graph.get(each, {}))) is not None:
                return geometry
        readable = (_read_place(each.text) for each in _literals(said, words.SPATIAL) if each.datatype)
        return next(filter(None, readable), None)

    def _life(self, said: Said) -> Registration:
        words_said = {each.text for each in said.get(words.DEPRECATED, ()) if isinstance(each, Literal)}
        names = [each for each in said.get(words.IS_REPLACED_BY, ()) if isinstance(each, str)]
        successor = next((found for each in names if (found := self._subjects.refer(each))), None)
        if successor:
            return {"status": str(Status.SUPERSEDED), "successor": successor}
        if words_said & _TRUE:
            return {"status": str(Status.RETIRED)}
        return {"status": str(Status.VALID)} if words_said & _FALSE else {}

    def _links(self, said: Said) -> Iterator[dict[str, str]]:
        for name in said:
            for target in _nodes(said, name):
                # Its concepts say themselves that they are part of a scheme; a successor has a field.
                ours = name in _UNLESS_OURS and isinstance(target, str) and self._subjects.refer(target)
                if isinstance(target, str) and name not in _TOLD_APART and not ours:
                    yield from filter(None, [self._link(name, target)])

    def _link(self, name: str, target: str) -> dict[str, str] | None:
        identifier, relation = self._subjects.refer(target), to_uri(name)
        href = identifier or to_uri(target)
        if not is_followable(relation) or not (identifier or is_followable(href)):
            return None
        return {"rel": words.RELATIONS.get(name, relation), "href": href}

    def _forms(self, said: Said) -> Iterator[dict[str, str]]:
        forms: dict[tuple[str, str], dict[str, str]] = {}
        for each in (said, *(self._graph.get(node, {}) for node in _nodes(said, words.DISTRIBUTION))):
            form = _form(each, is_distribution=each is not said)
            if form:  # two that nothing tells apart are one form: the first
                forms.setdefault((form.get("media_type", ""), form.get("language", "")), form)
        return iter(forms.values())


def _is_term(identifier: str, said: Said) -> bool:
    # Bound to a host, a final slash tells nothing: a term of a vocabulary is no document for lack of one.
    return identifier.startswith("//") and bool({words.IN_SCHEME, words.IS_DEFINED_BY} & said.keys())


def _form(said: Said, *, is_distribution: bool) -> dict[str, str] | None:
    names = (words.DOWNLOAD_URL, words.ACCESS_URL)[: 1 + is_distribution]
    where = (to_uri(each) for name in names for each in _nodes(said, name) if isinstance(each, str))
    location = next(filter(is_location, where), None)
    if location is None:
        return None
    kinds = (_media_type(each) for name in words.FORMATS for each in said.get(name, ()))
    languages = (each.text for each in _literals(said, words.LANGUAGE) if _LANGUAGE.fullmatch(each.text))
    told = {
        "media_type": next(filter(None, kinds), None),
        "language": next(languages, None),
        "location": location,
    }
    return {name: value for name, value in told.items() if value}


def _nodes(said: Said, *names: str) -> list[str | BlankNode]:
    return [each for name in names for each in said.get(name, ()) if not isinstance(each, Literal)]


def _geometry(said: Said) -> Geometry | None:
    texts = [each.text for name in words.GEOMETRIES for each in _literals(said, name)]
    degrees = [each.text for name in (words.LONGITUDE, words.LATITUDE) for each in _literals(said, name)[:1]]
    texts += [" ".join(degrees)] if len(degrees) == 2 else []  # noqa: PLR2004  longitude and latitude
    geometry = next(filter(None, map(_read_place, texts)), None)
    if geometry is None:
        return None
    boxes = [box for each in _literals(said, words.BBOX) if (box := _read_place(each.text))]
    is_box = any(each["coordinates"] == geometry["coordinates"] for each in boxes)
    return read_geometry(bounds_of(geometry)) if is_box else geometry


def _read_place(text: str) -> Geometry | None:
    # What cannot be read is kept as it is said, and costs nobody a registration.
    try:
        return read_geometry(text)
    except ValueError:
        return None


def _media_type(term: Term) -> str | None:
    text = term if isinstance(term, str) else term.text if isinstance(term, Literal) else ""
    found = _MEDIA_TYPE.fullmatch(text)
    return found[1].lower() if found else None


def _texts(said: Said, names: Iterable[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name in names:
        stated = sorted(_literals(said, name), key=lambda each: (each.language, each.text))
        for each in stated:
            texts.setdefault(each.language, each.text.strip())
    return texts


def _properties(said: Said) -> dict[str, str | list[str]]:
    gathered: dict[str, list[str]] = {}
    for name in said:
        word = words.PROPERTIES.get(name) or _dublin_core(name)
        if word is None or name in _TEXTS:
            continue
        for each in _literals(said, name):
            if name == words.SPATIAL and each.datatype and _read_place(each.text):
                continue
            key = f"{word}@{each.language}" if each.language else word
            gathered.setdefault(key, []).append(each.text.strip())
    return {
        key: values[0] if len(values) == 1 else sorted(values) for key, values in sorted(gathered.items())
    }


def _dublin_core(name: str) -> str | None:
    return next(
        (name.removeprefix(each) for each in (words.DCTERMS, words.DC) if name.startswith(each)), None
    )


def _literals(said: Said, name: str) -> list[Literal]:
    return [
        each
        for each in said.get(name, ())
        if isinstance(each, Literal)
        and each.text.strip()
        and (not each.language or _LANGUAGE.fullmatch(each.language))
    ]
