"""The paths of the service itself, where no identifier can be: none begins with a scheme."""

from __future__ import annotations

ABOUT = "about"


def description_path(normal_form: str, *, extension: str = "") -> str:
    """Give the path of the description of an identifier; with an extension, of one format of it.

    >>> description_path("uri-gin/azgs/", extension="jsonld")
    '/about.jsonld/uri-gin/azgs/'
    """
    return f"/{ABOUT}{'.' if extension else ''}{extension}/{normal_form}"
