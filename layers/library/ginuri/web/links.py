"""The Link header (RFC 8288): what else there is to know, for clients that read no page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ginuri.core.decision import leads_to
from ginuri.core.model import Registered, Representation
from ginuri.core.registry import Found
from ginuri.core.service_paths import description_path

MOST_BYTES = 6_000
"""How long the header may become; what no longer fits is left to the description."""


def write_links(
    found: Found, record: Registered, offered: Sequence[Representation], canonical_host: str
) -> str:
    """Write the links of an identifier: its own address, its description, its other forms."""
    uri = found.cited(canonical_host)
    links = [
        _link(uri, "canonical"),
        _link(uri, "cite-as"),
        _link(description_path(record.identifier), "describedby"),
    ]
    if record.successor:
        links.append(_link(f"/{record.successor}", "successor-version"))
    links.extend(_alternate(record, each) for each in offered)
    return ", ".join(_fitting(links))


def address(record: Registered, representation: Representation) -> str:
    """Give where a representation is to be had: under its own name, or where it is."""
    if representation.part:
        return f"/{record.identifier}{representation.part}"
    return f"/{record.identifier}" if representation.file else leads_to(representation)


def _alternate(record: Registered, representation: Representation) -> str:
    parameters = {"type": representation.media_type, "hreflang": representation.language}
    return _link(
        address(record, representation),
        "alternate",
        **{name: value for name, value in parameters.items() if value},
    )


def _link(target: str, relation: str, **parameters: str) -> str:
    further = "".join(f'; {name}="{_quoted(value)}"' for name, value in parameters.items())
    return f'<{target}>; rel="{relation}"{further}'


def _quoted(value: str) -> str:
    # RFC 9110 §5.6.4  quoted-pair = "\\" ( HTAB / SP / VCHAR / obs-text )
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _fitting(links: Iterable[str]) -> Iterable[str]:
    length = 0
    for link in links:
        length += len(link) + 2
        if length > MOST_BYTES:
            return
        yield link
