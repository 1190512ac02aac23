"""Whether the last server of a registry folder stopped cleanly, and a quick check if it did not."""

from __future__ import annotations

import sqlite3
from threading import Timer

from ginuri.sqlite.database import Database
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
    """Return the faults in the structure of the database that are found within some seconds."""
    connection = database.connection
    stop = Timer(seconds, connection.interrupt)
    stop.start()
    faults: list[str] = []
    try:
        faults += (text for (text,) in connection.execute("PRAGMA quick_check") if text != "ok")
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            faults.append(str(error))
    except sqlite3.DatabaseError as error:
        faults.append(str(error))
    finally:
        stop.cancel()
    return faults
