"""The queries of a registry folder find their rows by an index, so that their time does not grow with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ginuri.registry.record.applied_uploads import AppliedUpload
from ginuri.sqlite.content import SqliteContentStore
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.news import News
from ginuri.sqlite.published import SqlitePublishedStore
from ginuri.sqlite.queue import SqliteQueue
from ginuri.sqlite.reports import SqliteReports
from ginuri.sqlite.settings import Settings
from tests.builders import MAP, changed, stamp
from tests.registries import WholeSqliteRegistry

_FIRST = changed(MAP, 1, title={"en": "Map"})
_SECOND = changed(MAP, 2, before=_FIRST.after, title={"en": "Chart"})


class _ExplainedDatabase(Database):
    """A database that explains its queries."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._statements: list[str] = []
        self.connection.set_trace_callback(self._statements.append)

    def scan(self, query: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Iterator[Any]:
        return iter(self.read(query, parameters))

    def explain(self) -> list[str]:
        """Return the steps of all queries so far."""
        self.connection.set_trace_callback(None)
        queries = [each for each in self._statements if each.split()[0] in {"SELECT", "INSERT", "UPDATE"}]
        assert queries
        return [step for query in queries for *_, step in self.read(f"EXPLAIN QUERY PLAN {query}")]


def _scans(database: _ExplainedDatabase) -> list[str]:
    """Return the steps that read a whole table, or sort."""
    steps = database.explain()
    tables = {name for (name,) in database.read("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return [
        step
        for step in steps
        if "TEMP B-TREE" in step or (step.startswith("SCAN") and step.split()[1] in tables)
    ]


def _displace(registry: WholeSqliteRegistry) -> None:
    registry.write(_FIRST)
    registry.write(_SECOND)


USES: Mapping[str, Callable[[WholeSqliteRegistry], object]] = {
    "fetching one": lambda registry: registry.fetch([MAP]),
    "fetching several": lambda registry: registry.fetch([MAP, "uri-gin/", "uri-gin/azgs/"]),
    "reading": lambda registry: registry.read([MAP, "uri-gin/"]),
    "finding other spellings": lambda registry: registry.near("uri-gin/azgs"),
    "finding the names before another": lambda registry: registry.beside(
        "uri-gin/azgs/", "uri-gin/azgs/d", is_after=False
    ),
    "finding the names after another": lambda registry: registry.beside(
        "uri-gin/azgs/", "uri-gin/azgs/d", is_after=True
    ),
    "finding the names under a scheme": lambda registry: registry.near("uri-gin/"),
    "listing": lambda registry: registry.members("uri-gin/azgs/", "uri-gin/azgs/a", 10),
    "counting": lambda registry: registry.count("uri-gin/azgs/", 10),
    "listing a collection": lambda registry: registry.parts(MAP, "uri-gin/"),
    "listing types": lambda registry: registry.narrower(MAP),
    "reading stamps": lambda registry: registry.stamps(MAP),
    "reading a displaced value": lambda registry: registry.displaced(MAP, stamp(1)),
    "reading a history": lambda registry: registry.history(MAP),
    "reading a part of the registry": lambda registry: list(registry.standing("uri-gin/azgs/")),
    "reading its histories": lambda registry: list(registry.histories("uri-gin/azgs/")),
    "reading a proof": lambda registry: registry.applied("a.csv", "v1"),
    "writing a proof": lambda registry: registry.note_applied(AppliedUpload("a.csv", "v1", "", "", {})),
    "writing": lambda registry: registry.write(_FIRST),
    "displacing": _displace,
}


FILE_USES: Mapping[str, Callable[[Database], object]] = {
    "reading a stored file": lambda database: SqliteContentStore(database, FileFolder(database.folder)).kept(
        "a.pdf", "ab"
    ),
    "reading a published file": lambda database: SqlitePublishedStore(
        database, FileFolder(database.folder)
    ).read("current.json"),
    "reading a report": lambda database: SqliteReports(database, FileFolder(database.folder)).reported("a"),
    "reading a setting": lambda database: Settings(database).get("canonical_host"),
    "finding news": lambda database: News(database).is_published(),
    "receiving a message": lambda database: SqliteQueue(database).receive(1),
}


@pytest.mark.parametrize("use", FILE_USES.values(), ids=FILE_USES)
def test_a_file_or_message_is_found_without_scanning_a_table(
    tmp_path: Path, use: Callable[[Database], object]
) -> None:
    database = _ExplainedDatabase(tmp_path)

    use(database)

    assert _scans(database) == []


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_query_neither_scans_a_table_nor_sorts(
    tmp_path: Path, use: Callable[[WholeSqliteRegistry], object]
) -> None:
    database = _ExplainedDatabase(tmp_path)

    use(WholeSqliteRegistry(database))

    assert _scans(database) == []


@pytest.mark.parametrize("use", ["listing", "counting", "listing a collection", "listing types"])
def test_a_list_is_read_from_an_index_alone(tmp_path: Path, use: str) -> None:
    database = _ExplainedDatabase(tmp_path)

    USES[use](WholeSqliteRegistry(database))

    searches = [step for step in database.explain() if step.startswith("SEARCH")]
    assert len(searches) == 1
    assert "USING COVERING INDEX" in searches[0]
