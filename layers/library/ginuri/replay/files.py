"""The files of a replay: uploads as they are, reports in a temporary folder, and the stored files of then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from ginuri.registration.stored_files import InspectingFileKeeper
from ginuri.registry.content import UploadHead
from ginuri.registry.model import StoredFile
from ginuri.registry.transfer import ContentFile
from ginuri.replay.ports import UploadReader
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

    `moment` is the time of that processing. Without `may_keep`, a file that is not stored yet stays so.
    """

    def __init__(
        self,
        keeper: InspectingFileKeeper,
        list_contents: Callable[[], Iterable[ContentFile]],
        *,
        may_keep: bool,
    ) -> None:
        self.moment = ""
        self._keeper, self._list_contents, self._may_keep = keeper, list_contents, may_keep

    @cached_property
    def _versions(self) -> Mapping[str, list[StoredFile]]:
        versions: defaultdict[str, list[StoredFile]] = defaultdict(list)
        for content in self._list_contents():
            versions[content.file.key].append(content.file)
        return versions

    def keep(self, name: str, put: str) -> StoredFile | None:
        """Return the stored file with the content of that time. Raises RegistryUnavailable."""
        wanted = self._keeper.inspect(name, put)
        if wanted is None:  # its upload is in the archive of a move, or deleted
            return self._newest(self._versions.get(name, ()), None)
        same = [file for file in self._versions.get(name, ()) if file.sha256 == wanted.sha256]
        if (found := self._newest(same, same[0] if same else None)) is not None:
            return found
        return self._keeper.keep(name, put) if self._may_keep else wanted

    inspect = keep

    def _newest(self, files: Iterable[StoredFile], otherwise: StoredFile | None) -> StoredFile | None:
        stored = (file for file in files if file.stored <= self.moment)
        return max(stored, key=lambda file: file.stored, default=otherwise)
