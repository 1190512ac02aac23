"""Uploads whose process is killed, or whose table is restored: they end as if undisturbed."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Mapping
from copy import deepcopy
from random import Random
from typing import Any

from ginuri.files.reports.report import Upload
from ginuri.ingest.collaborators import Limits
from ginuri.registry.record.record import Record
from infra.attack.processes.killable import Message, working
from infra.attack.targets.hostile_registry import FOLDER
from infra.attack.targets.stores import Stores, write_lines
from infra.attack.trials import Fault, Trial, trial

KILLS = 3
"""The number of kills in one case."""
_LIMITS = Limits(task_rows=8, chunk_rows=12)
_CALLS = 60
"""A process is killed at one of so many calls to the stores; an upload has more."""
_DAY = "2026-06-01"
Outcome = tuple[Mapping[str, Record], Any]


class Kills:
    """The kind."""

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Ingest one table undisturbed, killed at some calls, and again after its table was restored."""
        table = draw_table(chance)
        expected = _ingest(table)
        kill_at = {call: chance.random() < 0.5 for call in chance.sample(range(1, _CALLS), KILLS)}  # noqa: PLR2004
        killed, codes = _ingest_killed(table, kill_at, chance)
        faults = [*compare("kills-leave-no-trace", expected, killed)]
        faults += [Fault("kills-happen", f"{code}") for code in codes if code != -signal.SIGKILL]
        yield trial(f"{len(table):,} bytes, killed at {kill_at}", faults)
        yield trial(f"{len(table):,} bytes, restored", restore_and_compare(table, expected, _LIMITS))
        small = write_lines([_line(chance, number) for number in range(3)])
        yield trial("three rows, restored", restore_and_compare(small, _ingest(small), Limits()))


def draw_table(chance: Random) -> bytes:
    """Draw lines of all sorts: new, known, in two distant rows, refused."""
    lines = [_line(chance, number) for number in range(chance.randrange(20, 60))]
    lines += [{"identifier": line["identifier"], "description": "Again"} for line in chance.sample(lines, 5)]
    lines += [{"identifier": f"{FOLDER}doc/bad {number}", "title": "Bad"} for number in range(3)]
    return write_lines(lines)


def _line(chance: Random, number: int) -> dict[str, Any]:
    title = chance.choice(("Well", "Map", "Old"))
    return {"identifier": f"{FOLDER}doc/{number}", "title": title, "location": f"https://a.example/{number}"}


def _settle(limits: Limits = _LIMITS) -> Stores:
    stores = Stores(limits, _DAY)
    lines = [
        {"record": "scheme", "identifier": "uri-gin/", "title": "Scheme"},
        {"record": "authority", "identifier": FOLDER, "title": "Survey"},
    ]
    stores.upload("_host/all.jsonl", write_lines(lines))
    known = [{"identifier": f"{FOLDER}doc/{number}", "title": "Old"} for number in range(0, 20, 5)]
    stores.upload(f"{FOLDER}known.jsonl", write_lines(known))
    return stores


def _put(stores: Stores, table: bytes) -> Upload:
    return stores.put(f"{FOLDER}table.jsonl", table, {"many": "true"})


def _ingest(table: bytes) -> Outcome:
    stores = _settle()
    upload = _put(stores, table)
    stores.deliver(upload)
    return read_outcome(stores, upload)


def _ingest_killed(
    table: bytes, kill_at: Mapping[int, bool], chance: Random
) -> tuple[Outcome, list[int | None]]:
    stores = _settle()
    upload = _put(stores, table)
    waiting: list[Message] = [upload]
    with working(stores.collaborators, kill_at) as worker:
        while waiting or stores.queue.waiting:
            waiting += stores.queue.waiting
            stores.queue.waiting.clear()
            message = waiting.pop(chance.randrange(len(waiting)))
            if not worker.ingest_part(message):
                waiting.append(message)  # not acknowledged: the queue delivers it again
    return read_outcome(stores, upload), worker.killed


def restore_and_compare(table: bytes, expected: Outcome, limits: Limits) -> Iterator[Fault]:
    """Ingest a table, restore the registry to the moment before, and deliver the upload again."""
    stores = _settle(limits)
    before = deepcopy(stores.registry)
    upload = _put(stores, table)
    stores.deliver(upload)
    stores.registry = before
    stores.deliver(upload)
    yield from compare("restores-lose-nothing", (expected[0], None), (read_outcome(stores, upload)[0], None))


def read_outcome(stores: Stores, upload: Upload) -> Outcome:
    """Return the registered records, and the verdicts of the report."""
    names = list(stores.values())
    verdicts = json.loads(json.dumps(stores.report(upload)["verdicts"]))
    return dict(stores.registry.read(names)), verdicts


def compare(invariant: str, expected: Outcome, came: Outcome) -> Iterator[Fault]:
    """Compare the results of an upload with those of an undisturbed run."""
    lost, more = expected[0].keys() - came[0].keys(), came[0].keys() - expected[0].keys()
    changed = [name for name in expected[0].keys() & came[0].keys() if expected[0][name] != came[0][name]]
    if lost or more or changed:
        yield Fault(
            invariant, f"{len(lost)} lost, {len(more)} more, {len(changed)} others: {sorted(lost)[:3]}"
        )
    if expected[1] != came[1]:
        yield Fault(invariant, "the report differs")
