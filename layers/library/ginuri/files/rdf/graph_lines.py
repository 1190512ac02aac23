"""Converts an RDF file to JSON lines: remarks first, then one registration for each subject."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from urllib.parse import quote

from ginuri.files.lines import MOST_WHOLE_BYTES
from ginuri.files.rdf import vocabulary as words
from ginuri.files.rdf.concepts import MOST_LINKS, Registration, RegistrationBuilder
from ginuri.files.rdf.consistency import remark_on_circles, remark_on_labels
from ginuri.files.rdf.graphs import Graph, read_graph
from ginuri.files.rdf.remarks import write_remark
from ginuri.files.rdf.stated_triples import StatedTripleWriter
from ginuri.files.rdf.subjects import RELATIVE, Subjects, read_mappings
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registry.texts.ntriples import MOST_BYTES as MOST_TRIPLES_BYTES

MOST_REMARKS = 20
"""The most remarks of one kind on a file."""
_MEDIA_TYPES = {
    ".ttl": "text/turtle",
    ".rdf": "application/rdf+xml",
    ".jsonld": "application/ld+json",
    ".nt": "application/n-triples",
}
_PACKED, _GZIP = ".gz", "application/gzip"
_SEGMENT = "!$&'()*+,;=:@~"


def read_graph_lines(key: str, suffix: str, content: bytes, columns: str) -> Iterator[bytes]:
    """Yield the JSON lines for an RDF file, in the order of its subjects.

    `columns` is the value of `--map`. Raises UnreadableFile when the file cannot be read, or when none of its
    subjects can be registered in the folder.
    """
    folder, _, name = key.rpartition("/")
    prefix = folder_to_prefix(f"{folder}/")
    subjects = Subjects(prefix, read_mappings(columns, prefix))
    graph = read_graph(suffix, content)
    ours = {
        subject: named
        for subject in graph
        if isinstance(subject, str) and (named := subjects.identify(subject))
    }
    if not ours:
        raise _nothing(subjects, key)
    lines, remarks = _registrations(graph, subjects, ours, name, suffix)
    yield from _unmapped(subjects)
    for kind in (remark_on_labels(graph), remark_on_circles(graph), *map(iter, remarks)):
        yield from _first(kind)
    yield from lines


def _registrations(
    graph: Graph, subjects: Subjects, ours: Mapping[str, str], name: str, suffix: str
) -> tuple[list[bytes], tuple[list[bytes], ...]]:
    registrations, triples = RegistrationBuilder(graph, subjects), StatedTripleWriter(graph)
    described = _described_by_file(graph, ours)
    lines: list[bytes] = []
    unnamed, too_many, too_long = [], [], []
    length = 0
    for subject, identifier in ours.items():
        registration = registrations.write(subject, identifier)
        subject_triples = triples.write(subject)
        if subject == described:
            registration["representations"] = [
                _file(registration, name, suffix),
                *registration.get("representations", ()),
            ]
        if subjects.refer(subject) is None:
            unnamed.append(_unnamed(subject, identifier))
        if (links := registrations.count_links(subject)) > MOST_LINKS:
            too_many.append(_too_many(subject, links))
        if subject_triples is None:
            too_long.append(_too_long(subject))
        else:
            registration["triples"] = subject_triples
        line = json.dumps(registration, ensure_ascii=False).encode() + b"\n"
        length += len(line)
        if length > MOST_WHOLE_BYTES:
            raise UnreadableFile(
                "size",
                f"> {MOST_WHOLE_BYTES:,}",
                "The registrations of an RDF file may have at most {most} bytes. Split it into several "
                "files.",
                most=f"{MOST_WHOLE_BYTES:,}",
            )
        lines.append(line)
    return lines, (unnamed, too_many, too_long)


def _described_by_file(graph: Graph, ours: Mapping[str, str]) -> str | None:
    """Find the only subject that the whole file describes, such as a concept scheme; None for several.

    A vocabulary comes before its versions.
    """
    candidates = {
        subject: graph[subject]
        for subject in ours
        if words.WHOLES.intersection(map(str, graph[subject].get(words.TYPE, ())))
    }
    versions = {
        target
        for subject, properties in candidates.items()
        for name in words.VERSIONS
        for target in properties.get(name, ())
        if target != subject
    }
    wholes = [
        subject
        for subject, properties in candidates.items()
        if subject not in versions and candidates.keys().isdisjoint(properties.get(words.IS_VERSION_OF, ()))
    ]
    return wholes[0] if len(wholes) == 1 else None


def _file(registration: Registration, name: str, suffix: str) -> Registration:
    """Return the file as a representation: with a part, unless it is a document's."""
    identifier, is_packed = registration["identifier"], name.lower().endswith(_PACKED)
    form = {"media_type": _GZIP if is_packed else _MEDIA_TYPES[suffix], "file": name}
    if identifier.endswith("/"):
        return {"part": quote(name, safe=_SEGMENT), **form}
    if "kind" in registration:
        return {"part": f"{suffix}{_PACKED if is_packed else ''}", **form}
    return form


