"""The queue of a registry folder: leases, tries, and messages that failed too often."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ginuri.sqlite.database import Database
from ginuri.sqlite.queue import MOST_RECEIVES, QueueState, SqliteQueue
from tests.folder_processes import receive_all
from tests.registry_folder import running


class _Clock:
    """A clock that a test sets."""

    seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty database."""
    with closing(Database(tmp_path)) as database:
        yield database


@pytest.fixture
def clock() -> _Clock:
    """A clock that stands still."""
    return _Clock()


@pytest.fixture
def queue(database: Database, clock: _Clock) -> SqliteQueue:
    """An empty queue."""
    return SqliteQueue(database, clock)


def _receive(queue: SqliteQueue) -> int:
    received = queue.receive(60)
    assert received is not None
    return received.number


def test_messages_are_received_in_order(queue: SqliteQueue) -> None:
    queue.send(["first", "second"])
    queue.send(["third"])

    bodies = [received.body for _ in range(3) if (received := queue.receive(60))]

    assert bodies == ["first", "second", "third"]


def test_a_new_upload_comes_before_the_parts_of_others(queue: SqliteQueue) -> None:
    queue.send(["part", "part"])
    queue.announce("upload")

    received = queue.receive(60)

    assert received is not None
    assert received.body == "upload"


def test_a_received_message_is_hidden_during_its_lease(queue: SqliteQueue, clock: _Clock) -> None:
    queue.send(["message"])
    first = queue.receive(60)

    clock.seconds += 59
    hidden = queue.receive(60)
    clock.seconds += 1
    again = queue.receive(60)

    assert first is not None
    assert hidden is None
    assert again is not None
    assert (first.tries, again.tries) == (1, 2)


def test_an_extended_lease_hides_its_message_longer(queue: SqliteQueue, clock: _Clock) -> None:
    queue.send(["message"])
    number = _receive(queue)

    clock.seconds += 59
    queue.extend(number, 60)
    clock.seconds += 59

    assert queue.receive(60) is None


def test_a_finished_message_does_not_come_again(queue: SqliteQueue, clock: _Clock) -> None:
    queue.send(["message"])
    queue.done(_receive(queue))

    clock.seconds += 1_000

    assert queue.receive(60) is None
    assert queue.seconds_to_next() is None


def test_a_failed_message_is_tried_again_after_its_delay(queue: SqliteQueue, clock: _Clock) -> None:
    queue.send(["message"])
    queue.failed(_receive(queue), 2)

    assert queue.receive(60) is None
    assert queue.seconds_to_next() == 2
    clock.seconds += 2
    assert queue.receive(60) is not None


def test_a_message_that_fails_five_times_is_kept_apart(queue: SqliteQueue) -> None:
    queue.send(["message"])

    for _ in range(MOST_RECEIVES):
        queue.failed(_receive(queue))

    assert queue.receive(60) is None
    assert list(queue.bodies()) == ["message"]


def test_a_message_whose_consumers_were_killed_is_kept_apart(queue: SqliteQueue, clock: _Clock) -> None:
    queue.send(["message"])

    for _ in range(MOST_RECEIVES):
        _receive(queue)
        clock.seconds += 60

    assert queue.receive(60) is None
    assert list(queue.bodies()) == ["message"]


def test_redriven_messages_have_all_their_tries_again(queue: SqliteQueue) -> None:
    queue.send(["one", "two"])
    for _ in range(2 * MOST_RECEIVES):
        queue.failed(_receive(queue))

    moved = list(queue.redrive())
    received = queue.receive(60)

    assert moved == ["one", "two"]
    assert received is not None
    assert received.tries == 1
    assert list(queue.bodies()) == []


def test_released_messages_are_received_at_once(queue: SqliteQueue) -> None:
    queue.send(["leased"])
    queue.send(["delayed"], 600)
    _receive(queue)

    queue.release()

    assert {_receive(queue), _receive(queue)} == {1, 2}


def test_messages_wait_for_no_clock_that_went_back(queue: SqliteQueue, clock: _Clock) -> None:
    queue.send(["message"])

    clock.seconds -= 900

    assert queue.receive(60) is not None


def test_messages_of_a_rolled_back_transaction_are_not_sent(queue: SqliteQueue, database: Database) -> None:
    with pytest.raises(KeyError, match="undone"), database.write():
        _send_and_fail(queue)

    assert queue.receive(60) is None


def _send_and_fail(queue: SqliteQueue) -> None:
    queue.send(["message"])
    raise KeyError("undone")


def test_the_state_counts_messages_and_the_oldest_age(queue: SqliteQueue, clock: _Clock) -> None:
    assert queue.state() == QueueState(0, 0, 0)
    queue.send(["message"])
    for _ in range(MOST_RECEIVES):
        queue.failed(_receive(queue))
    clock.seconds += 5
    queue.send(["older"])
    queue.send(["newer"], 600)
    _receive(queue)
    clock.seconds += 7

    assert queue.state() == QueueState(waiting=2, oldest_seconds=7, failed=1)


def test_an_idle_consumer_waits_for_no_writer(queue: SqliteQueue, tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as other, other.write():
        assert queue.receive(60) is None


def test_two_consumers_never_receive_one_message(queue: SqliteQueue, tmp_path: Path) -> None:
    sent = [str(number) for number in range(200)]
    queue.send(sent)

    with running(receive_all, tmp_path) as one, running(receive_all, tmp_path) as other:
        for process in (one, other):
            process.hear()
        for process in (one, other):
            process.say()
        received = [list(iter(process.hear, "end")) for process in (one, other)]

    assert all(received)
    assert sorted(received[0] + received[1]) == sorted(sent)
