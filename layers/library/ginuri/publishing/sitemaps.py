"""Sitemaps (sitemaps.org, protocol 0.9): each for one host, with limited addresses and bytes."""

from __future__ import annotations

from html import escape
from pathlib import Path

from ginuri.published.publications import PublishedFile, PublishedStore
from ginuri.publishing.files import FileWriter
from ginuri.registry.model import Alias, Host, Prefix, Registered
from ginuri.registry.statuses import STATUSES

MOST_ADDRESSES, MOST_BYTES = 50_000, 50_000_000
"""The protocol's limits for one file: 50,000 addresses and 50 MB before compression."""
MEDIA_TYPE = "application/gzip"
_HEAD = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
)
_TAIL = b"</urlset>\n"


def is_listed(record: Registered) -> bool:
    """Return whether a record belongs in a sitemap: it resolves, and is no alias."""
    return STATUSES[record.status].leads_on and not isinstance(record, Alias | Host | Prefix)


class SitemapWriter:
    """Writes addresses into the sitemaps of their hosts."""

    def __init__(self, folder: Path, store: PublishedStore, run: str) -> None:
        self._folder, self._store, self._run = folder, store, run
        self._open: dict[str, FileWriter] = {}
        self.files: dict[str, PublishedFile] = {}
        self.hosts: dict[str, str] = {}
        """The hosts of the sitemaps, by file name."""

    def add(self, host: str, address: str, modified: str) -> None:
        """Add an address of a host, with the time of its record's last change (RFC 3339)."""
        line = f"<url><loc>{escape(address)}</loc><lastmod>{modified}</lastmod></url>\n".encode()
        file = self._open.get(host)
        if file and (file.lines == MOST_ADDRESSES or file.length + len(line) + len(_TAIL) > MOST_BYTES):
            self._finish(file)
            file = None
        if file is None:
            name = f"sitemaps/{len(self.hosts) + 1}.xml.gz"
            self._open[host] = file = FileWriter(self._folder, name)
            self.hosts[name] = host
            file.write(_HEAD)
        file.write(line)
        file.lines += 1

    def finish(self) -> None:
        """Store the last sitemaps."""
        for file in self._open.values():
            self._finish(file)

    def _finish(self, file: FileWriter) -> None:
        file.write(_TAIL)
        self.files[file.name] = file.finish(self._store, self._run, MEDIA_TYPE)
