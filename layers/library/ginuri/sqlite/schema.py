"""The tables of the database of a registry folder."""

from __future__ import annotations

VERSION = 3
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

RULES = """
CREATE TABLE rule_record (
  name TEXT NOT NULL PRIMARY KEY,
  body TEXT NOT NULL,
  stamps TEXT NOT NULL,
  modified TEXT NOT NULL,
  revision INTEGER NOT NULL
);
CREATE TABLE beginning (
  prefix TEXT NOT NULL,
  beginning TEXT NOT NULL,
  PRIMARY KEY (prefix, beginning)
) WITHOUT ROWID;
"""
"""Records with rules or grants, and the beginnings of the rules of each prefix; since version 2.

The former have the attributes of records, and are in none of their indexes. Their history is that of records.
"""

FILES = """
CREATE TABLE upload (
  key TEXT NOT NULL,
  version TEXT NOT NULL,
  put TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  length INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  identity TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (key, version)
);
CREATE INDEX puts ON upload (put);
CREATE INDEX uploaded ON upload (sha256);
CREATE TABLE content (
  key TEXT NOT NULL,
  version TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  length INTEGER NOT NULL,
  stored TEXT NOT NULL,
  PRIMARY KEY (key, version)
);
CREATE INDEX kept ON content (sha256);
CREATE TABLE report (
  key TEXT NOT NULL PRIMARY KEY,
  written TEXT NOT NULL,
  length INTEGER NOT NULL,
  body BLOB,
  sha256 TEXT
);
CREATE INDEX reported ON report (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX summaries ON report (written, key) WHERE substr(key, -13) = '.summary.json';
CREATE TABLE published (
  key TEXT NOT NULL PRIMARY KEY,
  sha256 TEXT NOT NULL,
  length INTEGER NOT NULL,
  media_type TEXT NOT NULL
);
CREATE INDEX publishing ON published (sha256);
CREATE TABLE unused (sha256 TEXT NOT NULL PRIMARY KEY);
"""
"""The files by name; the contents are in a folder, named after their SHA-256.

A report has a body, or a SHA-256 if it is large. `unused` lists contents that some row no longer names:
they are removed unless another row names them. `identity` is who put an upload; since version 3.
"""

QUEUE = """
CREATE TABLE message (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  body TEXT NOT NULL,
  sent REAL NOT NULL,
  due REAL NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX due ON message (failed, due);
"""
"""The messages of ingest: when one was sent, and when it may be received, in seconds since 1970.

A failed one stays until it is moved back.
"""

SETTINGS = """
CREATE TABLE setting (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
"""

TABLES = RECORDS + RULES + FILES + QUEUE + SETTINGS

_IDENTITIES = """
ALTER TABLE upload ADD COLUMN identity TEXT NOT NULL DEFAULT '';
"""

MIGRATIONS = {1: RULES, 2: _IDENTITIES}
"""The statements that lead from a version to the next."""
