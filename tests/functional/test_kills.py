"""The process that ingests an upload is killed, by SIGKILL, at any call: the next one finishes the upload."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import pytest

from infra.attack.processes.killable import Message, working
from tests.steward import TABLE, Report, Steward, line, settled

pytestmark = pytest.mark.untraced

LINES = 5_000
KILLS = 20
WELL = "uri-gin/azgs/doc/well{}"
MANY = {"many": "true"}
CALLS = 5_000
"""A little less than the number of calls to its stores without a kill."""


def _table() -> str:
    """Write 5,000 lines of all sorts: new, known, changed, in two rows far apart, over two lines, refused."""
    rows = ["identifier,record,title,location,status\n"]
    rows += [f"uri-gin/azgs/map{number}/,resource-type,Map,,\n" for number in range(20)]
    rows += ["uri-gin/azgs/old/,rule,,https://a.example/{+rest},\n"]
    while len(rows) < LINES:
        number = len(rows)
        well, title, location = number, f"Well {number}", f"https://a.example/{number}"
        if number % 400 == 0:
            location = "htp://a.example/"
        if number % 250 == 0:  # the second form of a row in the first half of the file
            well, title = number // 2 + 1, f"Well {number // 2 + 1}"
        rows.append(f"{WELL.format(well)},,{title},{location},\n")
    return "".join(rows)


def _before() -> Steward:
    steward = settled()
    # Every tenth well is known: half of these are unchanged, and the others get another title.
    known = (line(WELL.format(n), title=f"Well {n}" if n % 20 else "?") for n in range(30, LINES, 10))
    steward.upload("uri-gin/azgs/known.jsonl", "".join(known))
    return steward


@dataclass(frozen=True)
class _Whole:
    """The results of an upload."""

    report: Report
    records: dict[str, Any]
    history: dict[Any, Any]


def _whole(steward: Steward, upload: Any) -> _Whole:
    names = [name for name, _ in steward.memory.standing("")]
    changed = [WELL.format(number) for number in range(40, LINES, 60)]
    return _Whole(
        steward.report(upload),
        dict(steward.memory.read(names)),
        {name: steward.memory.history(name) for name in changed},
    )


@cache
def _undisturbed() -> _Whole:
    steward = _before()
    upload = steward.put(TABLE, _table(), **MANY)
    steward.deliver(upload)
    return _whole(steward, upload)


def _killed(kill_at: dict[int, bool]) -> tuple[_Whole, list[int | None]]:
    """Ingest the table, with kills; return the results, and the exit codes of the processes."""
    chance = Random(1)  # noqa: S311  repeatable by its seed
    steward = _before()
    upload = steward.put(TABLE, _table(), **MANY)
    waiting: list[Message] = [upload]
    with working(steward.collaborators, kill_at) as worker:
        while waiting or steward.queue.waiting:
            waiting += steward.queue.waiting
            steward.queue.waiting.clear()
            message = waiting.pop(chance.randrange(len(waiting)))
            if not worker.ingest_part(message):
                waiting.append(message)  # not acknowledged: the queue delivers it again
    return _whole(steward, upload), worker.killed


def test_the_five_thousand_lines_cover_every_kind() -> None:
    report = _undisturbed().report

    told = [number for verdict in report.verdicts for number in verdict.lines]
    assert sorted(told) == list(range(2, LINES + 1))
    assert report.counts == {"registered": 4483, "changed": 468, "refused": 29}


def test_a_process_killed_anywhere_in_five_thousand_lines_leaves_complete_records() -> None:
    chance = Random(0)  # noqa: S311  repeatable by its seed
    kill_at = {each: chance.random() < 0.5 for each in chance.sample(range(1, CALLS), KILLS)}

    whole, killed = _killed(kill_at)

    assert killed == [-signal.SIGKILL] * KILLS
    assert whole == _undisturbed()
