"""Every known scheme, a row each: the spellings of its names, and the changes that make another name.

A new scheme is one more row.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.property.strategies import SEGMENTS

_UNRESERVED = string.ascii_letters + string.digits + "-._~"
_TOKEN = re.compile(r"%[0-9A-Fa-f]{2}|.", re.DOTALL)


@dataclass(frozen=True)
class Scheme:
    """A scheme, by the rules of its sources."""

    name: str
    heads: Sequence[str]
    """The same beginning in several spellings."""
    others: Sequence[str]
    """Beginnings that make another name."""
    bodies: st.SearchStrategy[str]
    """Endings; never empty."""
    undoes_escapes: bool = True
    """Whether an escaped unreserved character is the character."""
    same_ends: Sequence[str] = ("", "#")
    """Suffixes that make no difference."""
    other_ends: Sequence[str] = ("/", "#a")
    """Suffixes that make another name."""

    def __str__(self) -> str:
        return self.name

    def texts(self) -> st.SearchStrategy[str]:
        """Well-formed names in any spelling."""
        return st.builds(str.__add__, st.sampled_from(self.heads), self.bodies)

    def rewritten(self, body: str, *, is_same: bool) -> st.SearchStrategy[str]:
        """Write the name of a body in another spelling, or change it slightly into another name."""
        same = [_hex_digits, *([_escaped] if self.undoes_escapes else [])]
        other = [_other_case, _escaped_reserved, *([] if self.undoes_escapes else [_escaped])]
        if is_same:
            written = st.sampled_from(self.heads).flatmap(
                lambda head: st.sampled_from(same).map(lambda rewrite: head + (rewrite(body) or body))
            )
            return st.builds(str.__add__, written, st.sampled_from(self.same_ends))
        bodies = [each for rewrite in other if (each := rewrite(body)) is not None]
        texts = [self.heads[0] + each for each in (*bodies, *(body + end for end in self.other_ends))]
        return st.sampled_from([*texts, *(head + body for head in self.others)])


def _hex_digits(body: str) -> str | None:
    return re.sub("%..", lambda escape: escape[0].swapcase(), body)


def _first(body: str, takes: Callable[[str], bool], to: Callable[[str], str]) -> str | None:
    tokens = _TOKEN.findall(body)
    at = next((at for at, token in enumerate(tokens) if len(token) == 1 and takes(token)), None)
    return None if at is None else "".join([*tokens[:at], to(tokens[at]), *tokens[at + 1 :]])


def _escape(character: str) -> str:
    return f"%{ord(character):02x}"


def _escaped(body: str) -> str | None:
    return _first(body, lambda token: token in _UNRESERVED, _escape)


def _escaped_reserved(body: str) -> str | None:
    return _first(body, lambda token: token not in _UNRESERVED, _escape)


def _other_case(body: str) -> str | None:
    return _first(body, str.isalpha, str.swapcase)


_PATHS = st.lists(SEGMENTS, min_size=1, max_size=3).map("/".join)
# RFC 2141 §2.4 excludes the octet 0, and bodies are also tried under other schemes.
_OPAQUE = st.builds(str.__add__, SEGMENTS, st.lists(SEGMENTS | st.just("/"), max_size=3).map("".join)).filter(
    lambda body: "%00" not in body
)

# Periods and slashes have no meaning at the end of an ARK, and hyphens have none anywhere.
_ARKS = _OPAQUE.map(lambda body: re.sub("[-./]", "", body)).filter(bool)

SCHEMES = [
    Scheme(
        "uri-gin",
        heads=[
            "uri-gin/azgs/",
            "/uri-gin/azgs/",
            "http://resources.usgin.org/uri-gin/azgs/",
            "https://GEON.org:88/uri-gin/azgs/",
            "//[::1]/uri%2Dgin/%61zgs/",
        ],
        others=["uri-gin/AZGS/", "uri-gin/azgs/azgs/", "uri-soil/azgs/", "http://a.example/uri-soil/azgs/"],
        bodies=_PATHS,
    ),
    Scheme(
        "uri-*",
        heads=["uri-soil/nrcs/", "http://soil.example.org/uri-soil/nrcs/", "/uri-so%69l/nrcs/"],
        others=["uri-gin/nrcs/", "uri-Soil/nrcs/", "uri-soil/nrcs.other/"],
        bodies=_PATHS,
    ),
    Scheme(
        "info",  # RFC 4452 §5
        heads=["info:ddc/", "INFO:DDC/", "Info:Ddc/", "/info:ddc/", "http://a.example/info:ddc/"],
        others=["info:lccn/", "info:ddc/ddc/", "urn:ddc:"],
        bodies=_OPAQUE,
    ),
    Scheme(
        "urn",  # RFC 2141 §5, RFC 8141 §3
        heads=["urn:foo:", "URN:foo:", "urn:FOO:", "/urn:foo:", "http://a.example/uRn:fOO:"],
        others=["urn:bar:", "urn:foo:foo:", "info:foo/"],
        bodies=_OPAQUE,
        undoes_escapes=False,
        same_ends=("", "#", "#a", "?+a", "?=a/b#c"),
        other_ends=("/", ":a"),
    ),
    Scheme(
        "ark",  # draft-kunze-ark-42 §3.2
        heads=["ark:12345/", "ark:/12345/", "ARK:12-345/-", "https://n2t.example/ark:/12345/"],
        others=["ark:12346/", "ark:/12345/12345/", "info:ark/12345/"],
        bodies=_ARKS,
        undoes_escapes=False,
        same_ends=("", "#", "/", ".", "-/.", "?info"),
        other_ends=("#a", "/a", ".a"),
    ),
    Scheme(
        "a registered scheme",  # RFC 3986 §6.2.2
        heads=["doi:10.1000/", "DOI:10.1000/", "Doi:1%30.1000/"],
        others=["doi:10.1001/", "doi:10.1000/10.1000/", "hdl:10.1000/"],
        bodies=_OPAQUE,
    ),
    Scheme(
        "bound to a host",
        heads=[
            "http://id.example/id/",
            "https://id.example/id/",
            "//ID.example:443/id/",
            "HTTP://id.EXAMPLE:80/%69d/",
        ],
        others=["http://www.id.example/id/", "http://id.example:8080/id/", "ftp://id.example/id/"],
        bodies=_PATHS,
    ),
    Scheme(
        "any other URI",  # RFC 3986 §6.2.2
        heads=[
            "ftp://id.example/id/",
            "FTP://ID.example/id/",
            "ftp://%69d.example:/%69d/",
            "ftp://id.example/a/./../id/",
        ],
        others=["sftp://id.example/id/", "ftp://id.example/ID/", "ftp://id.example//id/", "ftp:id/"],
        bodies=_PATHS,
    ),
]
