"""Derives the ancestors and the kind of an identifier from its normal form.

uri-gin/azgs/doc/map/1/      uri-gin/  uri-gin/azgs/  uri-gin/azgs/doc/  uri-gin/azgs/doc/map/
info:pmid/12376099           info:  info:pmid/
urn:isbn:0451450523          urn:  urn:isbn:
doi:10.1000/182              doi:  doi:10.1000/
//purl.example.org/net/x     //purl.example.org/  //purl.example.org/net/
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

NAMESPACED: Mapping[str, str] = {
    "ark": "/",
    "info": "/",
    "urn": ":",
}
"""The schemes of public namespaces, which end in a colon, with the character that ends their namespaces.

`parse_<scheme>` in the module of a scheme's name has its grammar.
"""
OF_ADDRESSES = frozenset(
    (
        *("http", "https", "ftp", "ftps", "sftp", "ws", "wss", "file", "mailto", "tel", "sms", "url"),
        *("data", "blob", "about", "javascript", "vbscript", "view-source"),
    )
)
"""The URI schemes of addresses and instructions, which name nothing that a registry could hold."""
# RFC 3986 §3.1  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ); one letter is a drive,
# and a blank follows the colon of a sentence
_TOKEN = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]+):(?!//|\s|%20)")
# RFC 3986 §3.2.3: a host with a dot, or this computer, and a port
_HOST_WITH_PORT = re.compile(r"(?:localhost|[^:/]*\.[^:/]*):[0-9]{1,5}(?:/|\Z)", re.IGNORECASE)


class Kind(StrEnum):
    """The kind of named resource (source, "Interpretation of a USGIN URI")."""

    THING = "thing"
    """A non-information resource, which cannot be sent, only described."""
    DOCUMENT = "document"
    """An information resource, independent of its formats."""
    REPRESENTATION = "representation"
    """One retrievable form of a document or a thing."""


@lru_cache(maxsize=8)  # every step of a request calls it
def root_of(normal_form: str) -> str:
    """Return the scheme's or host's identifier that a normal form is under.

    >>> [root_of(name) for name in ("uri-gin/azgs/", "doi:10.1000/182", "//id.example/a/b", "uri-gin")]
    ['uri-gin/', 'doi:', '//id.example/', 'uri-gin/']
    """
    slash = normal_form.find("/", 2)
    colon = -1 if normal_form.startswith("//") else normal_form.find(":", 0, None if slash < 0 else slash)
    if colon > 0:
        return normal_form[: colon + 1]
    return f"{normal_form}/" if slash < 0 else normal_form[: slash + 1]


def registered_scheme(text: str) -> str | None:
    """Return the scheme that a text begins with, in lower case, if a registration can make it one.

    It ends in a colon, and has no grammar of its own. Addresses are no names, and neither is a host with a
    port: a host with a dot, or `localhost`.

    >>> [registered_scheme(text) for text in ("DOI:10.1000/182", "urn:isbn:0", "mailto:a@b", "a.example:80/")]
    ['doi', None, None, None]
    """
    found = _TOKEN.match(text)
    if found is None or _HOST_WITH_PORT.match(text):
        return None
    scheme = found[1].lower()
    return None if scheme in NAMESPACED or scheme in OF_ADDRESSES or scheme.startswith("uri-") else scheme


def separators_of(normal_form: str) -> str:
    """Return the characters that end a name with names under it.

    >>> separators_of("urn:isbn:0451450523"), separators_of("info:pmid/12376099")
    (':/', '/')
    """
    end = NAMESPACED.get(normal_form.partition(":")[0], "/")
    return end if end == "/" else f"{end}/"


@lru_cache(maxsize=8)  # every step of a request calls it
def ancestors_of(normal_form: str) -> tuple[str, ...]:
    """Return the normal forms above one, from the scheme or host down to its parent.

    >>> ancestors_of("//id.example/doc/school/78")
    ('//id.example/', '//id.example/doc/', '//id.example/doc/school/')
    """
    root = root_of(normal_form)
    if len(root) >= len(normal_form):
        return ()
    separators, last = separators_of(normal_form), len(normal_form) - 1
    above, at = [root], len(root)
    if separators == "/":  # fast path for most schemes
        while (at := normal_form.find("/", at, last)) > -1:
            at += 1
            above.append(normal_form[:at])
    else:
        above += [normal_form[: cut + 1] for cut in range(at, last) if normal_form[cut] in separators]
    return tuple(above)


def kind_by_syntax(normal_form: str) -> Kind:
    """Derive the kind from the syntax: the final slash first, then a dot in the last segment.

    Source: "Interpretation of a USGIN URI", rules (1) and (2).

    >>> kind_by_syntax("uri-gin/azgs/doc/map/DGM37-v1.1/").value
    'thing'
    >>> kind_by_syntax("uri-gin/azgs/doc/map/DGM37-v1.1/mapImageFile.pdf").value
    'representation'
    """
    if normal_form.endswith("/"):
        return Kind.THING
    return Kind.REPRESENTATION if "." in normal_form[normal_form.rfind("/") + 1 :] else Kind.DOCUMENT


def path_of(normal_form: str) -> str:
    """Return the relative reference to an identifier, from any host that answers for it (RFC 3986 §4.2).

    A name bound to a host is a network-path reference; other identifiers are paths of any host.

    >>> path_of("uri-gin/azgs/"), path_of("//id.example/doc/school/78")
    ('/uri-gin/azgs/', '//id.example/doc/school/78')
    """
    return normal_form if normal_form.startswith("//") else f"/{normal_form}"


def printable_name(normal_form: str) -> str:
    """Return an identifier as registrations write it: a name bound to a host as its whole URI.

    >>> printable_name("uri-gin/azgs/"), printable_name("//id.example/doc/school/78")
    ('uri-gin/azgs/', 'http://id.example/doc/school/78')
    """
    return f"http:{normal_form}" if normal_form.startswith("//") else normal_form


def folder_to_prefix(folder: str) -> str:
    """Return the prefix of the identifiers that may be registered from a folder of the uploads bucket.

    The names of folders neither begin with `//` nor end in a colon, so folders of hosts and of namespaces
    with a colon have other names.

    >>> [folder_to_prefix(each) for each in ("doi:10.1000/", "info:pmid/", "urn:isbn/", "id.example/doc/")]
    ['doi:10.1000/', 'info:pmid/', 'urn:isbn:', '//id.example/doc/']
    """
    scheme, colon, below = folder.partition(":")
    if colon and scheme in NAMESPACED:
        return f"{scheme}:{below.replace('/', NAMESPACED[scheme], 1)}"
    if not folder or folder.startswith(("uri-", "_")) or registered_scheme(folder):
        return folder
    return f"//{folder}"


def prefix_to_folder(prefix: str) -> str:
    """Return the folder of a prefix: the inverse of `folder_to_prefix`.

    >>> [prefix_to_folder(each) for each in ("uri-gin/azgs/", "info:pmid/", "urn:isbn:", "//id.example/doc/")]
    ['uri-gin/azgs/', 'info:pmid/', 'urn:isbn/', 'id.example/doc/']
    """
    scheme, colon, below = prefix.partition(":")
    if colon and scheme in NAMESPACED:
        return f"{scheme}:{below.replace(NAMESPACED[scheme], '/', 1)}"
    return prefix.removeprefix("//")
