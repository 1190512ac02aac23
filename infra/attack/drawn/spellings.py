"""Pieces of requests: spellings of names, paths of services, hosts and preferences, from usual to hostile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginuri.resolution.descriptions import formats

SPELLINGS: Sequence[Callable[[str], str]] = (
    str,
    lambda name: name.replace("a", "%61"),
    lambda name: name.replace("e", "%65").upper().replace("URI-GIN", "uri-gin"),
    lambda name: name.swapcase().replace("URI-GIN", "uri-gin"),
    lambda name: name.removesuffix("/") if name.endswith("/") else f"{name}/",
    lambda name: f"{name.removesuffix('/')}/%7e/x",
    lambda name: f"{name.removesuffix('/')}/p1.v2.tif",
    lambda name: f"{name}.pdf",
    lambda name: f"{name.removesuffix('/')}/current",
    lambda name: f"{name.removesuffix('/')}/1997-06-01",
    lambda name: f"{name})",
)
"""Spellings of a registered name: the name itself, and variants that may be meant as it."""
UNREGISTERED_HOSTS = (
    "evil.example",
    "evil.example:81",
    "evil.example.",
    "a.example.evil.example",
    "Evil.example",
)
"""Hosts that are never registered."""
PATH_PIECES = (
    "",
    "authority",
    "x",
    "registry",
    "register",
    "resourceType",
    "uri-gin",
    "azgs",
    "net",
    "..",
    "\\",
)
ESCAPED_PIECES = ("%5C", "%2f", "%7e", "%41", "http:", *UNREGISTERED_HOSTS)
DESCRIPTIONS = ("about", "about.json", "about.html", "members", "members.csv", "timemap", "timemap.json")
SERVICES = (*DESCRIPTIONS, "explain", "qr.svg", "uri-res", "resolve")
LOOK_UPS = (
    "/resolve?uri=",
    "/uri-res/N2L?",
    "/uri-res/N2Ls?",
    "/uri-res/N2R?",
    "/uri-res/N2Rs?",
    "/uri-res/N2C?",
)
FORMATS = tuple({**formats.FORMATS, **formats.LIST_FORMATS})
"""Extensions of descriptions and of lists."""
