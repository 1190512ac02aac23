"""Facet counts equal the results of the narrower search; an older index can still be searched."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

from ginuri.published.publications import BEGINNINGS, DIRECTORY, ENDINGS, WORDS, Publications
from ginuri.registry.model import RecordType, Status
from ginuri.search.corrections import correct
from ginuri.search.index import read_directory
from ginuri.search.searcher import Searcher, SearchMatches, SearchQuery
from tests.publishing import published, searcher, title

RECORDS: dict[str, dict[str, Any]] = {
    "//id.example/": title("Host of maps", record="host"),
    "//id.example/doc/1": title("Map"),
    "uri-gin/azgs/": title("Maps of Arizona", record="authority"),
    "uri-gin/azgs.mapping/": title("Mapping", record="authority"),
    "uri-gin/azgs.mapping/doc/1/": title("Map"),
    "uri-gin/azgs/doc/": title("Document", record="resource-type"),
    "uri-gin/azgs/doc/1/": title("Map"),
    "uri-gin/azgs/doc/map/": title("Map", record="resource-type"),
    "uri-gin/azgs/doc/map/1/": title("Map", status="retired"),
    "uri-gin/azgs/doc/map/2/": title("Map"),
    "uri-gin/azgs/doc2/": title("Map"),
    "uri-gin/cgs/": title("Colorado", record="authority"),
    "uri-gin/cgs/doc/1/": title("Wells"),
}


def find(searching: Searcher, **how: Any) -> SearchMatches:
    found = searching.search(SearchQuery("map", **how))
    assert found is not None
    return found


def test_a_count_equals_the_matches_of_the_narrowed_search(tmp_path: Path) -> None:
    searching = searcher(tmp_path, RECORDS)
    facets = find(searching).facets

    assert facets.authorities == {"//id.example/": 2, "uri-gin/azgs.mapping/": 2, "uri-gin/azgs/": 6}
    assert facets.types == {"uri-gin/azgs/doc/": 4, "uri-gin/azgs/doc/map/": 3}
    assert set(facets.records) == {
        RecordType.HOST,
        RecordType.AUTHORITY,
        RecordType.RESOURCE,
        RecordType.RESOURCE_TYPE,
    }
    for name, count in {**facets.authorities, **facets.types}.items():
        assert find(searching, under=name).total == count
    for record_type, count in facets.records.items():
        assert find(searching, record_type=record_type).total == count
    for status, count in facets.statuses.items():
        assert find(searching, status=status).total == count


def test_counts_are_within_the_filters(tmp_path: Path) -> None:
    facets = find(searcher(tmp_path, RECORDS), under="uri-gin/azgs/", status=Status.RETIRED).facets

    assert facets.authorities == {"uri-gin/azgs/": 1}
    assert facets.types == {"uri-gin/azgs/doc/": 1, "uri-gin/azgs/doc/map/": 1}
    assert facets.statuses == {Status.RETIRED: 1}


def test_an_index_without_facets_and_corrections_is_searched_without_them(tmp_path: Path) -> None:
    store, publication = published(tmp_path, RECORDS)
    directory = json.loads(gzip.decompress(store.read(publication.key(DIRECTORY)) or b""))
    before = {name: directory[name] for name in ("documents", "dictionary")}
    store.write(publication.key(DIRECTORY), gzip.compress(json.dumps(before).encode()), "")
    store.delete([publication.key(name) for name in (WORDS, ENDINGS, BEGINNINGS)])
    searching = Searcher(Publications(store, time.monotonic))

    found = find(searching)
    misspelt = searching.search(SearchQuery("colorodo"))

    assert found.total == 10
    assert (found.facets.authorities, found.facets.statuses[Status.RETIRED]) == ({}, 1)
    assert misspelt is not None
    assert correct(searching, SearchQuery("colorodo"), misspelt) is None


def test_a_directory_with_unknown_members_is_read_too(tmp_path: Path) -> None:
    store, publication = published(tmp_path, RECORDS)
    written = store.read(publication.key(DIRECTORY)) or b""
    directory = json.loads(gzip.decompress(written))

    later = gzip.compress(json.dumps({**directory, "places": {}}).encode())

    assert directory.keys() > {"words", "endings", "beginnings", "authorities", "types"}
    assert read_directory(later) == read_directory(written)
