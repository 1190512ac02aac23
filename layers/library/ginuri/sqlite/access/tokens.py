"""The access tokens of a registry folder, by the hashes of their secrets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from sqlite3 import Connection
from typing import Any

from ginuri.access.operators import LOGGED, Deed, Event
from ginuri.access.tokens import KEPT, MOST_USES, Refusal, Refused, Token, judge, minute_of
from ginuri.registration.authorization import Right
from ginuri.registry.clock import write_moment
from ginuri.sqlite.access.database import AccessDatabase

_COLUMNS = "id, owner, name, folders, rights, options, created, expires, last_used, revoked, created_by"
_TOKENS = f"SELECT {_COLUMNS}, minute, uses FROM token"  # noqa: S608  a constant
_TOKEN = f"{_TOKENS} WHERE id = ?"


class SqliteTokens:
    """The tokens, and the log of operators. All methods raise RegistryUnavailable."""

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
        return list(map(_read, self._database.read(f"{_TOKENS} WHERE owner = ? ORDER BY created", [owner])))

    def all(self) -> Sequence[Token]:
        """Return all tokens, the oldest first."""
        return list(map(_read, self._database.read(f"{_TOKENS} ORDER BY created")))

    def note(self, event: Event) -> None:
        """Add a line to the log, and remove those of long ago."""
        long_ago = write_moment(datetime.fromisoformat(event.at) - LOGGED)
        line = (event.at, event.operator, event.deed, event.token, event.owner)
        with self._database.write() as connection:
            connection.execute("DELETE FROM event WHERE at < ?", [long_ago])
            connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", line)

    def events(self) -> Sequence[Event]:
        """Return the lines of the log, the oldest first."""
        rows = self._database.read("SELECT at, operator, deed, token, owner FROM event ORDER BY at")
        return [Event(at, operator, Deed(deed), token, owner) for at, operator, deed, token, owner in rows]

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
