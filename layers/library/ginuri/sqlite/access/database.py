"""The database of the access tokens of a registry folder.

A backup copies the database of the registry only. A backup that is served has no tokens, so that none works
again that was revoked since.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ginuri.sqlite.database import Database

_TABLES = """
CREATE TABLE token (
  id TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  folders TEXT NOT NULL,
  rights TEXT NOT NULL,
  options TEXT NOT NULL,
  created TEXT NOT NULL,
  expires TEXT NOT NULL,
  last_used TEXT NOT NULL,
  revoked TEXT NOT NULL,
  created_by TEXT NOT NULL,
  minute INTEGER NOT NULL DEFAULT 0,
  uses INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX owned ON token (owner, created);
CREATE INDEX expiring ON token (expires);
CREATE TABLE refusal (reason TEXT NOT NULL PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE event (
  at TEXT NOT NULL,
  operator TEXT NOT NULL,
  deed TEXT NOT NULL,
  token TEXT NOT NULL,
  owner TEXT NOT NULL
);
CREATE INDEX noted ON event (at);
"""
"""`minute` is that of the last use of a token, and `uses` are those in it. `refusal` counts refused uses."""


class AccessDatabase(Database):
    """The tokens of a registry folder, and the log of their creations and revocations."""

    file: ClassVar[str] = "access.sqlite3"
    tables: ClassVar[str] = _TABLES
    version: ClassVar[int] = 1
    migrations: ClassVar[Mapping[int, str]] = {}
