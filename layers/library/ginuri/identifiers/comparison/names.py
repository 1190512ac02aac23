"""The parts of a name: an identifier of any known scheme, or any other URI, with its fragment.

Only comparisons use this module (`ginuri.identifiers.comparison.equivalence`), never a request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ginuri.frozen import NOTHING, Frozen, replace
from ginuri.identifiers import Identifier, parse, read_identifier
from ginuri.identifiers.characters import normalise_escapes
from ginuri.identifiers.errors import MalformedIdentifier, UnknownScheme
from ginuri.identifiers.grammars import generic
from ginuri.identifiers.grammars.generic import Components
from ginuri.identifiers.roots import NAMESPACED, registered_scheme

_WITH_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_HTTP = {"http", "https"}


Fold = Callable[[str], str]
"""Returns a name in the case that its scheme states."""


class NamePart(Frozen):
    """A part of a name: its original spelling and its normal form."""

    written: str | None
    """The original spelling; None if absent."""
    normal: str | None
    """The normal form; None if it is not part of the name."""


class Name(Frozen):
    """A parsed name, which equals its other spellings."""

    normal_form: str
    """The normal form without query and fragment."""
    query: str | None = None
    fragment: str | None = None
    """None also for a void fragment, which means the whole (URI draft of 1994, "Fragment-id")."""
    identifier: Identifier | None = None
    """None for a URI of an unknown scheme."""
    pieces: Mapping[str, NamePart] = NOTHING
    """The parts by role: scheme, host, name authority, segment 3, final slash, fragment, …"""

    def __str__(self) -> str:
        query = "" if self.query is None else f"?{self.query}"
        return f"{self.normal_form}{query}" + (f"#{self.fragment}" if self.fragment else "")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def read_name(text: str, fold: Fold | None = None) -> Name:
    """Read any URI, or an identifier in any form. Raises MalformedIdentifier, and UnknownScheme.

    `fold` returns a name of a registered scheme in the case that the scheme states.

    >>> str(read_name("http://geon.org:88/uri-gin/azgs/map#north")), str(read_name("FTP://H/%7ea/../b"))
    ('uri-gin/azgs/map#north', 'ftp://h/b')
    """
    scheme = _WITH_SCHEME.match(text)
    if scheme is not None and scheme[1].lower() not in _HTTP | NAMESPACED.keys():
        return _read_other(text, fold)
    try:
        return _read_known(text)
    except UnknownScheme:
        # A path of the service, or a mistyped scheme, is no identifier, but its URI is still comparable.
        if scheme is None:
            raise
        return _read_other(text, fold)


def _read_known(text: str) -> Name:
    without_fragment, hash_, fragment = text.partition("#")
    body, mark, query = without_fragment.partition("?")
    identifier = parse(body)
    pieces = dict(_pieces_of(identifier, body))
    if mark and not identifier.is_bound:
        parse(without_fragment)  # raises if the grammar of the scheme has no query
        pieces["query"] = NamePart(query, None)
        mark = ""
    if hash_ and _takes_fragments(f"{body if identifier.is_bound else without_fragment}#{fragment}"):
        pieces["fragment"] = NamePart(fragment, None)
        hash_ = ""
    if hash_:
        generic.check(text, "fragment", fragment, len(without_fragment) + 1)
    if mark:
        generic.check(text, "query", query, len(body) + 1)
    return _name(
        identifier.normal_form, pieces, query if mark else None, fragment if hash_ else None, identifier
    )


def _takes_fragments(text: str) -> bool:
    # A grammar that accepts a fragment drops it: it is not part of the name.
    try:
        parse(text)
    except MalformedIdentifier as error:
        if error.rule != "fragment":
            raise
        return False
    return True


def _read_other(text: str, fold: Fold | None) -> Name:
    written = generic.split(text)
    normal = written.normal()
    if fold is not None and registered_scheme(text):
        begin = len(normal.scheme) + 1
        normal = replace(normal, path=fold(f"{normal.scheme}:{normal.path}")[begin:])
    pieces = {"scheme": NamePart(written.scheme, normal.scheme)}
    if written.authority is not None:
        pieces["host"] = NamePart(written.authority, normal.authority)
    pieces["path"] = NamePart(written.path, normal.path)
    body = Components(normal.scheme, normal.authority, normal.path, None, None).without_fragment()
    identifier = read_identifier(body) if registered_scheme(body) else None
    return _name(body, pieces, written.query, written.fragment, identifier)


def _name(
    normal_form: str,
    pieces: dict[str, NamePart],
    query: str | None,
    fragment: str | None,
    identifier: Identifier | None = None,
) -> Name:
    if query is not None:
        pieces["query"] = NamePart(query, normalise_escapes(query))
    if fragment is not None:
        pieces["fragment"] = NamePart(fragment, normalise_escapes(fragment) or None)
    normal_query, normal_fragment = (
        pieces[piece].normal if piece in pieces else None for piece in ("query", "fragment")
    )
    return Name(normal_form, normal_query, normal_fragment, identifier, pieces)


def _pieces_of(identifier: Identifier, body: str) -> Iterator[tuple[str, NamePart]]:
    protocol, has_protocol, _ = body.partition("://")
    if has_protocol:
        yield "protocol", NamePart(protocol, None)
    if identifier.is_bound:
        root = identifier.root
        yield "scheme", NamePart("http", "http")
        yield "host", NamePart(identifier.host or root[2:-1], root[2:-1])
        below = (identifier.written[len(root) :], identifier.normal_form[len(root) :])
        yield from _segments(*below, first=1)
        return
    if identifier.host:
        yield "host", NamePart(identifier.host, None)
    end = ":" if identifier.is_namespaced else "/"
    token, slash, written = identifier.written.partition(end)
    _, _, normal = identifier.normal_form.partition(end)
    yield "scheme", NamePart(token, identifier.scheme)
    if identifier.is_namespaced:
        yield from _namespaced(written, normal, NAMESPACED[identifier.scheme])
    elif written:
        yield from _segments(written, normal, first=2)
    elif slash:
        yield "final slash", NamePart("/", "/")


def _namespaced(written: str, normal: str, end: str) -> Iterator[tuple[str, NamePart]]:
    # The namespace defines the rest: its slashes and colons have no assumed meaning.
    namespace, _, name = written.removeprefix("/").partition(end)
    normal_namespace, _, normal_name = normal.partition(end)
    if normal_namespace:
        yield "namespace", NamePart(namespace, normal_namespace)
    if normal_name:
        yield "name", NamePart(name, normal_name)


def _segments(written: str, normal: str, *, first: int) -> Iterator[tuple[str, NamePart]]:
    if not normal:
        return
    pairs = zip(written.removesuffix("/").split("/"), normal.removesuffix("/").split("/"), strict=True)
    for number, (one, other) in enumerate(pairs, start=first):
        yield "name authority" if number == first == 2 else f"segment {number}", NamePart(one, other)  # noqa: PLR2004  the scheme is segment 1
    if normal.endswith("/"):
        yield "final slash", NamePart("/", "/")
