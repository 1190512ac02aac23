"""The access tokens of a registry folder, in a database of their own.

A backup copies the database of the registry only, so that a backup that is served again has no token that was
revoked since: it has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from sqlite3 import Connection
from typing import Any, ClassVar

from ginuri.access.tokens import KEPT, MOST_USES, Refusal, Refused, Token, judge, minute_of
from ginuri.registration.authorization import Right
from ginuri.registry.clock import write_moment
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
"""
"""`minute` is that of the last use, and `uses` are those in it. `refusal` counts the refused uses."""
_COLUMNS = "id, owner, name, folders, rights, options, created, expires, last_used, revoked, created_by"
_TOKEN = f"SELECT {_COLUMNS}, minute, uses FROM token WHERE id = ?"  # noqa: S608  a constant


class AccessDatabase(Database):
    """The database of the tokens of a registry folder."""

    file: ClassVar[str] = "access.sqlite3"
    tables: ClassVar[str] = _TABLES
    version: ClassVar[int] = 1
    migrations: ClassVar[Mapping[int, str]] = {}


class SqliteTokens:
    """Tokens by the hashes of their secrets. All methods raise RegistryUnavailable."""

    def __init__(self, database: AccessDatabase, most_uses: int = MOST_USES) -> None:
        self._database, self._most_uses = database, most_uses

    def use(self, token_id: str, now: datetime) -> Token | Refused:
        """Count a use of a token and note its time, or count a refusal, in one transaction.

        Every outcome writes one row, so that all take the same time.
        """
        moment, minute = write_moment(now), minute_of(now)
        with self._database.write() as connection:
            outcome = self._judge(connection, token_id, now)
            if isinstance(outcome, Refused):
                connection.execute(
                    "INSERT INTO refusal VALUES (?, 1)"
                    " ON CONFLICT (reason) DO UPDATE SET number = number + 1",
                    [outcome.reason],
                )
                return outcome
            connection.execute(
                "UPDATE token SET last_used = ?, uses = 1 + CASE minute WHEN ? THEN uses ELSE 0 END,"
                " minute = ? WHERE id = ?",
                [moment, minute, minute, token_id],
            )
            return replace(outcome, last_used=moment)

    def add(self, token: Token) -> None:
        """Store a new token, and remove those that expired long ago."""
        values = (
            *(token.id, token.owner, token.name, json.dumps(token.folders)),
            *(json.dumps(sorted(token.rights)), json.dumps(sorted(token.options)), token.created),
            *(token.expires, token.last_used, token.revoked, token.created_by),
        )
        long_ago = write_moment(datetime.fromisoformat(token.created) - KEPT)
        with self._database.write() as connection:
            connection.execute("DELETE FROM token WHERE expires < ?", [long_ago])
            connection.execute(
                f"INSERT INTO token ({_COLUMNS}) VALUES ({', '.join('?' * len(values))})",  # noqa: S608  constants
                values,
            )

    def of(self, owner: str) -> Sequence[Token]:
        """Return the tokens of a person, the oldest first."""
        rows = self._database.read(
            f"SELECT {_COLUMNS}, minute, uses FROM token WHERE owner = ? ORDER BY created",  # noqa: S608  a constant
            [owner],
        )
        return list(map(_read, rows))

    def revoke(self, token_id: str, now: datetime) -> Token | None:
        """Revoke a token, and return it; None if it does not exist."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE token SET revoked = ? WHERE id = ? AND revoked = ''", [write_moment(now), token_id]
            )
            rows = connection.execute(_TOKEN, [token_id]).fetchall()
        return _read(rows[0]) if rows else None

    def is_revoked(self, token_id: str) -> bool:
        """Return whether a token was revoked, or does not exist any more."""
        return not self._database.read("SELECT 1 FROM token WHERE id = ? AND revoked = ''", [token_id])

    def _judge(self, connection: Connection, token_id: str, now: datetime) -> Token | Refused:
        rows = connection.execute(_TOKEN, [token_id]).fetchall()
        if not rows:
            return Refused(Refusal.UNKNOWN)
        token, (minute, uses) = _read(rows[0]), rows[0][-2:]
        counted = uses if minute == minute_of(now) else 0
        return judge(token, counted, self._most_uses, now) or token


def _read(row: Sequence[Any]) -> Token:
    token_id, owner, name, folders, rights, options, *others = row[:-2]
    return Token(
        token_id,
        owner,
        name,
        tuple(json.loads(folders)),
        frozenset(map(Right, json.loads(rights))),
        frozenset(json.loads(options)),
        *others,
    )
