"""Any other URI: RFC 3986's generic syntax, and the equivalence of §6.2.2 for unknown schemes.

§3  URI       = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
    hier-part = "//" authority path-abempty / path-absolute / path-rootless / path-empty
"""

from __future__ import annotations

import re

from ginuri.frozen import Frozen
from ginuri.identifiers.characters import BROKEN_ESCAPE, PCHAR, broken_escape, normalise_escapes
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import message

# RFC 3986, Appendix B, with a required scheme (§3.1): a text without one is a relative reference.
_URI = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*):(?://(?P<authority>[^/?#]*))?(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)
# §3.2: userinfo, host, which may be an address in brackets, and port
_AUTHORITY = re.compile(rf"(?:{PCHAR}|[\[\]])*")
# §3.3 pchar and "/" anywhere; §3.4 and §3.5 also have "?"
_PATH = re.compile(rf"(?:{PCHAR}|/)*")
_QUERY = re.compile(rf"(?:{PCHAR}|[/?])*")
_GRAMMARS = {"authority": _AUTHORITY, "path": _PATH, "query": _QUERY, "fragment": _QUERY}
_ESCAPE_OR_OTHER = re.compile(r"%[0-9A-F]{2}|[^%]+")


class Components(Frozen):
    """The components of a URI (§3), unchanged. None is absent, which differs from empty."""

    scheme: str
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    def normal(self) -> Components:
        """Return the normal form: case (§6.2.2.1), escapes (§6.2.2.2) and dot segments (§6.2.2.3)."""
        authority = None if self.authority is None else _normal_authority(self.authority)
        return Components(
            self.scheme.lower(),
            authority,
            _normal_path(self.path, has_authority=authority is not None),
            self.query and normalise_escapes(self.query),
            self.fragment and normalise_escapes(self.fragment),
        )

    def without_fragment(self) -> str:
        """Write the components without the fragment (§5.3).

        >>> split("FTP://h/a?b#c").without_fragment()
        'FTP://h/a?b'
        """
        authority = "" if self.authority is None else f"//{self.authority}"
        query = "" if self.query is None else f"?{self.query}"
        return f"{self.scheme}:{authority}{self.path}{query}"


def split(text: str) -> Components:
    """Read a URI into its components. Raises MalformedIdentifier, also for a relative reference.

    >>> split("magic://a/b/c//d/e/f").path
    '/b/c//d/e/f'
    """
    found = _URI.fullmatch(text)
    if found is None:
        reason = message("a URI starts with a scheme and a colon; a relative reference needs a base")
        raise MalformedIdentifier(text, reason, rule="URI", value=text[:80])
    for name in _GRAMMARS:
        check(text, name, found[name] or "", found.start(name))
    return Components(**found.groupdict())


def check(text: str, name: str, part: str, offset: int) -> None:
    """Check a part of a text, at an offset in it, against its grammar. Raises MalformedIdentifier."""
    broken = broken_escape(part)
    if broken is not None:
        reason, rule, at, length = BROKEN_ESCAPE, "pct-encoded", broken, 3
    elif not _GRAMMARS[name].fullmatch(part):
        at = next(
            at
            for at, character in enumerate(part)
            if character != "%" and not _GRAMMARS[name].fullmatch(character)
        )
        reason = message("{character} must be percent-encoded", character=repr(part[at]))
        rule, length = name, 1
    else:
        return
    raise MalformedIdentifier(text, reason, rule=rule, value=part[at : at + length], position=offset + at)


def _normal_authority(authority: str) -> str:
    user, at, host = normalise_escapes(authority).rpartition("@")
    # §6.2.2.1: a host is in lower case, but the digits of an escape are in upper case.
    lower = "".join(
        piece if piece.startswith("%") else piece.lower() for piece in _ESCAPE_OR_OTHER.findall(host)
    )
    return f"{user}{at}{lower.removesuffix(':')}"  # §3.2.3: an empty port is left out


def _normal_path(path: str, *, has_authority: bool) -> str:
    normal = normalise_escapes(path)
    if not normal.startswith("/"):
        return normal  # rootless: "a:b/../c" must not become "a:/c"
    normal = remove_dot_segments(normal)
    # §3.3: without an authority a path cannot begin with two slashes.
    return f"/.{normal}" if normal.startswith("//") and not has_authority else normal


def remove_dot_segments(path: str) -> str:
    """Remove "." and ".." from a path that begins with a slash (§5.2.4).

    >>> remove_dot_segments("/a/b/c/./../../g"), remove_dot_segments("/a//../b/."), remove_dot_segments("/..")
    ('/a/g', '/a/b/', '/')
    """
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)
