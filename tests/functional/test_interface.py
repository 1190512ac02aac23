"""`openapi.yaml` lists exactly the statuses and media types that the functions return for every path."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple, get_args

import pytest

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.published.publications import CURRENT, read_publication, write_publication
from ginuri.registry.model import Registered
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.serialization import Path
from ginuri.resolution.descriptions.decision import FrontPage, Outcome
from ginuri.resolution.outcomes import Decision
from ginuri.service.publications import PublishedOutcome
from ginuri.urn_services.responses import ResolutionOutcome
from ginuri.web.answers.services import ServiceOutcome
from ginuri.web.lookups import MOST_BODY
from ginuri.web.response import LARGEST_BODY
from infra.published_folder import FolderPublished
from tests.builders import keyed, register, stamp
from tests.front import Front
from tests.interface import answers, operations, read_interface

Answers = Callable[[str, str], set[tuple[int, str]]]
"""Path and method → the statuses and media types of the answers."""
INTERFACE = {
    "paths": {path: each for path, each in read_interface()["paths"].items() if not path.startswith("/api/")}
}
ROWS, MAP, ACT = "uri-gin/rows/", "uri-gin/rows/map/M/", "uri-gin/rows/doc/act"
STORED, LARGE, LOST = f"{MAP}m.pdf", f"{MAP}m.tif", f"{MAP}lost.pdf"
ARK = "ark:12345/x8"
GONE, WITHHELD, EMBARGOED, NOTHING, MALFORMED, UNKNOWN_HOST = (
    f"{ROWS}gone",
    f"{ROWS}withheld",
    f"{ROWS}embargoed",
    f"{ROWS}nothing",
    "uri-gin//rows",
    "http://other.example/1",
)
REDIRECTS = (301, 302, 303, 307, 308)
NAMES = (
    *("", MAP, ROWS, STORED, LARGE, LOST, ACT, f"{ACT}/1991-02-01", f"{ACT}/1850-01-01", f"{ROWS}doc/report"),
    *(f"{MAP}to{status}.txt" for status in REDIRECTS),
    *(
        NOTHING,
        MALFORMED,
        UNKNOWN_HOST,
        "nope/x",
        GONE,
        WITHHELD,
        EMBARGOED,
        f"{ROWS}planned",
        f"{ROWS}TWIN",
        f"{ROWS}Gone",
    ),
    *(ARK, f"{ARK}/c3", f"{ROWS}lent/1", f"{ROWS}none/1", f"{ROWS}same", "uri-gin/rows/m%61p/M/"),
    "uri-moved/it/1",
)
PAGE = {"Accept": "text/html"}
HEADERS: tuple[Mapping[str, str], ...] = (
    *({}, {"Accept": "image/png"}, {"If-None-Match": "*"}, {"Range": "bytes=0-2"}),
    *({"Accept-Datetime": "yesterday"}, {"Accept-Datetime": "yesterday", **PAGE}),
    *({"If-Match": '"another"'}, {"If-Match": '"another"', **PAGE}),
    *({"Range": "bytes=9999999-"}, {"Range": "bytes=9999999-", **PAGE}),
)
CSV = {"Content-Type": "text/csv"}
HEADERS_OF: Mapping[str, tuple[Mapping[str, str], ...]] = {"POST": (CSV, {**CSV, **PAGE})}
QUERIES: Mapping[str, tuple[str, ...]] = {
    "/{identifier}": ("", "title=A map", "title=None such", "info"),
    "/resolve": ("", *(f"uri={name}" for name in (UNKNOWN_HOST, *NAMES))),
    "/search": ("q=map", "page=x", f"q={MAP}"),
    "/suggest": ("q=map", "q=uri-gin/azgs", "q=map&format=opensearch", f"q={'x' * 1001}"),
    "/uri-res/{service}": ("", *(f"{name}=" for name in NAMES)),
}
BODIES = (json.dumps([MAP]), "no JSON", "1", " " * (MOST_BODY + 1), None)
OUTCOMES = Decision | Outcome | FrontPage | ServiceOutcome | PublishedOutcome | ResolutionOutcome


class Away(MemoryRegistry):
    """A registry that is unavailable."""

    def fetch(self, names: Any) -> Mapping[str, Registered]:
        """Raise RegistryUnavailable."""
        raise RegistryUnavailable(f"{len(names)} names", retry_after=7)


class PublishedAway(FolderPublished):
    """A store of publications that is unavailable."""

    def read(self, key: str) -> bytes | None:
        """Raise RegistryUnavailable."""
        raise RegistryUnavailable(key)


class PublishedLarge(FolderPublished):
    """A store of publications whose files are too large for one answer."""

    def read(self, key: str) -> bytes | None:
        """Read a file."""
        content = super().read(key)
        if key != CURRENT or content is None:
            return content
        publication = read_publication(content)
        files = {name: replace(file, length=LARGEST_BODY + 1) for name, file in publication.files.items()}
        return write_publication(replace(publication, files=files))


class Fronts(NamedTuple):
    """The functions in all states."""

    usual: Front
    away: Front
    unpublished: Front
    large: Front


@pytest.fixture(scope="module")
def fronts(tmp_path_factory: pytest.TempPathFactory) -> Fronts:
    """The functions with a registration for every answer."""
    folder, empty = tmp_path_factory.mktemp("published"), tmp_path_factory.mktemp("empty")
    registry, content = _registry(), MemoryContentStore({("a", "v1"): b"0123456789a"})
    return Fronts(
        Front(registry, folder, content),
        Front(Away(), tmp_path_factory.mktemp("away"), reader=PublishedAway(empty)),
        Front(registry, folder, reader=FolderPublished(empty)),
        Front(registry, folder, reader=PublishedLarge(folder)),
    )


def _registry() -> MemoryRegistry:
    registry = MemoryRegistry()
    register(registry, "uri-gin/", record="scheme", title={"en": "Geoscience identifiers"})
    register(registry, "uri-moved/", record="scheme", title={"en": "Moved"}, fallback="legacy.example.net")
    register(registry, ROWS, record="authority", title={"en": "Rows"})
    register(registry, f"{ROWS}lent/", delegation={"answered_by": "maps.example.org"})
    moved = [_elsewhere(f"to{status}.txt", "text/plain", status_code=status) for status in REDIRECTS]
    files = [
        _stored("m.pdf", "a", 11),
        _stored("m.tif", "a", LARGEST_BODY + 1),
        _stored("lost.pdf", "lost", 11),
    ]
    register(registry, MAP, title={"en": "A map"}, representations=[*files, *moved])
    days = [_elsewhere(day, "text/html", valid_from=day) for day in ("1991-02-01", "1997-06-01")]
    register(registry, ACT, title={"en": "An act"}, representations=days)
    report = [_elsewhere(".pdf", "application/pdf")]
    register(registry, f"{ROWS}doc/report", title={"en": "A report"}, representations=report)
    register(registry, f"{ROWS}Twin", title={"en": "One"})
    register(registry, f"{ROWS}Twin/", title={"en": "The other"})
    register(registry, "ark:12345/", record="namespace", title={"en": "ARKs in examples"})
    whole = [{"media_type": "text/html", "location": "https://data.example.org/x8"}]
    register(registry, ARK, title={"en": "A notebook"}, representations=whole)
    register(registry, GONE, status="retired", title={"en": "An old one"}, reason="Lost.")
    register(registry, WITHHELD, status="withheld", reason="By order of a court.")
    register(registry, EMBARGOED, status="embargoed", until="2999-01-01")
    register(registry, f"{ROWS}planned", status="reserved", title={"en": "A new one"})
    register(registry, f"{ROWS}same", record="alias", stands_for=MAP)
    ruled: dict[Path, Any] = {("rules", "", "status_code"): 404, ("rules", "", "reason"): "None were drawn."}
    registry.write(apply(Record(f"{ROWS}none/", {}), keyed(ruled), stamp()))
    return registry


def _elsewhere(part: str, media_type: str, **fields: Any) -> dict[str, Any]:
    return {"part": part, "media_type": media_type, "location": f"https://data.example.org/{part}", **fields}


def _stored(part: str, key: str, length: int) -> dict[str, Any]:
    file = {
        "key": key,
        "version": "v1",
        "length": length,
        "sha256": "ab" * 32,
        "stored": "2011-08-25T17:29:00Z",
    }
    return {"part": part, "media_type": "application/pdf", "file": file}


@pytest.fixture(scope="module")
def given(fronts: Fronts) -> Answers:
    """Ask the functions for an operation when a test needs it: a broken page fails the tests of its path."""
    documented = {(path, method): operation for path, method, operation in operations(INTERFACE)}

    @cache
    def ask(path: str, method: str) -> set[tuple[int, str]]:
        operation, seen = documented[path, method], set()
        any_type = {status for status, media_type in answers(operation) if media_type == "*/*"}
        for front, asked, target, query, headers, body in _requests(fronts, path, method, operation):
            answer = front.ask(target, asked, query, headers, body)
            media_type = answer.headers["Content-Type"].partition(";")[0] if answer.content else ""
            seen.add((answer.status, "*/*" if answer.status in any_type else media_type))
        return seen

    return ask


def _requests(
    fronts: Fronts, path: str, method: str, operation: Mapping[str, Any]
) -> Iterator[tuple[Front, str, str, str, Mapping[str, str], str | None]]:
    accepted = [{"Accept": media_type} for _, media_type in answers(operation) if media_type]
    targets = list(dict.fromkeys(_targets(path)))
    for target in targets:
        for query in QUERIES.get(path, ("",)):
            for headers in (*HEADERS, *accepted, *HEADERS_OF.get(method, ())):
                for body in BODIES if method == "POST" else (None,):
                    yield fronts.usual, method, target, query, headers, body
    for front in (fronts.away, fronts.unpublished, fronts.large):
        for query in QUERIES.get(path, ("",))[:3]:
            for headers in ({}, PAGE):
                yield front, method, targets[0], query, headers, BODIES[0]
    if method == "GET":
        for headers in ({}, PAGE):
            yield fronts.usual, "DELETE", targets[0], "", headers, None


def _targets(path: str) -> Iterator[str]:
    parameter = path.partition("{")[2].partition("}")[0]
    names = {
        "identifier": NAMES[1:],
        "service": ("N2L", "N2Ls", "N2R", "N2Rs", "N2C", "N2Ns", "X2X"),
        "guide": ("", "api/", "api", "none"),
        "file": ("style.css", "page.js", "icon.svg", "none.css"),
        "name": ("1.xml.gz", "9.xml.gz"),
    }
    for name in names.get(parameter, ("",)):
        yield path.replace(f"{{{parameter}}}", name)


@pytest.mark.functions
@pytest.mark.parametrize(("path", "method"), [(path, method) for path, method, _ in operations(INTERFACE)])
def test_the_interface_documents_exactly_the_statuses_and_media_types_of_answers(
    given: Answers, path: str, method: str
) -> None:
    (documented,) = (answers(each) for at, how, each in operations(INTERFACE) if (at, how) == (path, method))

    assert given(path, method) == documented


@pytest.mark.functions
def test_the_documented_answers_include_every_outcome(fronts: Fronts, given: Answers) -> None:
    for method in ("OPTIONS", "DELETE"):
        for path in ("/", f"/{MAP}", "/resolve", "/robots.txt"):
            fronts.usual.ask(path, method)
    fronts.usual.ask("/docs")

    for path, method, _ in operations(INTERFACE):
        given(path, method)
    assert set().union(*(front.outcomes for front in fronts)) == {*get_args(OUTCOMES)}
