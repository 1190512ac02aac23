"""The paths of the service itself: none begins with a scheme.

On a host they cannot be names bound to it, unless the host has no pages (`Host.pages`).
"""

from __future__ import annotations

from ginuri.identifiers.roots import printable_name

ABOUT = "about"
EXPLAIN = "explain"
RESOLVE = "resolve"
OPENAPI = "openapi.json"
TIMEMAP = "timemap"
MEMBERS = "members"
QR_CODE = "qr.svg"
REPORTS = "reports"
"""The path of reports, only on a local stack; AWS does not serve it."""
HEALTH = "health"
"""The path of the state of a registry on one machine; AWS does not serve it."""
ASSETS = "assets"
"""The path of the files that pages load."""
API, DESK = "api", "desk"
"""The paths of the pages for stewards, and of their interface, which no version has yet."""
SUGGEST = "suggest"
DOCS = "docs"
"""The path of the guides for stewards and developers."""
URI_RES = "uri-res"
"""The path of the services that resolve URNs (RFC 2169 §2)."""
ROBOTS, SITEMAP, SITEMAPS, FEED = "robots.txt", "sitemap.xml", "sitemaps", "feed.atom"
REGISTRY, DATASET, TESTS = "registry", "registry.jsonl.gz", "registry.tests.json"
SEARCH, OPENSEARCH = "search", "opensearch.xml"
SERVICE_PATHS = frozenset(
    (
        *(ABOUT, EXPLAIN, RESOLVE, OPENAPI, TIMEMAP, MEMBERS, QR_CODE, REPORTS, URI_RES),
        *(ASSETS, SUGGEST, DOCS, HEALTH, API, DESK),
        *(ROBOTS, SITEMAP, SITEMAPS, FEED, REGISTRY, DATASET, TESTS, SEARCH, OPENSEARCH),
    )
)
"""The first segments of the service's paths, without the extensions of formats."""
SERVICE_NAMES = frozenset(name.partition(".")[0] for name in SERVICE_PATHS)
"""These segments before a dot."""
KEPT_NAMES = frozenset((ASSETS, API, DESK, HEALTH))
"""Those that no host gives up: the pages of every host, such as that of a 404, load scripts from /assets/."""
TIMEMAP_TYPES = {"link": "application/link-format", "json": "application/json"}
"""RFC 7089 §5: the extensions of a TimeMap and their media types, the usual one first."""
PAGE = "html"
"""The extension of the page of a description."""
ERC = "erc"
"""The extension of an Electronic Resource Citation."""
LINKSET, LINKSET_TEXT = "linkset", "links"
"""The extensions of an identifier's linkset as JSON and as text."""
LINKSET_TYPES = {LINKSET: "application/linkset+json", LINKSET_TEXT: "application/linkset"}
"""The media types of linksets (RFC 9264 §7)."""


def is_service_name(segment: str) -> bool:
    """Return whether a path that begins with a segment belongs to the service.

    >>> is_service_name("about.json"), is_service_name("registry"), is_service_name("registries")
    (True, True, False)
    """
    return segment.partition(".")[0] in SERVICE_NAMES


def report_path(key: str) -> str:
    """Return the path of an object of the reports bucket.

    >>> report_path("uri-gin/azgs/wells (1).csv/v1.html")
    '/reports/uri-gin/azgs/wells%20%281%29.csv/v1.html'
    """
    return f"/{REPORTS}/{_quote(key)}"


def timemap_path(normal_form: str, *, extension: str = "") -> str:
    """Return the path of the list of an identifier's versions; with an extension, in one format.

    >>> timemap_path("uri-gin/azgs/doc/report", extension="json")
    '/timemap.json/uri-gin/azgs/doc/report'
    """
    return f"/{TIMEMAP}{'.' if extension else ''}{extension}/{printable_name(normal_form)}"


USUAL_ORDER = "identifier"


def members_path(normal_form: str, *, extension: str = "", after: str = "", sort: str = USUAL_ORDER) -> str:
    """Return the path of the list of identifiers under another, or of the page after a member.

    `sort` is the order of a list with one page.

    >>> members_path("uri-gin/azgs/", extension="json", after="uri-gin/azgs/a%20b")
    '/members.json/uri-gin/azgs/?after=uri-gin/azgs/a%2520b'
    """
    query = f"?after={_quote(after)}" if after else f"?sort={sort}" if sort != USUAL_ORDER else ""
    return f"/{MEMBERS}{'.' if extension else ''}{extension}/{printable_name(normal_form)}{query}"


def description_path(normal_form: str, *, extension: str = "", after: str = "") -> str:
    """Return the path of the description of an identifier; with an extension, of one format.

    `after` is the beginning that the listed rules of a prefix follow.

    A host or a name bound to one is described on any host, so the path has its whole URI.

    >>> description_path("uri-gin/azgs/", extension="jsonld"), description_path("//id.example/")
    ('/about.jsonld/uri-gin/azgs/', '/about/http://id.example/')
    >>> description_path("//id.example/doc/1")
    '/about/http://id.example/doc/1'
    """
    query = f"?after={_quote(after)}" if after else ""
    return f"/{ABOUT}{'.' if extension else ''}{extension}/{printable_name(normal_form)}{query}"


def explanation_path(normal_form: str) -> str:
    """Return the path of the explanation of how an identifier is resolved.

    >>> explanation_path("uri-gin/azgs/"), explanation_path("//id.example/")
    ('/explain/uri-gin/azgs/', '/explain/http://id.example/')
    """
    return f"/{EXPLAIN}/{printable_name(normal_form)}"


def qr_code_path(normal_form: str) -> str:
    """Return the path of the QR code of an identifier.

    >>> qr_code_path("uri-gin/azgs/"), qr_code_path("//id.example/")
    ('/qr.svg/uri-gin/azgs/', '/qr.svg/http://id.example/')
    """
    return f"/{QR_CODE}/{printable_name(normal_form)}"


def register_path(authority: str, name: str) -> str:
    """Return the identifier of an authority's register.

    >>> register_path("uri-gin/azgs/", "resourceType")
    'uri-gin/azgs/register/resourceType/'
    """
    return f"{authority}register/{name}/"


def _quote(text: str) -> str:
    from urllib.parse import quote

    return quote(text)
