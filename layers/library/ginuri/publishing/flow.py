"""One run: reads the registry once, sorts it on disk, and writes all files."""

from __future__ import annotations

import json
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from ginuri.files.export import authority_folder, folders_of, write_lines
from ginuri.files.lines import MOST_SORTED, sort_lines
from ginuri.identifiers import parse
from ginuri.identifiers.roots import folder_to_prefix, root_of
from ginuri.identifiers.service_paths import DATASET, FEED, TESTS
from ginuri.published.figures import FIGURES, write_figures
from ginuri.published.publications import (
    CURRENT,
    Publication,
    PublishedFile,
    PublishedStore,
    read_publication,
    write_publication,
)
from ginuri.publishing import feed
from ginuri.publishing.figures import FiguresCounter
from ginuri.publishing.files import FileWriter
from ginuri.publishing.sitemaps import SitemapWriter, is_listed
from ginuri.publishing.test_run import AllTests
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.model import NameAuthority, Prefix, Registered, Scheme
from ginuri.registry.moments import record_at, values_at
from ginuri.registry.ports import NearNameReader, RecordScan
from ginuri.registry.reading import read_registered, read_values, shown_values
from ginuri.registry.record.grant_records import is_grant_record
from ginuri.registry.record.rule_records import is_rule_record, values_by_prefix

KEPT = timedelta(hours=1)
"""The time for which an old run is kept for its readers; the last but one is always kept."""
MOST_SUMMARIES = 500
"""The number of the newest uploads that are searched for changes."""
_RUN = "%Y%m%dT%H%M%SZ"


class SearchIndex(Protocol):
    """The index of a search, written while records pass in the order of their identifiers."""

    def add(self, record: Registered) -> None:
        """Index a record."""

    def finish(self, store: PublishedStore, run: str) -> Mapping[str, PublishedFile]:
        """Store the files of the index. Raises RegistryUnavailable."""


@dataclass(slots=True)
class _Hosts:
    """Finds the host an identifier is cited on, as `Found.cited` does; records come in order."""

    canonical: str
    stewards: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    """The hosts that authorities trust."""

    def note(self, record: Registered) -> None:
        """Record the hosts that an authority or a scheme trusts."""
        if isinstance(record, NameAuthority | Scheme) and record.trusted_hosts:
            self.stewards[record.identifier] = record.trusted_hosts[0]
        if isinstance(record, NameAuthority) and record.titles:
            self.titles[record.identifier] = record.titles.get("en") or next(iter(record.titles.values()))

    def of(self, identifier: str) -> str:
        """Return the host."""
        root = root_of(identifier)
        if root.startswith("//"):
            return root.strip("/")
        authority = folder_to_prefix(authority_folder(identifier))
        return self.stewards.get(authority) or self.stewards.get(root) or self.canonical


def publish(  # noqa: PLR0913  the sources and the target, and two limits
    scan: RecordScan,
    summaries: Iterable[tuple[str, bytes]],
    store: PublishedStore,
    canonical_host: str,
    clock: Clock = utc_now,
    *,
    most_in_memory: int = MOST_SORTED,
    make_index: Callable[[Path], SearchIndex] | None = None,
    kept: timedelta = KEPT,
    reader: NearNameReader | None = None,
) -> Publication:
    """Write every published file, make them current at once, and return the publication.

    `summaries` of reports, with their keys, come newest first; `make_index` makes the index of the search in
    a folder, and without it there is none. Runs that are older than `kept` are deleted, except the previous
    one. With `reader`, which reads records as requests do, all stated tests are run. Raises
    RegistryUnavailable; the previous publication then stays current.
    """
    began = clock()
    run = f"{began:{_RUN}}-{secrets.token_hex(4)}"
    made = f"{began:%Y-%m-%dT%H:%M:%SZ}"
    uploads = list(islice(feed.read_feed_entries(summaries), feed.MOST_ENTRIES))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hosts = _Hosts(canonical_host)
        records = sort_lines(_rows_of(scan.stored()), folder, most_in_memory)
        index = make_index(folder) if make_index else None
        tests = AllTests(folder) if reader is not None else None
        passing = _read(records, began, tests)
        count, files, sitemaps = _write(passing, folder, store, run, hosts, index=index)
        if tests is not None and reader is not None:
            results = tests.run(reader, canonical_host, began)
            files[TESTS] = tests.write(results, store, run, made)
        news = FileWriter(folder, FEED)
        news.write(feed.write_feed(uploads, hosts.titles, canonical_host, made))
        news.lines = len(uploads)
        files[FEED] = news.finish(store, run, feed.MEDIA_TYPE)
    publication = Publication(run, made, count, files, sitemaps)
    before = store.read(CURRENT)
    store.write(CURRENT, write_publication(publication), "application/json")
    if before is not None:
        _forget(store, before=min(read_publication(before).run, f"{began - kept:{_RUN}}"))
    return publication


