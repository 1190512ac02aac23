"""Finds the steward of an identifier, its name authority or the ancestor above that, and its folder."""

from __future__ import annotations

from ginuri.identifiers.identifier import Identifier
from ginuri.identifiers.roots import ancestors_of

TOP = "/"
"""The steward of schemes and hosts."""
HOST_FOLDER = "_host/"
"""The folder for records above all name authorities: schemes, hosts, namespaces and the authorities."""


def steward(normal_form: str) -> str:
    """Return the steward of an identifier: its second ancestor, else the first, else `TOP`.

    A name bound to a host is listed under the host, since its other ancestors may be unregistered.

    >>> [steward(name) for name in ("uri-gin/azgs/map/x", "uri-gin/azgs/", "uri-gin/", "//a.example/")]
    ['uri-gin/azgs/', 'uri-gin/', '/', '/']
    >>> steward("info:pmid/12376099"), steward("urn:isbn:0451450523"), steward("//a.example/doc/1")
    ('info:pmid/', 'urn:isbn:', '//a.example/')
    """
    above = ancestors_of(normal_form)
    if not above:
        return TOP
    return above[0] if normal_form.startswith("//") else above[min(1, len(above) - 1)]


def steward_below(prefix: str) -> str:
    """Return the steward of the identifiers with a prefix.

    >>> [steward_below(prefix) for prefix in ("uri-gin/azgs/", "uri-gin/azgs/map/D", "uri-gin/", "//a.")]
    ['uri-gin/azgs/', 'uri-gin/azgs/', 'uri-gin/', '/']
    """
    return steward(f"{prefix}x")


def folder_of(identifier: Identifier) -> str:
    """Return the prefix whose folder may register an identifier."""
    above = identifier.ancestors
    if identifier.is_bound and len(above) == 1:
        return above[0]
    return above[1] if len(above) > 1 else HOST_FOLDER
