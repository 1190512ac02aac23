"""The tables of the database of a registry folder."""

from __future__ import annotations

VERSION = 1
"""The version of the tables, as `PRAGMA user_version`; a later release migrates from it."""

# Identifiers in normal form are ASCII, so that the order of SQLite's bytes is the order of characters.
RECORDS = """
CREATE TABLE record (
  identifier TEXT NOT NULL PRIMARY KEY,
  body TEXT NOT NULL,
  stamps TEXT NOT NULL,
  modified TEXT NOT NULL,
  revision INTEGER NOT NULL,
  folded TEXT NOT NULL,
  steward TEXT NOT NULL,
  collection TEXT,
  broader TEXT
);
CREATE INDEX near ON record (folded);
CREATE INDEX members ON record (steward, identifier);
CREATE INDEX collections ON record (collection, identifier) WHERE collection IS NOT NULL;
CREATE INDEX narrower ON record (broader, identifier) WHERE broader IS NOT NULL;
CREATE TABLE history (
  identifier TEXT NOT NULL,
  version TEXT NOT NULL,
  stamps TEXT NOT NULL,
  PRIMARY KEY (identifier, version)
);
CREATE TABLE applied (
  key TEXT NOT NULL,
  version TEXT NOT NULL,
  put TEXT NOT NULL,
  processed TEXT NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (key, version)
);
"""
"""Records and their history, with the attributes of `registry.record.items`, and the applied uploads."""

# The contents are files that are named after their SHA-256; reports that change often are in the row.
FILES = """
CREATE TABLE upload (
  key TEXT NOT NULL,
  version TEXT NOT NULL,
  put TEXT NOT NULL UNIQUE,
  sha256 TEXT NOT NULL,
  length INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  PRIMARY KEY (key, version)
);
CREATE TABLE content (
  key TEXT NOT NULL,
  version TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  length INTEGER NOT NULL,
  stored TEXT NOT NULL,
  PRIMARY KEY (key, version)
);
CREATE TABLE report (
  key TEXT NOT NULL PRIMARY KEY,
  written TEXT NOT NULL,
  length INTEGER NOT NULL,
  body BLOB,
  sha256 TEXT
);
CREATE TABLE published (
  key TEXT NOT NULL PRIMARY KEY,
  sha256 TEXT NOT NULL,
  length INTEGER NOT NULL,
  media_type TEXT NOT NULL
);
"""

QUEUE = """
CREATE TABLE message (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  body TEXT NOT NULL,
  due REAL NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX due ON message (failed, due);
"""
"""The messages of ingest: `due` is when one may be received, in seconds since 1970; failed ones stay."""

SETTINGS = """
CREATE TABLE setting (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
"""

TABLES = RECORDS + FILES + QUEUE + SETTINGS