def _write(  # noqa: PLR0913  the parts of one run
    records: Iterable[tuple[Mapping[str, Any], Registered]],
    folder: Path,
    store: PublishedStore,
    run: str,
    hosts: _Hosts,
    *,
    index: SearchIndex | None,
) -> tuple[int, dict[str, PublishedFile], dict[str, str]]:
    dataset = FileWriter(folder, DATASET)
    sitemaps, counter = SitemapWriter(folder, store, run), FiguresCounter(hosts.of)
    count = 0
    for values, record in records:
        identifier = record.identifier
        for place in folders_of(identifier):
            for written in write_lines(identifier, values, place):
                dataset.write(written.encode() + b"\n")
                dataset.lines += 1
        if isinstance(record, _MoreRules):
            continue
        hosts.note(record)
        counter.add(record)
        count += 1
        if is_listed(record):
            host = hosts.of(identifier)
            sitemaps.add(host, parse(identifier).uri(host), record.modified)
        if index and not isinstance(record, Prefix):
            index.add(record)
    sitemaps.finish()
    figures = FileWriter(folder, FIGURES)
    figures.write(write_figures(counter.finish()))
    files = {
        DATASET: dataset.finish(store, run, "application/gzip"),
        FIGURES: figures.finish(store, run, "application/json"),
        **sitemaps.files,
        **(index.finish(store, run) if index else {}),
    }
    return count, files, sitemaps.hosts


def _rows_of(stored: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Write records as lines to sort; rules in records of their own come after their prefix.

    Grants are not public, and left out.
    """
    # Identifiers and moments contain no tabs, and the JSON no line breaks.
    for name, modified, body in stored:
        if is_rule_record(name):
            for prefix, values in values_by_prefix(read_values(body)).items():
                yield f"{prefix} {name}\t{modified}\t{json.dumps(values)}"
        elif not is_grant_record(name):
            yield f"{name}\t{modified}\t{body}"


class _MoreRules(Prefix):
    """Rules of a prefix in a record of their own."""


def _read(
    lines: Iterable[str], moment: datetime, tests: AllTests | None
) -> Iterator[tuple[Mapping[str, Any], Registered]]:
    for line in lines:
        name, modified, body = line.split("\t", 2)
        identifier, _, is_apart = name.partition(" ")
        stored = read_values(body)
        registered = read_registered(identifier, stored, modified)
        if tests is not None and registered.is_tested:
            tests.add(identifier, stored)
        record = (
            _MoreRules(identifier=identifier, modified=modified)
            if is_apart
            else record_at(registered, moment)
        )
        yield shown_values(values_at(stored, moment)), record


def _forget(store: PublishedStore, before: str) -> None:
    # The name of a run is its start time: a run in progress is kept.
    store.delete([key for key in store.list_keys() if key != CURRENT and key.partition("/")[0] < before])
