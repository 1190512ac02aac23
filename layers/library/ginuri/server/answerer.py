"""The flows over a registry folder: what the functions of AWS are built of, without AWS."""

from __future__ import annotations

import time

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.published.figures import PublishedFigures
from ginuri.published.publications import Publications
from ginuri.resolution.finder import RememberingFinder
from ginuri.search.searcher import Searcher
from ginuri.search.titles import TitleFinder
from ginuri.service import describe, resolve
from ginuri.service.paths import Flow
from ginuri.service.publications import Published
from ginuri.sqlite.archive import SqliteArchive
from ginuri.sqlite.content import SqliteContentStore
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.published import SqlitePublishedStore
from ginuri.sqlite.records import SqliteReader
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.request import Request
from ginuri.web.response import Answered


class Answerer:
    """Answers requests in one thread, with a memory that it empties when another process has written."""

    def __init__(self, database: Database, canonical_host: str) -> None:
        files = FileFolder(database.folder)
        reader = SqliteReader(database)
        self._database = database
        self._seen: int | None = None
        self._finder = RememberingFinder(reader, time.monotonic)
        self._answers = IdentifierResponses(SqliteContentStore(database, files), canonical_host)
        self._publications = Publications(SqlitePublishedStore(database, files), time.monotonic)
        searcher, figures = Searcher(self._publications), PublishedFigures(self._publications)
        self._titles = TitleFinder(searcher, reader)
        published = Published(self._publications, searcher, reader, canonical_host, figures)
        self._using = describe.Collaborators(
            finder=self._finder,
            reader=reader,
            lister=SqliteMemberLister(database),
            answers=DescriptionResponses(DescriptionWriter().write),
            canonical_host=canonical_host,
            published=lambda: published,
            figures=lambda: figures,
            stamps=SqliteArchive(database),
            identify=self._identify,
            is_empty=lambda: not database.read("SELECT 1 FROM record LIMIT 1"),
        )

    def answer(self, request: Request, flow: Flow) -> Answered:
        """Answer one request."""
        self._forget_old()
        if flow is Flow.RESOLVE:
            return self._identify(request)
        return describe.answer(request, self._using)

    def _identify(self, request: Request) -> Answered:
        return resolve.answer(request, self._finder, self._answers, make_titles=lambda: self._titles)

    def _forget_old(self) -> None:
        try:
            version = self._database.data_version()
        except RegistryUnavailable:  # the flow finds out, and answers
            return
        if version != self._seen:
            self._seen = version
            self._finder.forget()
            self._publications.forget()
