"""Published files in a local folder, for measurements and tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shutil import copyfileobj
from typing import IO

from ginuri.identifiers.errors import RegistryUnavailable


class FolderPublished:
    """Published files in a folder; `calls` and `bytes_read` count the reads that S3 would have had."""

    def __init__(self, folder: Path) -> None:
        self.calls = 0
        self.bytes_read = 0
        self._folder = folder

    def read(self, key: str) -> bytes | None:
        """Read a file; None if there is none."""
        path = self._folder / key
        return self._count(path.read_bytes()) if path.is_file() else None

    def read_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a file. Raises RegistryUnavailable if there is none."""
        try:
            with (self._folder / key).open("rb") as file:
                file.seek(first)
                return self._count(file.read(length))
        except FileNotFoundError as error:
            raise RegistryUnavailable(f"there is no {key}") from error

    def link(self, key: str, media_type: str, method: str) -> str:
        """Return a path in place of a link."""
        return f"https://published.example/{key}?type={media_type}&method={method}"

    def write(self, key: str, body: bytes | IO[bytes], media_type: str) -> None:  # noqa: ARG002  a folder has no media types
        """Write a file."""
        path = self._folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            if isinstance(body, bytes):
                file.write(body)
            else:
                copyfileobj(body, file)

    def list_keys(self) -> Sequence[str]:
        """Return the keys of all files."""
        files = (path for path in self._folder.rglob("*") if path.is_file())
        return sorted(path.relative_to(self._folder).as_posix() for path in files)

    def delete(self, keys: Sequence[str]) -> None:
        """Delete files."""
        for key in keys:
            (self._folder / key).unlink()

    def _count(self, content: bytes) -> bytes:
        self.calls += 1
        self.bytes_read += len(content)
        return content
