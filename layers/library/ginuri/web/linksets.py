"""Linksets (RFC 9264): links as a separate document, as JSON and as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ginuri.resolution.links import Link
from ginuri.web.links import write_link
from ginuri.web.response import LARGEST_BODY

_BETWEEN = "\n, "
_INDENTED = 20
"""The most line breaks and blanks around a member."""


class LinkInContext(NamedTuple):
    """A link with its context, the anchor; both ends are absolute URIs."""

    anchor: str
    link: Link


def write_linkset(links: Iterable[LinkInContext]) -> bytes:
    """Write a linkset as JSON (RFC 9264 §4.2): one context object per anchor, one array per relation.

    It ends before it would be larger than a response may be.
    """
    contexts: dict[str, dict[str, Any]] = {}
    length = 0
    for anchor, link in links:
        target, context = _target_object(link), contexts.get(anchor, {})
        new_names = [name for name in (link.relation,) if name not in context]
        length += _measure(target, new_names if context else [anchor, *new_names])
        if length > LARGEST_BODY:
            break
        context = contexts.setdefault(anchor, {"anchor": anchor})
        context.setdefault(link.relation, []).append(target)
    return json.dumps({"linkset": list(contexts.values())}, ensure_ascii=False, indent=1).encode()


def write_linkset_text(links: Iterable[LinkInContext]) -> bytes:
    """Write a linkset as text (RFC 9264 §4.1): the value of a Link header, with anchors and line breaks.

    It ends before it would be larger than a response may be.
    """
    lines: list[str] = []
    length = 0
    for anchor, link in links:
        line = write_link(link, anchor=anchor, separator="\n ; ")
        length += len(line) + len(_BETWEEN)
        if length > LARGEST_BODY:
            break
        lines.append(line)
    return (_BETWEEN.join(lines) + "\n").encode("ascii")


def _measure(target: Mapping[str, Any], new_names: Sequence[str]) -> int:
    """Return a lower bound for the bytes of a target object, with the names that it is the first under."""
    written = json.dumps([target, new_names], ensure_ascii=False)
    return len(written.encode()) + _INDENTED * (len(target) + 2 * len(new_names))


def _target_object(link: Link) -> dict[str, Any]:
    # RFC 9264 §4.2.4: `hreflang` and relations outside of RFC 8288 are arrays, `type` and `title` are not.
    attributes = {
        "type": link.media_type,
        "hreflang": link.language and [link.language],
        "title": link.title,
        "profile": link.profile and [link.profile],
        "formats": link.profile and [link.profile],
        "datetime": link.datetime and [link.datetime],
    }
    return {"href": link.target, **{name: value for name, value in attributes.items() if value}}
