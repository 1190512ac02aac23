"""Linksets (RFC 9264): links as a document of their own, as JSON and as text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from ginuri.resolution.links import Link
from ginuri.web.links import write_link


class LinkInContext(NamedTuple):
    """A link with its context, the anchor; both ends are absolute URIs."""

    anchor: str
    link: Link


def write_linkset(links: Iterable[LinkInContext]) -> bytes:
    """Write a linkset as JSON (RFC 9264 §4.2): one context object per anchor, one array per relation."""
    contexts: dict[str, dict[str, Any]] = {}
    for anchor, link in links:
        context = contexts.setdefault(anchor, {"anchor": anchor})
        context.setdefault(link.relation, []).append(_target_object(link))
    return json.dumps({"linkset": list(contexts.values())}, ensure_ascii=False, indent=1).encode()


def write_linkset_text(links: Iterable[LinkInContext]) -> bytes:
    """Write a linkset as text (RFC 9264 §4.1): the value of a Link header, with anchors and line breaks."""
    lines = (write_link(link, anchor=anchor, separator="\n ; ") for anchor, link in links)
    return ("\n, ".join(lines) + "\n").encode("ascii")


def _target_object(link: Link) -> dict[str, Any]:
    # RFC 9264 §4.2.4: `hreflang` and what RFC 8288 does not define are arrays, `type` and `title` are not.
    target: dict[str, Any] = {"href": link.target}
    if link.media_type:
        target["type"] = link.media_type
    if link.language:
        target["hreflang"] = [link.language]
    if link.title:
        target["title"] = link.title
    for name, value in (("profile", link.profile), ("formats", link.profile), ("datetime", link.datetime)):
        if value:
            target[name] = [value]
    return target
