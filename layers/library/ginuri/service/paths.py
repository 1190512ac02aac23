"""Which flow answers a path: one row for each route of the front door."""

from __future__ import annotations

from enum import Enum, auto

from ginuri.identifiers.service_paths import (
    ABOUT,
    API,
    ASSETS,
    DATASET,
    DOCS,
    EXPLAIN,
    FEED,
    MEMBERS,
    OPENAPI,
    OPENSEARCH,
    QR_CODE,
    REGISTRY,
    RESOLVE,
    ROBOTS,
    SEARCH,
    SITEMAP,
    SITEMAPS,
    SUGGEST,
    TESTS,
    TIMEMAP_TYPES,
    URI_RES,
    timemap_path,
)
from ginuri.resolution.descriptions.formats import COMMON_FORMATS, FORMATS, LIST_FORMATS

TIMEMAPS = {timemap_path("", extension=name): name or None for name in ("", *TIMEMAP_TYPES)}
"""The beginnings of the paths of TimeMaps, with the extension that each fixes."""
_BELOW = "/{proxy+}"
"""The rest of a path: at least one segment that is not empty."""


class Flow(Enum):
    """A flow; the modules of all but the first two are imported with their first request."""

    RESOLVE = auto()
    """Identifiers: `service.resolve`; all others belong to `service.describe`."""
    DESCRIPTIONS = auto()
    PUBLICATIONS = auto()
    """Published files, and searches in them."""
    URN_SERVICES = auto()
    """RFC 2169."""
    FRONT_PAGE = auto()
    """`/`: the front page, or the host's description."""
    API = auto()
    """Stewards who register over HTTP: `ginuri.api`."""
    SERVICES = auto()
    """Explanations, look-ups, TimeMaps, OpenAPI, what pages load."""


_HOST = [f"/{ABOUT}", *(f"/{ABOUT}.{extension}" for extension in COMMON_FORMATS)]
_ABOUT = [f"/{ABOUT}", *(f"/{ABOUT}.{extension}" for extension in FORMATS)]
_MEMBERS = [f"/{MEMBERS}", *(f"/{MEMBERS}.{extension}" for extension in LIST_FORMATS)]
_PATHS = {
    Flow.RESOLVE: [_BELOW],
    Flow.DESCRIPTIONS: [*_HOST, *(f"{path}{_BELOW}" for path in (*_ABOUT, *_MEMBERS, f"/{QR_CODE}"))],
    Flow.PUBLICATIONS: [
        *(
            f"/{name}"
            for name in (SEARCH, SUGGEST, OPENSEARCH, ROBOTS, SITEMAP, FEED, DATASET, TESTS, REGISTRY)
        ),
        f"/{SITEMAPS}{_BELOW}",
    ],
    Flow.URN_SERVICES: [f"/{URI_RES}{_BELOW}"],
    Flow.FRONT_PAGE: ["/"],
    Flow.API: [f"/{API}", f"/{API}{_BELOW}"],
    Flow.SERVICES: [
        *(f"/{name}" for name in (EXPLAIN, RESOLVE, OPENAPI, DOCS)),
        *(f"/{name}{_BELOW}" for name in (EXPLAIN, ASSETS, DOCS)),
        *(f"{beginning.removesuffix('/')}{_BELOW}" for beginning in TIMEMAPS),
    ],
}
ROUTES = {path: flow for flow, paths in _PATHS.items() for path in paths}
"""The flow of every route, written as the front door writes it."""
POSTED = frozenset({f"/{RESOLVE}"})
"""The paths that accept POST; all accept GET, HEAD and OPTIONS."""


def flow_of(path: str) -> Flow:
    """Return the flow that answers a path: a literal segment beats `{proxy+}`, as at the front door.

    The front door ignores slashes around a path; such a path is described, since it belongs to no service.

    >>> [flow_of(path).name for path in ("/uri-gin/azgs/", "/explain/uri-gin/azgs/", "/search", "/search/")]
    ['RESOLVE', 'SERVICES', 'PUBLICATIONS', 'DESCRIPTIONS']
    """
    first, _, rest = path.strip("/").partition("/")
    literal, below = f"/{first}", f"/{first}{_BELOW}"
    flow = ROUTES.get(below if rest else literal, Flow.RESOLVE)
    is_exact = path == literal or (path.startswith(f"{literal}/") and below in ROUTES)
    return flow if is_exact or flow is Flow.RESOLVE else Flow.DESCRIPTIONS
