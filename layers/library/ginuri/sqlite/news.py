"""Whether uploads changed the registry after its last publication, and when that was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from ginuri.registry.clock import Clock, utc_now, write_moment
from ginuri.sqlite.database import Database
from ginuri.sqlite.settings import Settings

VALID = timedelta(days=1)
"""The age at which a publication is repeated, as some values end on a day."""
_PUBLISHED = "published"
"""The setting with the time of the last publication, and the number of the newest upload in it."""


@dataclass(frozen=True, slots=True)
class News:
    """Numbers the applied uploads. All methods raise RegistryUnavailable."""

    database: Database
    now: Clock = utc_now

    def newest(self) -> int:
        """Return the number of the last applied upload; 0 before the first."""
        [(number,)] = self.database.read("SELECT max(rowid) FROM applied")
        return number or 0

    def is_published(self) -> bool:
        """Return whether the last publication has every applied upload, and is less than a day old."""
        moment, _, newest = (Settings(self.database).get(_PUBLISHED) or "").partition(" ")
        return newest == str(self.newest()) and moment > write_moment(self.now() - VALID)

    def note_published(self, newest: int, moment: datetime) -> None:
        """Note a publication: the number that was the newest when it began to read, and that moment."""
        Settings(self.database).set(_PUBLISHED, f"{write_moment(moment)} {newest}")
