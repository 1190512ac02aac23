"""`ginuri serve` is killed while a client registers: each request of the client is carried out once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

from ginuri.client import Client, Minted, Report, ServiceUnreachable
from ginuri.sqlite.database import Database
from tests.served_folder import PATIENCE, OneMachine, serving, wait_for
from tests.stacks import AZGS, settle_steward

DOC = f"{AZGS}doc/"
STATED, UPLOADED, MINTED = 48, 4, 4
"""The number of requests for one record each, for a file of two, and for three new names."""
THREADS, KILLS = 4, 3
OPTIONS = ("--workers", "2", "--port")
Answer = Report | Minted
Request = Callable[[], Answer]


def _requests(client: Client) -> Iterator[Request]:
    """Make the requests, each with an idempotency key of its own."""

    def state(number: int) -> Answer:
        method = client.put if number % 2 else client.patch
        stated = {"title": f"Number {number}"}
        return method(f"{DOC}{number}", stated, is_new=number % 4 == 1, idempotency_key=f"stated-{number}")

    def upload(number: int) -> Answer:
        rows = f"identifier,title\n{DOC}{number}a,Upper\n{DOC}{number}b,Lower\n".encode()
        return client.upload(rows, AZGS, name="two.csv", idempotency_key=f"uploaded-{number}")

    def mint(number: int) -> Answer:
        registration = {"title": "Sample"}
        return client.mint(DOC, count=3, registration=registration, idempotency_key=f"minted-{number}")

    for kind, count in ((state, STATED), (upload, UPLOADED), (mint, MINTED)):
        yield from (partial(kind, number) for number in range(count))


def _repeat(request: Request) -> Answer:
    """Repeat a request until it is answered."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return request()
        except ServiceUnreachable:
            assert time.monotonic() < end


def _kill_among(machine: OneMachine, answers: Sequence[Future[Answer]], chance: Random) -> None:
    """Kill a server at a random moment after some more answers, while further requests are under way."""
    more = sum(each.done() for each in answers) + chance.randint(3, 6)
    wait_for(lambda: sum(each.done() for each in answers) >= more)
    time.sleep(chance.uniform(0, 0.05))
    machine.kill()
    assert sum(not each.done() for each in answers) >= THREADS


def _waiting(machine: OneMachine) -> int:
    queue = machine.ask("/health").json["queue"]
    return int(queue["waiting"]) + int(queue["failed"])


def test_a_server_killed_at_any_moment_carries_each_request_out_once(tmp_path: Path) -> None:
    folder, chance = tmp_path / "registry", Random(29)  # noqa: S311  repeatable by its seed
    secret = settle_steward(folder)
    with serving(folder, *OPTIONS, "0") as first, ThreadPoolExecutor(THREADS) as threads:
        port = str(first.port)
        client = Client(f"http://127.0.0.1:{port}", secret, sleep=lambda _seconds: time.sleep(0.05))
        requests = list(_requests(client))
        chance.shuffle(requests)
        answers = [threads.submit(_repeat, request) for request in requests]
        _kill_among(first, answers, chance)
        for _ in range(KILLS - 1):
            with serving(folder, *OPTIONS, port) as further:
                _kill_among(further, answers, chance)
        with serving(folder, *OPTIONS, port) as last:
            answered = [each.result() for each in answers]
            listed = [str(each["identifier"]) for each in client.records(DOC, form="names")]
            histories = [client.history(name) for name in listed]
            # A message is removed after the report on its upload is there.
            wait_for(lambda: _waiting(last) == 0)
            client.close()

    reports = [each for each in answered if isinstance(each, Report)]
    minted = [name for each in answered if isinstance(each, Minted) for name in each.identifiers]
    assert sorted(each.counts["registered"] for each in reports) == [1] * STATED + [2] * UPLOADED
    assert len({*minted}) == 3 * MINTED
    stated = [f"{DOC}{number}" for number in range(STATED)]
    uploaded = [f"{DOC}{number}{letter}" for number in range(UPLOADED) for letter in "ab"]
    assert sorted(listed) == sorted([*stated, *uploaded, *minted])
    assert {len(history) for history in histories} == {1}
    with closing(Database(folder)) as database:
        puts = database.read("SELECT count(*) FROM upload WHERE key LIKE ? GROUP BY key", [f"{AZGS}api-%"])
    assert puts == [(1,)] * len(requests)
