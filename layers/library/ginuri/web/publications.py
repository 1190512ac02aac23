"""What a job published, and what leads to it: `/robots.txt`, sitemaps, the feed, the data set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from http import HTTPStatus
from typing import Any

from ginuri.core.model import Representation
from ginuri.core.negotiation import Preferences, choose
from ginuri.core.published import Publication, PublishedFile, PublishedReader
from ginuri.core.service_paths import DATASET, FEED, REGISTRY, ROBOTS, SITEMAP, SITEMAPS
from ginuri.web.conditions import NotModified, PreconditionFailed, Selected, evaluate
from ginuri.web.content import MOST_GIVEN
from ginuri.web.headers import ABSENT_SECONDS, CORS, FRESH_SECONDS, cache
from ginuri.web.pages import page_headers, write_page
from ginuri.web.problems import Advice, Problem, write_problem
from ginuri.web.request import Request
from ginuri.web.response import Headers, Response

PUBLISHED_SECONDS = 3_600
"""How long what is published holds: the job runs once a day."""
_TEXT, _XML, _GZIP = "text/plain; charset=utf-8", "application/xml", "application/gzip"
_HTML, _JSON_LD = Representation(media_type="text/html"), Representation(media_type="application/ld+json")
_VARY: Headers = (("Vary", "Accept"),)
_TYPES = {FEED: "application/atom+xml", DATASET: _GZIP}
_LICENCE_NOTE = "Each line is a registration, as docs/registrations.md has them: uploaded, it says the same."


@dataclass(frozen=True, slots=True)
class Given:
    """A published file, or what is made of what was published."""

    name: str


@dataclass(frozen=True, slots=True)
class NotPublished:
    """There is none: nothing was published yet, or nothing of that name."""

    name: str
    is_published: bool


PublicationOutcome = Given | NotPublished


def is_publication(path: str) -> bool:
    """Tell whether a path is that of something published."""
    return path[1:] in {ROBOTS, SITEMAP, FEED, DATASET, REGISTRY} or path.startswith(f"/{SITEMAPS}/")


def write_published(
    request: Request, publication: Publication | None, reader: PublishedReader, canonical_host: str
) -> tuple[PublicationOutcome, Response]:
    """Answer a GET or a HEAD for a path that `is_publication`. Raises RegistryUnavailable."""
    name = request.path[1:]
    host = _host(request.host, publication, canonical_host)
    if name == ROBOTS:
        return Given(name), _ok(_robots(host), _TEXT)
    file = publication.files.get(name) if publication else None
    if publication is None or (name not in {SITEMAP, REGISTRY} and file is None):
        outcome = NotPublished(name, publication is not None)
        return outcome, _missing(outcome, request)
    if name == SITEMAP:
        return Given(name), _ok(_sitemap(publication, host), _XML)
    if name == REGISTRY:
        return Given(name), _describe(request, publication, host)
    if file is None:
        raise AssertionError("what is missing was told")
    return Given(name), _give(request, publication, name, file, reader)


def _host(asked: str, publication: Publication | None, canonical_host: str) -> str:
    # A sitemap may only name addresses of the host that it was found on; what nobody trusts is not repeated.
    known = set(publication.sitemaps.values()) if publication else set()
    return asked if asked in known else canonical_host


def _robots(host: str) -> str:
    return f"User-agent: *\nDisallow: /explain/\nDisallow: /search?\nSitemap: http://{host}/{SITEMAP}\n"


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
    told = (("Content-Type", media_type), ("X-Content-Type-Options", "nosniff"), *cache(PUBLISHED_SECONDS))
    return Response(HTTPStatus.OK, (*told, *CORS), text.encode())


def _give(
    request: Request, publication: Publication, name: str, file: PublishedFile, reader: PublishedReader
) -> Response:
    modified = datetime.fromisoformat(publication.made).astimezone(UTC)
    selected = Selected(f'"{file.sha256}"', modified, file.length)
    media_type = _TYPES.get(name, _GZIP)
    validators = (
        ("ETag", selected.etag),
        ("Last-Modified", format_datetime(modified, usegmt=True)),
        ("Content-Type", media_type),
        *cache(PUBLISHED_SECONDS),
        *CORS,
    )
    outcome = evaluate(request.method, request.headers, selected)
    if isinstance(outcome, NotModified):
        told = tuple(each for each in validators if each[0] != "Last-Modified")
        return Response(HTTPStatus.NOT_MODIFIED, told)
    if isinstance(outcome, PreconditionFailed):
        problem = Problem("This is another version", "ETag and Last-Modified tell which one it is.")
        return write_problem(
            HTTPStatus.PRECONDITION_FAILED, problem, request.preferences, (*cache(0), *_VARY, *CORS)
        )
    if file.length > MOST_GIVEN:
        link = reader.link(publication.key(name), media_type, request.method)
        return Response(HTTPStatus.TEMPORARY_REDIRECT, (("Location", link), *cache(FRESH_SECONDS), *CORS))
    headers = (*validators, ("X-Content-Type-Options", "nosniff"))
    if request.method == "HEAD":
        return Response(HTTPStatus.OK, headers)
    return Response(HTTPStatus.OK, headers, reader.read_range(publication.key(name), 0, file.length))


def _missing(outcome: NotPublished, request: Request) -> Response:
    if outcome.is_published:
        problem = Problem(
            "There is no such sitemap",
            f"Nothing is published as {outcome.name}: sitemaps are numbered anew each time.",
            (Advice("index", "The sitemaps that there are", f"/{SITEMAP}"),),
        )
    else:
        problem = Problem(
            "Nothing is published yet",
            "It is written once a day, for the first time within a day of the service's start.",
            (Advice("start", "About this host", "/"),),
        )
    headers = (*cache(ABSENT_SECONDS), *_VARY, *CORS)
    return write_problem(HTTPStatus.NOT_FOUND, problem, request.preferences, headers)


def _describe(request: Request, publication: Publication, host: str) -> Response:
    chosen = choose(Preferences(accept=request.preferences.accept), (_JSON_LD, _HTML))
    headers = (*_VARY, *cache(PUBLISHED_SECONDS), *CORS)
    if chosen is _HTML:
        return Response(HTTPStatus.OK, (*page_headers(), *headers), _page(publication))
    document = json.dumps(describe_dataset(publication, host), ensure_ascii=False, indent=1).encode()
    told = (("Content-Type", "application/ld+json"), ("X-Content-Type-Options", "nosniff"))
    return Response(HTTPStatus.OK, (*told, *headers), document)


def describe_dataset(publication: Publication, host: str) -> Mapping[str, Any]:
    """Describe the whole registry as a dataset (DCAT 3, VoID), as JSON-LD that needs no other document."""
    home, file = f"http://{host}/", publication.files[DATASET]
    made = {"@type": "xsd:dateTime", "@value": publication.made}
    return {
        "@context": {
            "dcat": "http://www.w3.org/ns/dcat#",
            "dcterms": "http://purl.org/dc/terms/",
            "foaf": "http://xmlns.com/foaf/0.1/",
            "spdx": "http://spdx.org/rdf/terms#",
            "void": "http://rdfs.org/ns/void#",
            "xsd": "http://www.w3.org/2001/XMLSchema#",
        },
        "@id": f"{home}{REGISTRY}",
        "@type": ["dcat:Dataset", "void:Dataset"],
        "dcterms:title": {"@language": "en", "@value": f"All that is registered at {host}"},
        "dcterms:description": {"@language": "en", "@value": _LICENCE_NOTE},
        "dcterms:modified": made,
        "dcterms:accrualPeriodicity": {"@id": "http://purl.org/cld/freq/daily"},
        "void:entities": publication.records,
        "void:uriSpace": home,
        "void:openSearchDescription": {"@id": f"{home}opensearch.xml"},
        "void:rootResource": {"@id": home},
        "foaf:homepage": {"@id": home},
        "dcat:distribution": {
            "@id": f"{home}{DATASET}",
            "@type": "dcat:Distribution",
            "dcterms:title": {"@language": "en", "@value": "JSON lines, packed"},
            "dcterms:modified": made,
            "dcat:downloadURL": {"@id": f"{home}{DATASET}"},
            "dcat:mediaType": {"@id": "https://www.iana.org/assignments/media-types/application/jsonl"},
            "dcat:compressFormat": {"@id": "https://www.iana.org/assignments/media-types/application/gzip"},
            "dcat:byteSize": {"@type": "xsd:nonNegativeInteger", "@value": str(file.length)},
            "spdx:checksum": {
                "@type": "spdx:Checksum",
                "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha256"},
                "spdx:checksumValue": {"@type": "xsd:hexBinary", "@value": file.sha256},
            },
        },
    }


def _page(publication: Publication) -> bytes:
    file = publication.files[DATASET]
    body = (
        "<h1>The whole registry</h1>\n"
        f"<p>{publication.records:,} identifiers in {file.lines:,} lines, as they stood on "
        f"<time>{publication.made}</time>.</p>\n<p>{_LICENCE_NOTE}</p>\n<ul>\n"
        f'<li><a href="/{DATASET}">{DATASET}</a>: JSON lines, packed with gzip, {file.length:,} bytes</li>\n'
        f'<li><a href="/{FEED}">{FEED}</a>: what was registered lately (Atom)</li>\n'
        f'<li><a href="/{SITEMAP}">{SITEMAP}</a>: every identifier, for search engines</li>\n</ul>\n'
        f"<p>SHA-256: <code>{file.sha256}</code></p>"
    )
    return write_page("The whole registry", body)
