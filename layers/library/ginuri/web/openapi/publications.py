"""What `/openapi.json` says of what a job publishes, and of searches in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ginuri.identifiers.service_paths import (
    DATASET,
    FEED,
    OPENSEARCH,
    REGISTRY,
    ROBOTS,
    SEARCH,
    SITEMAP,
    SITEMAPS,
)
from ginuri.registry.model import RecordType, Status
from ginuri.web.answers.search import MOST_ASKED, MOST_LISTED, MOST_PAGES, PAGE
from ginuri.web.openapi.schemas import TEXT

_Object = Mapping[str, Any]
_Operation = Callable[[str, str, _Object], dict[str, Any]]
_MADE = (
    (f"/{ROBOTS}", "readRobots", "What crawlers are told", ("text/plain",)),
    (f"/{SITEMAP}", "listSitemaps", "The sitemaps of this host", ("application/xml",)),
    (
        f"/{OPENSEARCH}",
        "describeSearch",
        "The search, as OpenSearch describes it",
        ("application/opensearchdescription+xml",),
    ),
    (
        f"/{REGISTRY}",
        "describeRegistry",
        "The description of the data set (DCAT, VoID)",
        ("application/ld+json", "text/html"),
    ),
)
_STORED = (
    (f"/{SITEMAPS}/{{name}}", "readSitemap", "Identifiers, as a sitemap", ("application/gzip",)),
    (f"/{FEED}", "readFeed", "What was registered lately", ("application/atom+xml",)),
    (f"/{DATASET}", "readRegistry", "All that is registered, as JSON lines", ("application/gzip",)),
)


def describe_publications(
    operation: _Operation,
    problem: Callable[[str], _Object],
    redirect: Callable[[str], _Object],
    validated: Callable[[_Object], _Object],
) -> dict[str, Any]:
    """Describe the paths; the arguments write an operation, a problem, a redirect, and what has an `ETag`."""
    missing = {"404": problem("Nothing was published yet, or nothing of this name")}
    in_parts = {
        "206": {"description": "A range of it", "content": {"*/*": {}}},
        "307": redirect("A link to a large file"),
        "416": problem("The range is not in it"),
    }
    paths: dict[str, Any] = {
        path: {"get": operation(name, summary, validated({**_given(types), **missing, **more}))}
        for described, more in ((_MADE, {}), (_STORED, in_parts))
        for path, name, summary, types in described
    }
    paths[f"/{SITEMAPS}/{{name}}"]["parameters"] = [_SITEMAP]
    results = validated({**_given(_RESULTS), **missing})
    found = operation("search", "Titles, other names and identifiers", results)
    return {**paths, f"/{SEARCH}": {"get": {**found, "parameters": _PARAMETERS}}}


def _given(types: tuple[str, ...]) -> dict[str, Any]:
    return {"200": {"description": "The document", "content": {each: {} for each in types}}}


def _parameter(name: str, description: str, schema: _Object) -> dict[str, Any]:
    return {"name": name, "in": "query", "description": description, "schema": schema}


_RESULTS = ("application/json", "text/html")
_SITEMAP = {
    "name": "name",
    "in": "path",
    "required": True,
    "description": f"The name of a sitemap, as /{SITEMAP} lists it.",
    "schema": {"type": "string", "pattern": r"^[0-9]{1,6}\.xml\.gz$"},
}
_STATUSES = [str(each) for each in Status]
_PARAMETERS = [
    _parameter("q", "Words; the last may be a beginning.", {"type": "string", "maxLength": MOST_ASKED}),
    _parameter("authority", "Only under this authority, as uri-gin/azgs/.", TEXT),
    _parameter("type", f"Only under this resource type, or only {', '.join(RecordType)}.", TEXT),
    _parameter("status", "Only of this status.", {"type": "string", "enum": _STATUSES}),
    _parameter("page", "Which page.", {"type": "integer", "minimum": 1, "maximum": MOST_PAGES}),
    _parameter(
        "most",
        f"How many on a page; {PAGE} unless told.",
        {"type": "integer", "minimum": 1, "maximum": MOST_LISTED},
    ),
]
