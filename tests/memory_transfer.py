"""A whole registry in dictionaries, to be moved and compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from ginuri.registry.model import StoredFile
from ginuri.registry.transfer import ContentFile, Item, Open, ReportFile, UploadedFile

_File = TypeVar("_File")


class MemoryTransfer:
    """The fake; `interrupt` raises an error after a number of further writes."""

    def __init__(self, name: str = "memory") -> None:
        self.name = self.identity = name
        self.kept: dict[tuple[str, str], Item] = {}
        self.uploaded: dict[tuple[str, str], UploadedFile] = {}
        self.content: list[StoredFile] = []
        self.reported: dict[str, ReportFile] = {}
        self.bodies: dict[str, bytes] = {}
        self.queue: list[str] = []
        self.adopted: dict[str, str] = {}
        self._note = ""
        self._left: int | None = None

    def interrupt(self, writes: int | None) -> None:
        """End with an error before this number of writes; None for never."""
        self._left = writes

    def items(self) -> Iterator[Item]:
        return iter([self.kept[key] for key in sorted(self.kept)])

    def uploads(self) -> Iterator[UploadedFile]:
        return iter([self.uploaded[key] for key in sorted(self.uploaded)])

    def contents(self) -> Iterator[ContentFile]:
        by_key = sorted(self.content, key=lambda file: file.key)
        return iter([ContentFile(file, file.version) for file in by_key])

    def reports(self) -> Iterator[ReportFile]:
        return iter([self.reported[key] for key in sorted(self.reported)])

    def open_upload(self, file: UploadedFile, /) -> Iterator[bytes]:
        return iter([self.bodies[file.sha256]])

    def open_content(self, file: StoredFile, /) -> Iterator[bytes]:
        return iter([self.bodies[file.sha256]])

    def open_report(self, file: ReportFile, /) -> Iterator[bytes]:
        return iter([self.bodies[file.sha256]])

    def waiting(self) -> int:
        return len(self.queue)

    def settings(self) -> Mapping[str, str]:
        return self.adopted

    def is_empty(self) -> bool:
        return not (self.kept or self.uploaded or self.content or self.reported)

    def moved_from(self) -> str:
        return self._note

    def note_move(self, note: str) -> None:
        self._note = note

    def write_items(self, items: Iterable[Item]) -> None:
        for item in items:
            self._count()
            self.kept[item["identifier"], item["version"]] = item

    def add_uploads(self, files: Iterable[UploadedFile], read: Open[UploadedFile]) -> None:
        for file in files:
            self._keep(file, read)
            self.uploaded[file.key, file.version] = file

    def add_contents(
        self, files: Iterable[StoredFile], read: Open[StoredFile]
    ) -> Iterator[tuple[StoredFile, str]]:
        for file in files:
            self._keep(file, read)
            self.content.append(file)
            yield file, file.version

    def add_reports(self, files: Iterable[ReportFile], read: Open[ReportFile]) -> None:
        for file in files:
            self._keep(file, read)
            self.reported[file.key] = file

    def adopt_settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        self.adopted = dict(settings)
        return {}

    def _keep(self, file: _File, read: Open[_File]) -> None:
        self._count()
        body = b"".join(read(file))
        self.bodies[hashlib.sha256(body).hexdigest()] = body

    def _count(self) -> None:
        if self._left is not None:
            if self._left == 0:
                raise InterruptedError
            self._left -= 1
