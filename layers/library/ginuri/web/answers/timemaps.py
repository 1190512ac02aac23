"""TimeMaps: every version of a document with its date (RFC 7089 §5), as link-format or as JSON."""

from __future__ import annotations

import json
from http import HTTPStatus

from ginuri.frozen import Frozen
from ginuri.identifiers import Identifier
from ginuri.identifiers.service_paths import TIMEMAP_TYPES, timemap_path
from ginuri.registry.http_dates import http_date_of
from ginuri.registry.model import Representation
from ginuri.registry.ports import Found
from ginuri.resolution.links import Link, absolute
from ginuri.resolution.negotiation.negotiation import Preferences, choose
from ginuri.resolution.versions.timeline import Timeline
from ginuri.resolution.versions.version_links import link_all_versions, link_original
from ginuri.web.headers import CORS, FRESH_SECONDS, cache
from ginuri.web.links import write_link
from ginuri.web.response import Headers, Response

_LINK = "link"
_FORMATS = {
    extension: Representation(media_type=media_type) for extension, media_type in TIMEMAP_TYPES.items()
}


class TimeMap(Frozen):
    """The list of versions in the format of `extension`, or in the preferred one for None."""

    found: Found
    timeline: Timeline
    extension: str | None = None


class SeeTimeMap(Frozen):
    """The identifier is a version; the list of all versions is at `address`."""

    address: str


class TimeMapOfNormalForm(Frozen):
    """The request is not in normal form; the list for the normal form is at `address`."""

    address: str


class NoTimeMap(Frozen):
    """The identifier has no versions."""

    identifier: Identifier


def write_timemap(timemap: TimeMap, preferences: Preferences, canonical_host: str) -> Response:
    """Write a TimeMap; the default is link-format, which all clients of RFC 7089 read."""
    extension = timemap.extension or _preferred(preferences)
    where = timemap_path(timemap.timeline.name, extension=extension)
    negotiated = () if timemap.extension else (("Vary", "Accept"), ("Content-Location", where))
    body = _as_links(timemap, canonical_host) if extension == _LINK else _as_json(timemap, canonical_host)
    headers: Headers = (
        ("Content-Type", TIMEMAP_TYPES[extension]),
        ("X-Content-Type-Options", "nosniff"),
        *negotiated,
        *cache(FRESH_SECONDS),
        *CORS,
    )
    return Response(HTTPStatus.OK, headers, body)


def _preferred(preferences: Preferences) -> str:
    chosen = choose(Preferences(accept=preferences.accept), tuple(_FORMATS.values()))
    return next((extension for extension, form in _FORMATS.items() if form is chosen), _LINK)


def _as_links(timemap: TimeMap, canonical_host: str) -> bytes:
    # RFC 6690 §2  Link = link-value-list   ; one link per line as in RFC 7089 §5
    timeline = timemap.timeline
    itself = Link("self", timemap_path(timeline.name, extension=_LINK), TIMEMAP_TYPES[_LINK])
    written = [
        *(_write_absolute(link, timemap, canonical_host) for link in link_original(timeline)),
        _write_absolute(itself, timemap, canonical_host) + _extent(timeline),
        *(_write_absolute(link, timemap, canonical_host) for link in link_all_versions(timeline)),
    ]
    return (",\n".join(written) + "\n").encode("ascii")


def _extent(timeline: Timeline) -> str:
    # RFC 7089 §2.2.4: `from` and `until` are the period of a TimeMap
    dated = timeline.dated
    return f'; from="{http_date_of(dated[0])}"; until="{http_date_of(dated[-1])}"' if dated else ""


def _as_json(timemap: TimeMap, canonical_host: str) -> bytes:
    timeline = timemap.timeline

    def make_absolute(path: str) -> str:
        return absolute(path, timemap.found, canonical_host)

    listed = [
        {"datetime": f"{day}T00:00:00Z", "uri": make_absolute(f"/{timeline.version(day)}")}
        for day in timeline.dated
    ]
    ends = {"first": listed[0], "last": listed[-1]} if listed else {}
    document = {
        "original_uri": make_absolute(f"/{timeline.name}"),
        "self": make_absolute(timemap_path(timeline.name, extension="json")),
        "timegate_uri": make_absolute(f"/{timeline.timegate}"),
        "timemap_uri": {
            "link_format": make_absolute(timemap_path(timeline.name, extension=_LINK)),
            "json_format": make_absolute(timemap_path(timeline.name, extension="json")),
        },
        "mementos": {**ends, "list": listed},
    }
    return json.dumps(document, indent=1).encode()


def _write_absolute(link: Link, timemap: TimeMap, canonical_host: str) -> str:
    return write_link(link._replace(target=absolute(link.target, timemap.found, canonical_host)))
