"""Publishes a few records into a folder."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ginuri.published.publications import Publication, Publications
from ginuri.publishing.flow import publish
from ginuri.publishing.search_index.index_writer import IndexWriter
from ginuri.search.searcher import Searcher
from infra.published_folder import FolderPublished

HOST = "resources.example.org"
CHANGED = "2011-08-25T17:29:00.000Z"
NOON = datetime(2011, 8, 26, 12, tzinfo=UTC)


class Standing:
    """A registry of records as they are stored."""

    def __init__(self, records: Mapping[str, Mapping[str, Any]]) -> None:
        self._records = records

    def stored(self) -> Iterator[tuple[str, str, str]]:
        """Return the records, the last first."""
        for name, values in reversed(list(self._records.items())):
            yield name, CHANGED, json.dumps({"record": "resource", **values})


def title(text: str, **values: Any) -> dict[str, Any]:
    """Return the values of a record with a title."""
    return {"title": {"en": text}, **values}


def published(
    folder: Path, records: Mapping[str, Mapping[str, Any]], moment: datetime = NOON, **how: Any
) -> tuple[FolderPublished, Publication]:
    """Publish records into a folder."""
    store = FolderPublished(folder)
    using = {"make_index": IndexWriter, **how}
    return store, publish(Standing(records), (), store, HOST, lambda: moment, **using)


def searcher(folder: Path, records: Mapping[str, Mapping[str, Any]]) -> Searcher:
    """Publish records, and return their searcher."""
    store, _ = published(folder, records)
    return Searcher(Publications(store, time.monotonic))
