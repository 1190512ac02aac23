"""The links between a resource and its versions (RFC 7089 §2.2).

They are absolute, unlike others, because they may lead to another host.
"""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.identifiers.roots import path_of
from ginuri.identifiers.service_paths import TIMEMAP_TYPES, timemap_path
from ginuri.registry.http_dates import http_date_of
from ginuri.resolution.links import Link
from ginuri.resolution.versions.timeline import Timeline


def link_versions(timeline: Timeline) -> Iterator[Link]:
    """Yield the links to the original, its TimeGate, its TimeMaps and the versions next to this one."""
    yield from link_timeline(timeline)
    for day, relations in _near(timeline).items():
        yield _memento(timeline, day, " ".join((*relations, "memento")))


def link_timeline(timeline: Timeline) -> Iterator[Link]:
    """Yield the links to the original, its TimeGate and its TimeMaps."""
    yield from link_original(timeline)
    for extension, media_type in TIMEMAP_TYPES.items():
        yield Link("timemap", timemap_path(timeline.name, extension=extension), media_type)


def link_original(timeline: Timeline) -> Iterator[Link]:
    """Yield the links to the original and to its TimeGate, which may be the same."""
    original, timegate = path_of(timeline.name), path_of(timeline.timegate)
    if original == timegate:
        yield Link("original timegate", original)
    else:
        yield Link("original", original)
        yield Link("timegate", timegate)


def link_all_versions(timeline: Timeline) -> Iterator[Link]:
    """Yield the links to every version, in order."""
    dated = timeline.dated
    for day in dated:
        ends = {"first": day == dated[0], "last": day == dated[-1]}
        yield _memento(
            timeline, day, " ".join((*(name for name, is_end in ends.items() if is_end), "memento"))
        )


def moment_of(timeline: Timeline) -> str | None:
    """Return the beginning of the selected version as an HTTP date (RFC 7089 §2.1.1)."""
    return http_date_of(timeline.day) if timeline.day in timeline.dated else None


def _near(timeline: Timeline) -> dict[str, list[str]]:
    # RFC 7089 §2.2.4: a version without a known day is no memento.
    dated = timeline.dated
    relations: dict[str, list[str]] = {}
    if not dated:
        return relations
    relations.setdefault(dated[0], []).append("first")
    if timeline.day in dated:
        at = dated.index(timeline.day)
        if at > 0:
            relations.setdefault(dated[at - 1], []).append("prev")
        relations.setdefault(timeline.day, [])
        if at + 1 < len(dated):
            relations.setdefault(dated[at + 1], []).append("next")
    relations.setdefault(dated[-1], []).append("last")
    return relations


def _memento(timeline: Timeline, day: str, relation: str) -> Link:
    return Link(relation, path_of(timeline.version(day)), datetime=http_date_of(day))
