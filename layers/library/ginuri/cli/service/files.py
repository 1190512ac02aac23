"""The stored files of a service over HTTP, as its records pin them."""

from __future__ import annotations

from functools import cached_property

from ginuri.cli.service.records import ServiceArchive
from ginuri.files.export import files_of
from ginuri.registry.model import StoredFile


class ServiceFiles:
    """Finds the stored files that the records of a service name. Its methods raise RegistryUnavailable."""

    def __init__(self, archive: ServiceArchive) -> None:
        self._archive = archive

    def inspect(self, name: str, put: str) -> StoredFile | None:  # noqa: ARG002  records pin the current one
        """Return the stored file of a name; None if no record names it."""
        return self._pinned.get(name)

    keep = inspect

    @cached_property
    def _pinned(self) -> dict[str, StoredFile]:
        """All files that records name, each in the version that was stored last."""
        pinned: dict[str, StoredFile] = {}
        for _, values in self._archive.standing(""):
            for file in files_of(values):
                if file.key not in pinned or pinned[file.key].stored < file.stored:
                    pinned[file.key] = file
        return pinned
