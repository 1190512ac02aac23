"""Finds the steward that an identifier is listed under: its name authority, or the ancestor above that."""

from __future__ import annotations

from ginuri.identifiers.roots import ancestors_of

TOP = "/"
"""The steward of schemes and hosts."""


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
