"""Converts an RDF subject to a registration, with the fields of docs/reference/registrations.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ginuri.files.rdf import vocabulary as words
from ginuri.files.rdf.graphs import Graph
from ginuri.files.rdf.subjects import Subjects, to_uri
from ginuri.files.schema.values import is_followable
from ginuri.identifiers import Kind
from ginuri.registry.locations import is_location
from ginuri.registry.metadata.geometry import Geometry, bounds_of
from ginuri.registry.metadata.geometry_reader import read_geometry, read_place
from ginuri.registry.model import Status
from ginuri.registry.texts.ntriples import BlankNode, Literal, Term

MOST_LINKS = 100
"""The most links of one subject that are registered as links."""
_MEDIA_TYPE = re.compile(
    r"(?:https?://www\.iana\.org/assignments/media-types/)?([a-z0-9.+\-]+/[A-Za-z0-9.+\-]+)"
)
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_HANDLED_SEPARATELY = {
    words.TYPE,
    words.IN_SCHEME,
    words.TOP_CONCEPT_OF,
    words.IS_PART_OF,
    words.DISTRIBUTION,
    words.DOWNLOAD_URL,
    words.MEDIA_TYPE,
}
_UNLESS_OURS = {words.HAS_TOP_CONCEPT, words.IS_REPLACED_BY}
# The suffixes of identifiers of files, rather than of the vocabularies in them.
_FILE_SUFFIXES = (".ttl", ".nt", ".n3", ".rdf", ".owl", ".xml", ".jsonld")
_TEXTS = {*words.TITLES, *words.DESCRIPTIONS}
_TRUE, _FALSE = {"true", "1"}, {"false", "0"}

Registration = dict[str, Any]
Properties = Mapping[str, Iterable[Term]]


class RegistrationBuilder:
    """Builds registrations from the subjects of one graph."""

    def __init__(self, graph: Graph, subjects: Subjects) -> None:
        self._graph = graph
        self._subjects = subjects
        self._scheme_of = {
            concept: scheme
            for scheme, properties in graph.items()
            if isinstance(scheme, str)
            for concept in properties.get(words.HAS_TOP_CONCEPT, ())
            if isinstance(concept, str)
        }

    def write(self, subject: str, identifier: str) -> Registration:
        """Build the registration of a subject, with the fields that the graph has values for."""
        properties = self._graph[subject]
        container, links = self._container(subject, properties)
        registration = {
            "identifier": identifier,
            "kind": str(Kind.THING) if _is_thing(identifier, properties) else None,
            "title": _texts(properties, words.TITLES),
            "description": _texts(properties, words.DESCRIPTIONS),
            **self._life(properties),
            "part_of": container,
            "spatial": self._place(subject, properties),
            "properties": _further_metadata(properties),
            "links": [*links, *self._links(properties)][:MOST_LINKS],
            "representations": list(self._forms(properties)),
        }
        return {name: value for name, value in registration.items() if value}

    def count_links(self, subject: str) -> int:
        """Count the links of a subject, including those beyond MOST_LINKS."""
        properties = self._graph[subject]
        return len([*self._container(subject, properties)[1], *self._links(properties)])

    def _container(self, subject: str, properties: Properties) -> tuple[str | None, list[dict[str, str]]]:
        """Return the identifier that the subject is part of, and links to its other containers."""
        stated = [
            (name, target)
            for name in (words.IN_SCHEME, words.TOP_CONCEPT_OF, words.IS_PART_OF)
            for target in properties.get(name, ())
            if isinstance(target, str)
        ]
        if subject in self._scheme_of:
            stated.append((words.IN_SCHEME, self._scheme_of[subject]))
        ours = [identifier for _, target in stated if (identifier := self._subjects.refer(target))]
        others = [
            (name, target) for name, target in stated if not ours or self._subjects.refer(target) != ours[0]
        ]
        links = [link for name, target in dict.fromkeys(others) if (link := self._link(name, target))]
        return (ours[0] if ours else None), links

    def _place(self, subject: str, properties: Properties) -> Geometry | str | None:
        """Return the first readable geometry: of the subject itself, or of a place that it names."""
        places = [
            subject,
            *(node for node in properties.get(words.SPATIAL, ()) if not isinstance(node, Literal)),
        ]
        shapes = [
            shape
            for place in places
            for shape in (place, *_nodes(self._graph.get(place, {}), *words.HAS_GEOMETRY))
        ]
        for node in shapes:
            if (geometry := _geometry(self._graph.get(node, {}))) is not None:
                return geometry
        typed = [literal.text for literal in _literals(properties, words.SPATIAL) if literal.datatype]
        return next((place for text in typed if (place := _as_stated(text))), None)

    def _life(self, properties: Properties) -> Registration:
        flags = {term.text for term in properties.get(words.DEPRECATED, ()) if isinstance(term, Literal)}
        names = [name for name in properties.get(words.IS_REPLACED_BY, ()) if isinstance(name, str)]
        successor = next((found for name in names if (found := self._subjects.refer(name))), None)
        if successor:
            return {"status": str(Status.SUPERSEDED), "successor": successor}
        if flags & _TRUE:
            return {"status": str(Status.RETIRED)}
        return {"status": str(Status.VALID)} if flags & _FALSE else {}

    def _links(self, properties: Properties) -> Iterator[dict[str, str]]:
        for name in properties:
            for target in _nodes(properties, name):
                # Concepts state their scheme themselves, and a successor has its own field.
                ours = name in _UNLESS_OURS and isinstance(target, str) and self._subjects.refer(target)
                if isinstance(target, str) and name not in _HANDLED_SEPARATELY and not ours:
                    yield from filter(None, [self._link(name, target)])

    def _link(self, name: str, target: str) -> dict[str, str] | None:
        identifier, relation = self._subjects.refer(target), to_uri(name)
        href = identifier or to_uri(target)
        if not is_followable(relation) or not (identifier or is_followable(href)):
            return None
        return {"rel": words.RELATIONS.get(name, relation), "href": href}

    def _forms(self, properties: Properties) -> Iterator[dict[str, str]]:
        forms: dict[tuple[str, str], dict[str, str]] = {}
        for description in (
            properties,
            *(self._graph.get(node, {}) for node in _nodes(properties, words.DISTRIBUTION)),
        ):
            form = _form(description, is_distribution=description is not properties)
            if form:  # the first of two equal forms counts
                forms.setdefault((form.get("media_type", ""), form.get("language", "")), form)
        return iter(forms.values())


def _is_thing(identifier: str, properties: Properties) -> bool:
    """Return whether the subject is a vocabulary or a term: a thing despite its syntax."""
    if identifier.endswith("/"):
        return False  # a thing by its syntax
    # Under a host, a final slash has no meaning: a vocabulary term without one is still a thing.
    is_term = identifier.startswith("//") and bool({words.IN_SCHEME, words.IS_DEFINED_BY} & properties.keys())
    return is_term or _is_vocabulary(identifier, properties)


def _is_vocabulary(identifier: str, properties: Properties) -> bool:
    classes = properties.get(words.TYPE, ())
    is_file = words.DOCUMENT in classes or identifier.lower().endswith(_FILE_SUFFIXES)
    return not is_file and not words.VOCABULARIES.isdisjoint(map(str, classes))


def _form(properties: Properties, *, is_distribution: bool) -> dict[str, str] | None:
    names = (words.DOWNLOAD_URL, words.ACCESS_URL)[: 1 + is_distribution]
    addresses = (to_uri(node) for name in names for node in _nodes(properties, name) if isinstance(node, str))
    if (location := next(filter(is_location, addresses), None)) is None:
        return None
    kinds = (_media_type(term) for name in words.FORMATS for term in properties.get(name, ()))
    languages = (tag.text for tag in _literals(properties, words.LANGUAGE) if _LANGUAGE.fullmatch(tag.text))
    form = {
        "media_type": next(filter(None, kinds), None),
        "language": next(languages, None),
        "location": location,
    }
    return {name: value for name, value in form.items() if value}


def _nodes(properties: Properties, *names: str) -> list[str | BlankNode]:
    return [term for name in names for term in properties.get(name, ()) if not isinstance(term, Literal)]


def _geometry(properties: Properties) -> Geometry | str | None:
    texts = [literal.text for name in words.GEOMETRIES for literal in _literals(properties, name)]
    degrees = [
        literal.text
        for name in (words.LONGITUDE, words.LATITUDE, words.ALTITUDE)
        for literal in _literals(properties, name)[:1]
    ]
    has_degrees = _literals(properties, words.LONGITUDE) and _literals(properties, words.LATITUDE)
    texts += [" ".join(degrees)] if has_degrees else []
    text = next(filter(_read_place, texts), None)
    geometry = _read_place(text or "")
    if text is None or geometry is None:
        return None
    boxes = [box for literal in _literals(properties, words.BBOX) if (box := _read_place(literal.text))]
    is_box = any(box["coordinates"] == geometry["coordinates"] for box in boxes)
    return read_geometry(bounds_of(geometry)) if is_box else _as_stated(text)


def _as_stated(text: str) -> Geometry | str | None:
    """Return a place; as text if it has faults, which are reported when the registration is read."""
    place = _read_place(text)
    return text if place and read_place(text).remarks else place


def _read_place(text: str) -> Geometry | None:
    # An unreadable place is kept as text; it is no reason to refuse the registration.
    try:
        return read_geometry(text)
    except ValueError:
        return None


def _media_type(term: Term) -> str | None:
    text = term if isinstance(term, str) else term.text if isinstance(term, Literal) else ""
    found = _MEDIA_TYPE.fullmatch(text)
    return found[1].lower() if found else None


def _texts(properties: Properties, names: Iterable[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name in names:
        literals = sorted(_literals(properties, name), key=lambda literal: (literal.language, literal.text))
        for literal in literals:
            texts.setdefault(literal.language, literal.text.strip())
    return texts


def _further_metadata(properties: Properties) -> dict[str, str | list[str]]:
    values: dict[str, list[str]] = {}
    for name in properties:
        word = words.PROPERTIES.get(name) or _dublin_core(name)
        if word is None or name in _TEXTS:
            continue
        for literal in _literals(properties, name):
            if name == words.SPATIAL and literal.datatype and _read_place(literal.text):
                continue
            key = f"{word}@{literal.language}" if literal.language else word
            values.setdefault(key, []).append(literal.text.strip())
    return {key: values[0] if len(values) == 1 else sorted(values) for key, values in sorted(values.items())}


def _dublin_core(name: str) -> str | None:
    return next((name.removeprefix(dc) for dc in (words.DCTERMS, words.DC) if name.startswith(dc)), None)


def _literals(properties: Properties, name: str) -> list[Literal]:
    return [
        term
        for term in properties.get(name, ())
        if isinstance(term, Literal)
        and term.text.strip()
        and (not term.language or _LANGUAGE.fullmatch(term.language))
    ]
