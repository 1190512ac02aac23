"""The interface for stewards over a registry folder: what the function of AWS is built of, without AWS.

Imported with the first request to it: answers to all others need neither pydantic nor powertools.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial

from ginuri.api.application import Api, ApiAnswer
from ginuri.api.log_line import Outcome
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import Kind, Problem, write_problem
from ginuri.identifiers.loopback import is_loopback
from ginuri.identifiers.messages import message
from ginuri.registration.grants_reader import read_grants
from ginuri.registry.model import StoredFile
from ginuri.server.folder_reports import FolderReports
from ginuri.server.ingest_process import API
from ginuri.sqlite.access.database import AccessDatabase
from ginuri.sqlite.access.tokens import SqliteTokens
from ginuri.sqlite.content import SqliteContentStore
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.uploads import SqliteUploadPutter, SqliteUploads
from ginuri.web.request import Request
from ginuri.web.response import Stream

LARGEST_BODY = 10 * 1024 * 1024
"""The most bytes of a file in a request."""


class Stewards:
    """Answers stewards, in any thread."""

    def __init__(self, database: Database, canonical_host: str) -> None:
        files = FileFolder(database.folder)
        registry, uploads = SqliteRegistry(database), SqliteUploads(database, files)
        self._uploads = uploads
        self._content = SqliteContentStore(database, files)
        self._putter = SqliteUploadPutter(uploads, f"{API}:{database.folder.name}")
        self._access = AccessDatabase(database.folder)
        self._api = Api(
            ApiCollaborators(
                tokens=SqliteTokens(self._access),
                read_grants=partial(read_grants, registry),
                registry=registry,
                lister=SqliteMemberLister(database),
                reports=FolderReports(database),
                files=uploads,
                putter=self._putter,
                open_file=self._open_file,
                restorer=self,
                canonical_host=canonical_host,
                most_bytes=LARGEST_BODY,
                clock=time.monotonic,
                sleep=time.sleep,
            )
        )

    def close(self) -> None:
        """Close the database of tokens."""
        self._access.close()

    def answer(self, request: Request, peer: str) -> ApiAnswer:
        """Answer a request that came from the address of a peer.

        Tokens are secrets: they are accepted over https, which a named proxy states, and within this machine.
        """
        if request.protocol == "https" or (
            request.protocol == "http" and is_loopback(peer) and is_loopback(request.host)
        ):
            return self._api.answer(request)
        problem = Problem(
            Kind.INSECURE,
            message(
                "Use https, through a proxy that this server is told to trust by {option}, or ask on this "
                "machine itself.",
                option="--proxy",
            ),
        )
        outcome = Outcome(problem.kind.slug)
        return ApiAnswer(outcome, write_problem(problem, request.preferences.accept_language))

    def restore(self, file: StoredFile, key: str, metadata: Mapping[str, str]) -> None:
        """Put a stored file as the upload of a key. Raises RegistryUnavailable."""
        self._putter.put(key, self._content.read(file), metadata)

    def _open_file(self, key: str, version: str) -> Stream | None:
        file = self._content.find(key, version)
        return None if file is None else Stream(length=file.length, chunks=self._content.chunks(file))
