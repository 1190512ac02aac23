"""Whether the last server of a registry folder stopped cleanly, and a quick check if it did not."""

from __future__ import annotations

import sqlite3
from threading import Timer

from ginuri.sqlite.database import Database, failures
from ginuri.sqlite.settings import Settings

_RUNNING = "running"


def note_start(database: Database) -> bool:
    """Note that a server starts, and return whether the last one stopped cleanly.

    Raises RegistryUnavailable.
    """
    settings = Settings(database)
    is_clean = settings.get(_RUNNING) is None
    settings.set(_RUNNING, "yes")
    return is_clean


def note_stop(database: Database) -> None:
    """Note that the server stops. Raises RegistryUnavailable."""
    Settings(database).set(_RUNNING, None)


def check_quickly(database: Database, seconds: float) -> list[str]:
    """Return the faults in the structure of the database that are found within some seconds.

    Raises RegistryUnavailable if the database cannot be read.
    """
    with failures():
        stop = Timer(seconds, database.connection.interrupt)
        stop.start()
        try:
            rows = database.connection.execute("PRAGMA quick_check").fetchall()
        except sqlite3.OperationalError as error:
            if "interrupted" not in str(error):
                raise
            return []
        finally:
            stop.cancel()
    return [text for (text,) in rows if text != "ok"]
