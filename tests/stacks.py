"""Stacks that are not in AWS: the shipped fakes, and registry folders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from ginuri.access.creation import RIGHTS, WantedToken, make_token
from ginuri.access.memory_tokens import MemoryTokens
from ginuri.cli.access.operators import OperatorTokens
from ginuri.cli.folder_stack import FolderStack, open_folder
from ginuri.cli.ports import IngestReaders, Tokens
from ginuri.files.formats import stored_as
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Words
from ginuri.memory import MemoryRegistry
from ginuri.registry.content import UploadVersion
from ginuri.registry.model import StoredFile
from ginuri.replay.ports import ReplayStack
from ginuri.sqlite.access.database import AccessDatabase
from ginuri.sqlite.access.tokens import SqliteTokens
from ginuri.sqlite.database import Database
from ginuri.sqlite.queue import SqliteQueue
from tests.memory_transfer import MemoryTransfer
from tests.steward import HOST, TYPES, Steward

JANE, AZGS = "mailto:jane@example.org", "uri-gin/azgs/"


@dataclass
class MemoryStack:
    """The fakes as a stack; an upload is processed as soon as it is put."""

    steward: Steward
    name: str = "the memory"
    service: str = "http://ids.example"
    edge: str = ""
    option: str = ""
    served_hosts: Sequence[str] = ()
    has_ingest: bool = True
    interruption: BaseException | None = None
    """The exception while a command waits, as the user presses Ctrl-C."""
    waiting: list[str] = field(default_factory=list)
    stored_tokens: MemoryTokens = field(default_factory=MemoryTokens)

    @property
    def archive(self) -> MemoryRegistry:
        return self.steward.memory

    @property
    def readers(self) -> IngestReaders:
        return IngestReaders(self.steward.memory, self.steward.memory, self.steward.files)

    @property
    def whole(self) -> MemoryTransfer:
        return MemoryTransfer()

    @property
    def replaying(self) -> ReplayStack:
        raise AssertionError(self.name)  # the memory keeps no summaries of its own

    @property
    def tokens(self) -> Tokens:
        return OperatorTokens(self.stored_tokens, self.steward.memory, lambda: "olga")

    @property
    def dead_letters(self) -> MemoryStack:
        return self

    def bodies(self) -> Iterator[str]:
        return iter(self.waiting)

    def redrive(self) -> Iterator[str]:
        while self.waiting:
            yield self.waiting.pop()

    def explain(self, error: RegistryUnavailable) -> Words:
        return error.words

    def put(self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str]) -> str:
        content = body if isinstance(body, bytes) else body.read()
        upload = self.steward.put(key, content, **metadata)
        self.steward.deliver(upload)
        return upload.version

    def work(self, seconds: float) -> None:
        if self.interruption:
            raise self.interruption
        raise AssertionError(seconds)  # an upload is processed when it is put

    def versions(self, prefix: str) -> Iterator[UploadVersion]:
        for (key, version), put in sorted(self.steward.files.puts.items(), reverse=True):
            if key.startswith(prefix):
                yield UploadVersion(key, version, datetime.fromisoformat(put))

    def metadata(self, key: str, version: str) -> Mapping[str, str]:
        return self.steward.files.metadata_of[key, version]

    def report(self, key: str) -> Iterator[bytes] | None:
        body = self.steward.files.reports.get(key)
        return None if body is None else iter([body])

    def report_location(self, key: str) -> str:
        return f"memory:{key}"

    def report_address(self, key: str) -> str:
        return f"{self.service}/reports/{key}"

    def content(self, file: StoredFile) -> Iterator[bytes]:
        return iter([self.steward.content.read(file)])

    def restore(self, file: StoredFile) -> None:
        self.put(stored_as(file.key), self.steward.content.read(file), {})


def settle_folder(folder: Path) -> None:
    """Create a registry folder whose scheme, authorities and resource type are registered."""
    Database(folder).close()
    with open_folder(folder) as stack:
        stack.put("_host/all.jsonl", HOST.encode(), {})
        stack.put("uri-gin/azgs/1-types.jsonl", TYPES.encode(), {})
        stack.work(60)


def settle_steward(folder: Path) -> str:
    """Create such a folder with a steward of `uri-gin/azgs/`, and return the secret of a token."""
    settle_folder(folder)
    grant = {"record": "grant", "identifier": AZGS, "to": JANE, "may": sorted(RIGHTS)}
    with open_folder(folder) as stack:
        stack.put("_host/grants.jsonl", json.dumps(grant).encode(), {})
        stack.work(60)
    secret, token = make_token(WantedToken(JANE, (AZGS,), frozenset(RIGHTS)), "test", datetime.now(UTC))
    with closing(AccessDatabase(folder)) as access:
        SqliteTokens(access).add(token)
    return secret


def give_up(stack: MemoryStack | FolderStack, letter: str) -> None:
    """Make a message that failed too often."""
    if isinstance(stack, MemoryStack):
        stack.waiting.append(letter)
        return
    with closing(Database(stack.folder)) as database:
        SqliteQueue(database).send([letter])
    give_up_all(stack.folder)


def give_up_all(folder: Path) -> None:
    """Let each message in the queue of a folder fail too often."""
    with closing(Database(folder)) as database:
        queue = SqliteQueue(database)
        while received := queue.receive(60):
            queue.failed(received.number)
