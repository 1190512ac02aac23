"""The queue of uploads and their parts, in SQLite: leases, delays, and messages that failed too often."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ginuri.sqlite.database import Database

MOST_RECEIVES = 5
"""The deliveries after which the queue gives up a message; as in `template.yaml`."""
_AT_ONCE, _NEXT = 0, 1
"""The times of messages without a delay: they are received at once, even if the clock goes back.

A new upload need not wait for all parts of a large one.
"""
_DUE = "failed = 0 AND due <= ? ORDER BY due, number LIMIT 1"


@dataclass(frozen=True, slots=True)
class Received:
    """A message under a lease."""

    number: int
    body: str
    tries: int
    """The number of its deliveries, this one included."""


@dataclass(frozen=True, slots=True)
class QueueState:
    """The numbers of messages."""

    waiting: int
    """The messages that are not done, received ones included."""
    oldest_seconds: float
    """The age of the oldest of them."""
    failed: int


class SqliteQueue:
    """The queue of a registry folder. All methods raise RegistryUnavailable."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def send(self, messages: Sequence[str], delay: float = 0) -> None:
        """Send messages, to be delivered after `delay` seconds; all of them, or none."""
        self._insert(messages, self._clock() + delay if delay else _NEXT)

    def announce(self, upload: str) -> None:
        """Send the message of a new upload, to be delivered before all parts of others."""
        self._insert([upload], _AT_ONCE)

    def receive(self, lease_seconds: float) -> Received | None:
        """Receive the next message, and hide it for some seconds; None if none is due.

        A message that its consumer did not finish is delivered again after its lease, at most `MOST_RECEIVES`
        times.
        """
        # Reading first lets an idle consumer leave the writer's lock alone.
        while self._database.read(f"SELECT 1 FROM message WHERE {_DUE}", [self._clock()]):  # noqa: S608  a constant
            with self._database.write() as connection:
                now = self._clock()
                row = connection.execute(
                    f"SELECT number, body, tries FROM message WHERE {_DUE}",  # noqa: S608  a constant
                    [now],
                ).fetchone()
                if row is None:  # another consumer was faster
                    continue
                number, body, tries = row
                if tries >= MOST_RECEIVES:
                    connection.execute("UPDATE message SET failed = 1 WHERE number = ?", [number])
                    continue
                connection.execute(
                    "UPDATE message SET due = ?, tries = tries + 1 WHERE number = ?",
                    [now + lease_seconds, number],
                )
                return Received(number, body, tries + 1)
        return None

    def extend(self, number: int, lease_seconds: float) -> None:
        """Let a lease end some seconds from now."""
        self._update("due = ?", number, self._clock() + lease_seconds)

    def done(self, number: int) -> None:
        """Delete a message, at the end of its work."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM message WHERE number = ?", [number])

    def failed(self, number: int, delay: float = 0) -> None:
        """End a failed try: the message is delivered again after `delay` seconds.

        After `MOST_RECEIVES` tries it stays with the failed ones instead.
        """
        due = self._clock() + delay if delay else _NEXT
        self._update("due = ?, failed = (tries >= ?)", number, due, MOST_RECEIVES)

    def release(self) -> None:
        """End all leases and delays. The caller holds the lock of ingest: other consumers are dead."""
        with self._database.write() as connection:
            connection.execute("UPDATE message SET due = min(due, ?) WHERE failed = 0", [_NEXT])

    def seconds_to_next(self) -> float | None:
        """Return the seconds until a message is due, 0 if one is; None without any message."""
        rows = self._database.read("SELECT due FROM message WHERE failed = 0 ORDER BY due LIMIT 1")
        return max(0.0, rows[0][0] - self._clock()) if rows else None

    def state(self) -> QueueState:
        """Count the messages."""
        [(waiting, oldest, failed)] = self._database.read(
            "SELECT (SELECT count(*) FROM message WHERE failed = 0),"
            " (SELECT sent FROM message WHERE NOT failed ORDER BY number LIMIT 1),"
            " (SELECT count(*) FROM message WHERE failed = 1)"
        )
        age = 0.0 if oldest is None else max(0.0, self._clock() - oldest)
        return QueueState(waiting, age, failed)

    def bodies(self) -> Iterator[str]:
        """Yield the body of each failed message, and leave all of them there."""
        for _, body in self._failed():
            yield body

    def redrive(self) -> Iterator[str]:
        """Move the failed messages back one by one, and yield the body of each after it was moved."""
        for number, body in self._failed():
            self._update("failed = 0, tries = 0, due = 0", number)
            yield body

    def _insert(self, messages: Sequence[str], due: float) -> None:
        rows = [(body, self._clock(), due) for body in messages]
        with self._database.write() as connection:
            connection.executemany("INSERT INTO message (body, sent, due) VALUES (?, ?, ?)", rows)

    def _failed(self) -> Sequence[tuple[int, str]]:
        return self._database.read("SELECT number, body FROM message WHERE failed = 1 ORDER BY number")

    def _update(self, values: str, number: int, *parameters: float) -> None:
        with self._database.write() as connection:
            connection.execute(f"UPDATE message SET {values} WHERE number = ?", [*parameters, number])  # noqa: S608  constants
