"""The Link header (RFC 8288 §3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ginuri.registry.model import Registered, Representation
from ginuri.registry.ports import Found
from ginuri.resolution.links import Link, absolute, link_description, link_identifier

MOST_BYTES = 6_000
"""The most bytes of the header; the linkset, which is linked first, has the links that do not fit."""

# RFC 3986 §2  the characters of a URI; any other registered character is escaped
_MARKS = ":/?#[]@!$&'()*+,;=%~"
_is_plain = re.compile(r"[A-Za-z0-9\-._:/?#\[\]@!$&'()*+,;=%~]*").fullmatch
# RFC 9110 §5.6.4  qdtext and quoted-pair, without obs-text
_is_quotable = re.compile(r"[\t\x20-\x7e]*").fullmatch


def write_links(
    found: Found,
    record: Registered,
    offered: Sequence[Representation],
    canonical_host: str,
    first: Sequence[Link] = (),
) -> str:
    """Write the links of an identifier: its own address, its description, its linkset, its other forms.

    The `first` are links of the answer itself.
    """
    return join_links([*first, *link_identifier(found, record, offered, canonical_host)])


def write_version_links(
    found: Found, record: Registered, canonical_host: str, versions: Iterable[Link]
) -> str:
    """Write the links of a name that redirects to a version and should not be cited itself."""
    return join_links(
        (*make_absolute(versions, found, canonical_host), *link_description(found, record, canonical_host))
    )


def join_links(links: Iterable[Link], most: int = MOST_BYTES) -> str:
    """Write the value of a Link header within a number of bytes, without the links that do not fit.

    It names each target once: links to one target become one with all their relations (RFC 8288 §3.3). If
    they state different media types, languages or titles, it has none: these describe the target as a whole
    (RFC 8288 §3.4.1).
    """
    by_target: dict[str, list[Link]] = {}
    for link in links:
        by_target.setdefault(link.target, []).append(link)
    written = [write_link(same[0] if len(same) == 1 else _merge(same)) for same in by_target.values()]
    joined = ", ".join(written)
    if len(joined) + 2 <= most:
        return joined
    fitting, length = [], 0
    for value in written:
        if length + len(value) + 2 <= most:
            length += len(value) + 2
            fitting.append(value)
    return ", ".join(fitting)


def _merge(links: Sequence[Link]) -> Link:
    relations = dict.fromkeys(" ".join(link.relation for link in links).split())
    stated = [
        {value for value in column if value} for column in zip(*(link[2:] for link in links), strict=True)
    ]
    return Link(
        " ".join(relations),
        links[0].target,
        *(values.pop() if len(values) == 1 else None for values in stated),
    )


def make_absolute(links: Iterable[Link], found: Found, canonical_host: str) -> list[Link]:
    """Write the targets as absolute URIs, on the host that identifiers are cited on."""
    return [link._replace(target=absolute(link.target, found, canonical_host)) for link in links]


def write_target(target: str) -> str:
    """Write a URI in angle brackets, with escapes for the characters that are not allowed in URIs."""
    return f"<{target if _is_plain(target) else _quote(target, _MARKS)}>"


def write_link(link: Link, *, anchor: str | None = None, separator: str = "; ") -> str:
    """Write one link-value, a non-ASCII title as in RFC 8187; other non-ASCII parameters are left out."""
    relation, target, media_type, language, profile, title, datetime = link
    written = f'{write_target(target)}{separator}rel="{_quoted(relation)}"'
    if anchor:
        written += _parameter("anchor", anchor, separator)
    if media_type:
        written += _parameter("type", media_type, separator)
    if language:
        written += _parameter("hreflang", language, separator)
    if profile:
        # W3C Content Negotiation by Profile §7.1 uses `formats` for signposting's `profile`.
        written += _parameter("profile", profile, separator) + _parameter("formats", profile, separator)
    if datetime:
        written += _parameter("datetime", datetime, separator)
    return written + (_title(title, separator) if title else "")


def _parameter(name: str, value: str, separator: str) -> str:
    return f'{separator}{name}="{_quoted(value)}"' if _is_quotable(value) else ""


def _title(title: str, separator: str) -> str:
    if _is_quotable(title):
        return f'{separator}title="{_quoted(title)}"'
    # RFC 8187 §3.2  ext-value = charset "'" [ language ] "'" value-chars
    return f"{separator}title*=UTF-8''{_quote(title, '')}"


def _quote(text: str, safe: str) -> str:
    from urllib.parse import quote

    return quote(text, safe, errors="replace")


def _quoted(value: str) -> str:
    # RFC 9110 §5.6.4  quoted-pair = "\\" ( HTAB / SP / VCHAR / obs-text )
    return value.replace("\\", "\\\\").replace('"', '\\"') if '"' in value or "\\" in value else value
