"""The files of the publishing job: `/robots.txt`, sitemaps, the feed, the data set."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from html import escape
from http import HTTPStatus

from ginuri.frozen import replace
from ginuri.i18n.translation import page_language
from ginuri.identifiers.messages import message
from ginuri.identifiers.service_paths import DATASET, FEED, REGISTRY, ROBOTS, SITEMAP, TESTS
from ginuri.published.figures import PublishedFigures
from ginuri.published.publications import (
    Publication,
    Publications,
    PublishedFile,
    PublishedReader,
    StreamingReader,
)
from ginuri.registry.model import Representation
from ginuri.resolution.negotiation.languages import read_languages
from ginuri.resolution.negotiation.negotiation import Preferences, choose
from ginuri.web.answers.problems import Advice, Problem, write_problem
from ginuri.web.conditional.conditions import Selected
from ginuri.web.conditional.ranges import PartialContent, WholeContent
from ginuri.web.content import StoredContent, give_stored, limits_of
from ginuri.web.headers import ABSENT_SECONDS, CORS, PUBLISHED_SECONDS, cache
from ginuri.web.pages.frame import page_headers
from ginuri.web.pages.front import write_registry
from ginuri.web.request import Request
from ginuri.web.response import Headers, Response

_TEXT, _XML, _GZIP = "text/plain; charset=utf-8", "application/xml", "application/gzip"
_HTML = Representation(media_type="text/html")
_RDF = {
    "application/ld+json": "jsonld",
    "text/turtle": "ttl",
    "application/rdf+xml": "rdf",
    "application/n-triples": "nt",
}
_DESCRIBED = (*(Representation(media_type=media_type) for media_type in _RDF), _HTML)
WriteDataset = Callable[[str, Publication, str], bytes]
"""Describes a publication, given the extension of an RDF format, the publication and the host."""
_VARY: Headers = (("Vary", "Accept, Accept-Language"),)
_TYPES = {FEED: "application/atom+xml", DATASET: _GZIP, TESTS: "application/json"}


@dataclass(frozen=True, slots=True)
class PublishedContent:
    """A published file, or a document made from the publication."""

    name: str


@dataclass(frozen=True, slots=True)
class NotPublished:
    """There is no publication yet, or no file of this name."""

    name: str
    is_published: bool


PublicationOutcome = PublishedContent | NotPublished


def write_published(
    request: Request,
    publications: Publications,
    figures: PublishedFigures,
    canonical_host: str,
    write_dataset: WriteDataset,
) -> tuple[PublicationOutcome, Response]:
    """Answer a GET or a HEAD for the path of a published file. Raises RegistryUnavailable."""
    publication = publications.current()
    name = request.path[1:]
    host = _host(request.host, publication, canonical_host)
    if name == ROBOTS:
        return PublishedContent(name), _ok(
            f"User-agent: *\nDisallow: /explain/\nDisallow: /search?\nSitemap: http://{host}/{SITEMAP}\n",
            _TEXT,
        )
    file = publication.files.get(name) if publication else None
    if publication is None or (name not in {SITEMAP, REGISTRY} and file is None):
        outcome = NotPublished(name, publication is not None)
        return outcome, _missing(outcome, request)
    if name == SITEMAP:
        return PublishedContent(name), _ok(_sitemap(publication, host), _XML)
    if name == REGISTRY:
        return PublishedContent(name), _describe(request, publication, host, write_dataset, figures)
    if file is None:
        raise AssertionError("a missing file was answered above")
    return PublishedContent(name), _give(request, publication, name, file, publications.reader)


def _host(requested: str, publication: Publication | None, canonical_host: str) -> str:
    # A sitemap may only list addresses of its own host; an untrusted Host header is never repeated.
    known = set(publication.sitemaps.values()) if publication else set()
    return requested if requested in known else canonical_host


def _sitemap(publication: Publication, host: str) -> str:
    listed = "".join(
        f"<sitemap><loc>http://{escape(host)}/{name}</loc><lastmod>{publication.made}</lastmod></sitemap>\n"
        for name, its_host in publication.sitemaps.items()
        if its_host == host
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{listed}</sitemapindex>\n'
    )


def _ok(text: str, media_type: str) -> Response:
    headers = (("Content-Type", media_type), ("X-Content-Type-Options", "nosniff"), *cache(PUBLISHED_SECONDS))
    return Response(HTTPStatus.OK, (*headers, *CORS), text.encode())


def _give(
    request: Request, publication: Publication, name: str, file: PublishedFile, reader: PublishedReader
) -> Response:
    key, media_type = publication.key(name), _TYPES.get(name, _GZIP)

    def read(extent: WholeContent | PartialContent) -> bytes:
        if isinstance(extent, PartialContent):
            return reader.read_range(key, extent.first, extent.length)
        return reader.read_range(key, 0, file.length)

    def open_long(extent: WholeContent | PartialContent) -> str | Iterable[bytes]:
        if isinstance(reader, StreamingReader):
            return () if request.method == "HEAD" else reader.chunks(key, *limits_of(extent))
        return reader.link(key, media_type, request.method)

    stored = StoredContent(
        selected=Selected(f'"{file.sha256}"', datetime.fromisoformat(publication.made), file.length),
        media_type=media_type,
        shared=cache(PUBLISHED_SECONDS),
        described=(("X-Content-Type-Options", "nosniff"),),
        read=read,
        open_long=open_long,
    )
    answer = give_stored(stored, request.method, request.headers)
    varies = _VARY if answer.status >= HTTPStatus.BAD_REQUEST else ()
    return replace(answer, headers=(*answer.headers, *varies, *CORS))


def _missing(outcome: NotPublished, request: Request) -> Response:
    if outcome.is_published:
        problem = Problem(
            "This sitemap does not exist",
            message("{name} is not published. Each publication renumbers the sitemaps.", name=outcome.name),
            (Advice("index", "Sitemap index", f"/{SITEMAP}"),),
        )
    else:
        problem = Problem(
            "Nothing is published yet",
            "There is no data set yet; the first one is published within a day of setup.",
            (Advice("start", "About this host", "/"),),
        )
    headers = (*cache(ABSENT_SECONDS), *_VARY, *CORS)
    return write_problem(HTTPStatus.NOT_FOUND, problem, request.preferences, headers)


def _describe(
    request: Request,
    publication: Publication,
    host: str,
    write_dataset: WriteDataset,
    figures: PublishedFigures,
) -> Response:
    # A client that accepts none of the formats gets the first.
    chosen = choose(Preferences(accept=request.preferences.accept), _DESCRIBED) or _DESCRIBED[0]
    headers = (*_VARY, *cache(PUBLISHED_SECONDS), *CORS)
    if chosen is _HTML:
        languages = read_languages(request.preferences.accept_language)
        headers = (*page_headers(page_language(languages)), *headers)
        page = write_registry(publication, figures.read(), languages)
        return Response(HTTPStatus.OK, headers, page)
    media_type = chosen.media_type or ""
    document = write_dataset(_RDF[media_type], publication, host)
    headers = (("Content-Type", media_type), ("X-Content-Type-Options", "nosniff"), *headers)
    return Response(HTTPStatus.OK, headers, document)