def _first(remarks: Iterator[bytes]) -> Iterator[bytes]:
    yield from islice(remarks, MOST_REMARKS)
    if next(remarks, None) is not None:
        yield write_remark(
            "",
            "many",
            "",
            message(
                "There are more remarks like the {number} before this one. Correct those, and try again.",
                number=str(MOST_REMARKS),
            ),
        )


def _unmapped(subjects: Subjects) -> Iterator[bytes]:
    if subjects.foreign:
        yield write_remark("identifier", "map", subjects.suggest()[1], _advise_on_mapping(subjects))
    if subjects.elsewhere:
        example, count = next(iter(subjects.elsewhere)), len(subjects.elsewhere)
        passed_over = message(
            "Subjects passed over, as their identifiers belong to another folder: {number}. Upload them "
            "there.",
            number=f"{count:,}",
        )
        yield write_remark("identifier", "folder", example, passed_over)


def _advise_on_mapping(subjects: Subjects) -> Message:
    mapping, example = subjects.suggest()
    if example.startswith(RELATIVE):
        return message(
            "The file contains relative names. State what they are relative to (@base, or xml:base)."
        )
    number = f"{len(subjects.foreign):,}"
    mapped = Subjects("", read_mappings(mapping, subjects.folder)).refer(example)
    if not mapped:
        return message(
            "Subjects passed over, as they are mapped to no identifier: {number}, such as {example}. Try a "
            "mapping like --map '{mapping}'.",
            number=number,
            example=example,
            mapping=mapping,
        )
    return message(
        "Subjects passed over, as they are mapped to no identifier: {number}, such as {example}. Try "
        "--map '{mapping}', which maps it to {identifier}.",
        number=number,
        example=example,
        mapping=mapping,
        identifier=mapped,
    )


def _nothing(subjects: Subjects, key: str) -> UnreadableFile:
    if subjects.foreign:
        return UnreadableFile(
            "map",
            subjects.suggest()[1],
            "Nothing in the file can be registered. {advice}",
            advice=_advise_on_mapping(subjects),
        )
    if subjects.elsewhere:
        return UnreadableFile(
            "folder",
            next(iter(subjects.elsewhere)),
            "All identifiers in the file belong to another folder. Upload it there.",
        )
    return UnreadableFile(
        "RDF", key, "No subject in the file has a name. Only subjects with a name can be registered."
    )


def _unnamed(subject: str, identifier: str) -> bytes:
    return write_remark(
        "identifier",
        "map",
        subject,
        message(
            "{subject} is mapped to {identifier}, which is not a valid identifier. Correct the file or the "
            "mapping.",
            subject=subject,
            identifier=identifier,
        ),
    )


def _too_many(subject: str, links: int) -> bytes:
    return write_remark(
        "links",
        "size",
        subject,
        message(
            "{subject} has {number} links. The first {most} are registered as links; all are kept in its "
            "triples.",
            subject=subject,
            number=f"{links:,}",
            most=str(MOST_LINKS),
        ),
    )


def _too_long(subject: str) -> bytes:
    return write_remark(
        "triples",
        "size",
        subject,
        message(
            "The triples about {subject} have more than {most} bytes and are not kept in its record; they "
            "are in the file itself.",
            subject=subject,
            most=f"{MOST_TRIPLES_BYTES:,}",
        ),
    )
