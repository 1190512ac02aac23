"""Whether uploads changed the registry after its last publication."""

from __future__ import annotations

from dataclasses import dataclass

from ginuri.sqlite.database import Database
from ginuri.sqlite.settings import Settings

_PUBLISHED = "published"
"""The setting with the number of the newest upload in the last publication."""


@dataclass(frozen=True, slots=True)
class News:
    """Numbers the applied uploads. All methods raise RegistryUnavailable."""

    database: Database

    def newest(self) -> int:
        """Return the number of the last applied upload; 0 before the first."""
        [(number,)] = self.database.read("SELECT max(rowid) FROM applied")
        return number or 0

    def is_published(self) -> bool:
        """Return whether the last publication has every applied upload; False without a publication."""
        return Settings(self.database).get(_PUBLISHED) == str(self.newest())

    def note_published(self, newest: int) -> None:
        """Store the number that was the newest when a publication began to read."""
        Settings(self.database).set(_PUBLISHED, str(newest))
