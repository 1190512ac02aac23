"""The paths of each front of the service; any other path is that of a description."""

from __future__ import annotations

from enum import Enum, auto

from ginuri.identifiers.service_paths import (
    ASSETS,
    DATASET,
    DOCS,
    EXPLAIN,
    FEED,
    OPENAPI,
    OPENSEARCH,
    REGISTRY,
    RESOLVE,
    ROBOTS,
    SEARCH,
    SITEMAP,
    SITEMAPS,
    SUGGEST,
    TIMEMAP_TYPES,
    URI_RES,
    timemap_path,
)

SERVICES = frozenset(f"/{name}" for name in (EXPLAIN, RESOLVE, OPENAPI, DOCS))
TIMEMAPS = {timemap_path("", extension=name): name or None for name in ("", *TIMEMAP_TYPES)}
"""The beginnings of the paths of TimeMaps, with the extension that each fixes."""
_PUBLISHED = frozenset(
    f"/{name}" for name in (SEARCH, SUGGEST, OPENSEARCH, ROBOTS, SITEMAP, FEED, DATASET, REGISTRY)
)


class Front(Enum):
    """A flow of its own, in a module that is imported on first use."""

    DESCRIPTIONS = auto()
    PUBLICATIONS = auto()
    """Published files, and searches in them."""
    URN_SERVICES = auto()
    """RFC 2169."""
    FRONT_PAGE = auto()
    """`/`: the front page, or the host's description."""
    SERVICES = auto()
    """Explanations, look-ups, TimeMaps, OpenAPI, the assets of pages."""


def front_of(path: str) -> Front:
    """Return the front that answers a path."""
    if path == "/":
        return Front.FRONT_PAGE
    if path in _PUBLISHED or path.startswith(f"/{SITEMAPS}/"):
        return Front.PUBLICATIONS
    if path.startswith(f"/{URI_RES}/"):
        return Front.URN_SERVICES
    if path in SERVICES or path.startswith((f"/{EXPLAIN}/", f"/{ASSETS}/", f"/{DOCS}/", *TIMEMAPS)):
        return Front.SERVICES
    return Front.DESCRIPTIONS
