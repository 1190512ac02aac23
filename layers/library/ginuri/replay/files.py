"""The files of a replay: uploads as they are, reports in a temporary folder, and the stored files of then."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from ginuri.registry.content import UploadHead
from ginuri.registry.model import StoredFile
from ginuri.replay.ports import ReplayStack, UploadReader
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.reports import SqliteReports


class ReplayFiles(SqliteReports):
    """Reads uploads, and writes reports and intermediate results into a folder: those of then stay."""

    def __init__(self, uploads: UploadReader, folder: Path) -> None:
        self._opened = Database(folder)
        super().__init__(self._opened, FileFolder(folder))
        self._uploads = uploads

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size and the metadata of an upload."""
        return self._uploads.head(key, version)

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks."""
        return self._uploads.read(key, version)

    def close(self) -> None:
        """Close the files in the folder."""
        self._opened.close()


class ReplayKeeper:
    """Finds the stored file that an upload pinned when it was first processed, so that none is stored twice.

    `moment` is the time of that processing, and `puts` has the times of all uploads by key. Without
    `may_keep`, a file that is not stored yet stays so.
    """

    def __init__(
        self, stack: ReplayStack, puts: Mapping[str, Sequence[tuple[str, str]]], *, may_keep: bool
    ) -> None:
        self.moment = ""
        self._stack, self._puts, self._may_keep = stack, puts, may_keep
        self._digests: dict[tuple[str, str], str] = {}

    @cached_property
    def _versions(self) -> Mapping[str, list[StoredFile]]:
        versions: defaultdict[str, list[StoredFile]] = defaultdict(list)
        for content in self._stack.whole.contents():
            versions[content.file.key].append(content.file)
        return versions

    def keep(self, name: str, put: str) -> StoredFile | None:
        """Return the stored file with the content of that time. Raises RegistryUnavailable."""
        stored = self._versions.get(name, [])
        if (sha256 := self._digest_at(name, put)) is not None:
            stored = [file for file in stored if file.sha256 == sha256]
        before = [file for file in stored if file.stored <= self.moment]
        if found := before[-1:] or (stored[:1] if sha256 else []):
            return found[0]
        return self._stack.keeper.keep(name, put) if self._may_keep else self._stack.keeper.inspect(name, put)

    inspect = keep

    def _digest_at(self, name: str, put: str) -> str | None:
        """Return the SHA-256 of the version at a moment, or of the newest one; None if no version is left.

        A stack lists the times of uploads in seconds; their reports have milliseconds.
        """
        puts = self._puts.get(name, ())
        if not puts:
            return None
        _, version = ([each for each in puts if each[0] <= put] or puts)[-1]
        if (name, version) not in self._digests:
            digest = hashlib.sha256()
            for chunk in self._stack.uploads.read(name, version):
                digest.update(chunk)
            self._digests[name, version] = digest.hexdigest()
        return self._digests[name, version]
