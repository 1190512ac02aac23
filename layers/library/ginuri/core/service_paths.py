"""The paths of the service itself, reserved on every host: no identifier can be registered there."""

from __future__ import annotations

ABOUT = "about"
SERVICE_PATHS = frozenset(
    {
        ABOUT,
        "explain",
        "favicon.ico",
        "openapi.json",
        "ping",
        "registry.jsonl.gz",
        "reports",
        "resolve",
        "robots.txt",
        "search",
        "sitemap.xml",
        "sping",
        "uri-res",
    }
)
"""First segments; `ping` and `sping` are taken by the gateway on domains of one's own."""


def description_path(normal_form: str, *, extension: str = "") -> str:
    """Give the path of the description of an identifier; with an extension, of one format of it.

    >>> description_path("uri-gin/azgs/", extension="jsonld")
    '/about.jsonld/uri-gin/azgs/'
    """
    return f"/{ABOUT}{'.' if extension else ''}{extension}/{normal_form}"
