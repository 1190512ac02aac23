"""The examples of the package, queued once for a registry folder."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from ginuri.files.upload_order import stages
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.settings import Settings
from ginuri.sqlite.uploads import SqliteUploads

EXAMPLES = Path(__file__).parents[1] / "examples"
_QUEUED = "examples"


def queue_examples(database: Database) -> None:
    """Upload the examples unless they were uploaded before; they are processed in this order."""
    settings, uploads = Settings(database), SqliteUploads(database, FileFolder(database.folder))
    with database.write():
        if settings.get(_QUEUED) is None:
            for key, path in chain.from_iterable(stages(EXAMPLES)):
                uploads.put(key, path.read_bytes(), {})
            settings.set(_QUEUED, "queued")
