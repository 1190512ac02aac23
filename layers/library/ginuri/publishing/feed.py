"""The feed of uploads that changed the registry (Atom, RFC 4287), the newest first.

It names no person: submitters give their names to the registry, not to the public.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from uuid import NAMESPACE_URL, uuid5

from ginuri.files.reports.summary import read_summary
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.identifiers.service_paths import description_path
from ginuri.identifiers.stewards import HOST_FOLDER, steward
from ginuri.registry.texts.plain_text import plain
from ginuri.registry.texts.titles import shorten

MOST_ENTRIES = 50
MEDIA_TYPE = "application/atom+xml"
_NEWS = ("registered", "changed")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An upload that changed the registry."""

    key: str
    version: str
    put: str
    counts: Mapping[str, int]

    @property
    def folder(self) -> str:
        """The folder of the upload."""
        return self.key[: self.key.rfind("/") + 1]


def read_feed_entries(summaries: Iterable[tuple[str, bytes]]) -> Iterator[FeedEntry]:
    """Read the uploads that changed the registry from the summaries of their reports, by key."""
    for report_key, content in summaries:
        key, _, version = report_key.removesuffix(".summary.json").rpartition("/")
        summary = read_summary(json.loads(content))
        # Grants are not public.
        counts = {name: summary.counts.get(name, 0) - summary.scope.grants[name] for name in _NEWS}
        if summary.changes_registry and summary.attempt == 1 and any(counts.values()):
            yield FeedEntry(key, version, summary.put, counts)


def write_feed(entries: Iterable[FeedEntry], titles: Mapping[str, str], host: str, made: str) -> bytes:
    """Write the feed; `titles` are those of authorities by identifier, `made` is its date without entries."""
    listed = sorted(entries, key=lambda entry: entry.put, reverse=True)[:MOST_ENTRIES]
    updated = listed[0].put if listed else made
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>{_identify(f'http://{host}/feed.atom')}</id>\n"
        f"<title>What was registered at {escape(host)}</title>\n<updated>{updated}</updated>\n"
        f'<link rel="self" type="{MEDIA_TYPE}" href="http://{escape(host)}/feed.atom"/>\n'
        f'<link rel="alternate" type="text/html" href="http://{escape(host)}/"/>\n'
        f"<author><name>{escape(host)}</name></author>\n<generator>ginuri</generator>\n"
    )
    return (head + "".join(_entry(entry, titles, host) for entry in listed) + "</feed>\n").encode()


def _entry(entry: FeedEntry, titles: Mapping[str, str], host: str) -> str:
    prefix = folder_to_prefix(entry.folder)
    who, about = host, "/"
    if entry.folder != HOST_FOLDER:
        of = steward(f"{prefix}x")
        who, about = shorten(titles.get(of, of)), description_path(prefix)
    changes = ", ".join(f"{number} {name}" for name, number in entry.counts.items() if number)
    return (
        f"<entry>\n<id>{_identify(f'{entry.key}#{entry.version}')}</id>\n"
        f"<title>{escape(plain(entry.key))}: {changes}</title>\n<updated>{entry.put}</updated>\n"
        f"<author><name>{escape(who)}</name></author>\n"
        f'<link rel="alternate" type="text/html" href="http://{escape(host)}{escape(about)}"/>\n'
        f'<summary type="text">{escape(who)}: {changes}.</summary>\n</entry>\n'
    )


def _identify(name: str) -> str:
    # RFC 4287 §4.2.6: permanent, and independent of the host.
    return uuid5(NAMESPACE_URL, name).urn
