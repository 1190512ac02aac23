"""The paths of the service itself, where no identifier can be: none begins with a scheme."""

from __future__ import annotations

ABOUT = "about"
EXPLAIN = "explain"
RESOLVE = "resolve"
OPENAPI = "openapi.json"
TIMEMAP = "timemap"
TIMEMAP_TYPES = {"link": "application/link-format", "json": "application/json"}
"""RFC 7089 §5: the extensions of a TimeMap and their media types, the usual one first."""
LINKSET, LINKSET_TEXT = "linkset", "links"
"""The extensions of an identifier's linkset, in JSON and as text."""
LINKSET_TYPES = {LINKSET: "application/linkset+json", LINKSET_TEXT: "application/linkset"}
"""RFC 9264 §7: their media types."""


def timemap_path(normal_form: str, *, extension: str = "") -> str:
    """Give the path of the list of an identifier's versions; with an extension, in one format.

    >>> timemap_path("uri-gin/azgs/doc/report", extension="json")
    '/timemap.json/uri-gin/azgs/doc/report'
    """
    return f"/{TIMEMAP}{'.' if extension else ''}{extension}/{normal_form}"


def description_path(normal_form: str, *, extension: str = "") -> str:
    """Give the path of the description of an identifier; with an extension, of one format of it.

    A host's own has no identifier in it.

    >>> description_path("uri-gin/azgs/", extension="jsonld"), description_path("//id.example/")
    ('/about.jsonld/uri-gin/azgs/', '/about')
    """
    path = f"/{ABOUT}{'.' if extension else ''}{extension}"
    return path if normal_form.startswith("//") else f"{path}/{normal_form}"
