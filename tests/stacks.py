"""The shipped fakes as a stack that commands and the pages of reports use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO

from ginuri.files.formats import stored_as
from ginuri.files.reports.listed_uploads import UploadVersion
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Words
from ginuri.memory import MemoryRegistry
from ginuri.registry.model import StoredFile
from tests.steward import Steward


@dataclass
class MemoryStack:
    """The fakes as a stack; an upload is processed as soon as it is put."""

    steward: Steward
    name: str = "the memory"
    service: str = "http://ids.example"
    edge: str = ""
    served_hosts: Sequence[str] = ()
    waiting: list[str] = field(default_factory=list)

    @property
    def archive(self) -> MemoryRegistry:
        return self.steward.memory

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
