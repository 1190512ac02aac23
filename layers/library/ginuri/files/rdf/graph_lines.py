"""A file of RDF → the JSON lines that it means: remarks first, then one registration a subject."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from urllib.parse import quote

from ginuri.files.lines import MOST_WHOLE_BYTES
from ginuri.files.rdf import vocabulary as words
from ginuri.files.rdf.concepts import MOST_LINKS, Registration, Registrations
from ginuri.files.rdf.consistency import remark_on_circles, remark_on_labels
from ginuri.files.rdf.graphs import Graph, read_graph
from ginuri.files.rdf.stated_triples import OwnTriples
from ginuri.files.rdf.subjects import RELATIVE, Subjects, read_mappings
from ginuri.files.remarks import write_remark
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registration.ntriples import MOST_BYTES as MOST_TRIPLES_BYTES

MOST_REMARKS = 20
"""How many remarks of one sort are made on a file."""
_MEDIA_TYPES = {
    ".ttl": "text/turtle",
    ".rdf": "application/rdf+xml",
    ".jsonld": "application/ld+json",
    ".nt": "application/n-triples",
}
_PACKED, _GZIP = ".gz", "application/gzip"
_SEGMENT = "!$&'()*+,;=:@~"


def read_graph_lines(key: str, suffix: str, content: bytes, columns: str) -> Iterator[bytes]:
    """Give the lines that a file of RDF means, in the order of its subjects.

    `columns` is what `--map` says. Raises UnreadableFile for what cannot be read, and where no subject is
    ours.
    """
    folder, _, name = key.rpartition("/")
    prefix = folder_to_prefix(f"{folder}/")
    subjects = Subjects(prefix, read_mappings(columns, prefix))
    graph = read_graph(suffix, content)
    ours = {each: named for each in graph if isinstance(each, str) and (named := subjects.identify(each))}
    if not ours:
        raise _nothing(subjects, key)
    lines, remarks = _registrations(graph, subjects, ours, _file(name, suffix))
    yield from _unmapped(subjects)
    for each in (remark_on_labels(graph), remark_on_circles(graph), *(iter(sort) for sort in remarks)):
        yield from _first(each)
    yield from lines


def _registrations(
    graph: Graph, subjects: Subjects, ours: Mapping[str, str], file: Registration
) -> tuple[list[bytes], tuple[list[bytes], ...]]:
    registrations, triples = Registrations(graph, subjects), OwnTriples(graph)
    whole = _whole(graph, ours)
    lines: list[bytes] = []
    unnamed, too_many, too_long = [], [], []
    length = 0
    for subject, identifier in ours.items():
        told = registrations.write(subject, identifier)
        own = triples.write(subject)
        if subject == whole:
            part = {"part": quote(file["file"], safe=_SEGMENT)} if identifier.endswith("/") else {}
            told["representations"] = [{**part, **file}, *told.get("representations", ())]
        if subjects.refer(subject) is None:
            unnamed.append(_unnamed(subject, identifier))
        if (links := registrations.count_links(subject)) > MOST_LINKS:
            too_many.append(_too_many(subject, links))
        if own is None:
            too_long.append(_too_long(subject))
        else:
            told["triples"] = own
        line = json.dumps(told, ensure_ascii=False).encode() + b"\n"
        length += len(line)
        if length > MOST_WHOLE_BYTES:
            told_why = (
                f"as registrations, a file of RDF has at most {MOST_WHOLE_BYTES:,} bytes; cut it into several"
            )
            raise UnreadableFile("size", f"more than {MOST_WHOLE_BYTES:,}", told_why)
        lines.append(line)
    return lines, (unnamed, too_many, too_long)


def _whole(graph: Graph, ours: Mapping[str, str]) -> str | None:
    """Find the one subject that the file as a whole is a form of."""
    wholes = [each for each in ours if words.WHOLES.intersection(map(str, graph[each].get(words.TYPE, ())))]
    return wholes[0] if len(wholes) == 1 else None


def _file(name: str, suffix: str) -> Registration:
    return {"media_type": _GZIP if name.lower().endswith(_PACKED) else _MEDIA_TYPES[suffix], "file": name}


def _first(remarks: Iterator[bytes]) -> Iterator[bytes]:
    yield from islice(remarks, MOST_REMARKS)
    if next(remarks, None) is not None:
        told = f"there are more like the {MOST_REMARKS} before this; correct those, and try it out again"
        yield write_remark("", "many", "", told)


def _unmapped(subjects: Subjects) -> Iterator[bytes]:
    if subjects.foreign:
        yield write_remark("identifier", "map", _example(subjects), _say_foreign(subjects))
    if subjects.elsewhere:
        example, count = next(iter(subjects.elsewhere)), len(subjects.elsewhere)
        told = f"{_subjects(count)} passed over: they stand under another folder; upload what they say there"
        yield write_remark("identifier", "folder", example, told)


def _say_foreign(subjects: Subjects) -> str:
    mapping, example = subjects.suggest()
    if example.startswith(RELATIVE):
        return "names that are relative are nobody's; state the base of the file (@base, or xml:base)"
    subjects_of_it = _subjects(len(subjects.foreign))
    mapped = Subjects("", read_mappings(mapping, subjects.folder)).refer(example)
    hint = f"which makes it {mapped}" if mapped else "or one like it"
    told = f"{subjects_of_it} passed over, since nobody mapped them, such as {example}"
    return f"{told}; try --map '{mapping}', {hint}"


def _subjects(count: int) -> str:
    return "1 subject is" if count == 1 else f"{count:,} subjects are"


def _example(subjects: Subjects) -> str:
    return subjects.suggest()[1]


def _nothing(subjects: Subjects, key: str) -> UnreadableFile:
    if subjects.foreign:
        return UnreadableFile(
            "map", _example(subjects), f"nothing in it can be registered: {_say_foreign(subjects)}"
        )
    if subjects.elsewhere:
        example = next(iter(subjects.elsewhere))
        return UnreadableFile("folder", example, "all of it stands under another folder; upload it there")
    return UnreadableFile("RDF", key, "nothing in it has a name; only what has one can be registered")


def _unnamed(subject: str, identifier: str) -> bytes:
    told = f"{subject} is mapped to {identifier}, which is no identifier; correct the line, or the mapping"
    return write_remark("identifier", "map", subject, told)


def _too_many(subject: str, links: int) -> bytes:
    told = f"{subject} has {links:,} links, of which the first {MOST_LINKS} are kept; all are in its triples"
    return write_remark("links", "size", subject, told)


def _too_long(subject: str) -> bytes:
    told = (
        f"the triples about {subject} are more than {MOST_TRIPLES_BYTES:,} bytes, and are not kept with it; "
        "the file itself tells them"
    )
    return write_remark("triples", "size", subject, told)
