"""The progress bar of a command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest

from ginuri.cli.ports import Stack
from ginuri.cli.uploads.waiting import wait_for_report
from tests.stacks import MemoryStack
from tests.steward import settled
from tests.terminal import at_a_terminal

COUNT = (
    "from ginuri.cli.terminal import with_progress\nprint(sum(with_progress((1 for _ in range(25)), 'ones')))"
)
WAIT = """
import json, time, types
from ginuri.cli.uploads.waiting import wait_for_report
STATES = [
    {"of": 0, "done": 0, "waits_for": ["uri-gin/azgs/"]},
    {"percent": 37.5, "of": 8, "done": 3, "seconds_left": 95},
    {"percent": 30, "of": 8, "done": 3},
    {"percent": 100, "of": 8, "done": 8},
]
def report(key):
    if not STATES:
        state = {"is_complete": True}
    elif key.endswith(".progress.json"):
        state = STATES.pop(0)
    else:
        state = {"is_complete": False, "unfinished": {"is_given_up": False}}
    return iter([json.dumps(state).encode()])
stack = types.SimpleNamespace(report=report, work=time.sleep)
print(wait_for_report(stack, "uri-gin/azgs/a.csv", "v1", 30))
"""
CONTINUES = """\
The upload continues. To watch it, run `ginuri report 'uri-gin/azgs/a b.csv#v1' --registry r --wait 900`
To undo it when it is done, run `ginuri rollback 'uri-gin/azgs/a b.csv#v1' --registry r`
"""
WAITS = """\
The upload is kept. No server runs, so it continues with the next command: `ginuri report \
'uri-gin/azgs/a b.csv#v1' --registry r --wait 900`
It is a dry run, and changes nothing.
"""


def _see(code: str) -> str:
    ended, seen = at_a_terminal([sys.executable, "-c", code], {**os.environ, "TERM": "xterm"}, "")
    assert ended == 0, seen
    return seen


def test_a_terminal_shows_how_much_is_done() -> None:
    seen = _see(COUNT)

    assert "ones" in seen
    assert seen.endswith("\n25\n")


def test_without_a_terminal_no_progress_is_printed() -> None:
    ran = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)  # noqa: S603  our own command

    assert (ran.stdout, ran.stderr) == ("25\n", "")


def test_an_upload_shows_its_progress_and_its_wait() -> None:
    seen = _see(WAIT)

    waiting = seen.index("waiting until uri-gin/azgs/ is registered")
    begun = seen.index("37 % done, 3 of 8 rows, about 2 min left")
    assert waiting < begun < seen.index("100 % done, 8 of 8 rows") < seen.index("is_complete")
    assert "30 %" not in seen


@pytest.mark.parametrize(
    ("interruption", "has_ingest", "is_dry_run", "explained"),
    [(SystemExit(130), True, False, CONTINUES), (KeyboardInterrupt(), False, True, WAITS)],
)
def test_an_interrupted_upload_names_the_commands_that_continue(
    capsys: pytest.CaptureFixture[str],
    interruption: BaseException,
    *,
    has_ingest: bool,
    is_dry_run: bool,
    explained: str,
) -> None:
    stack = MemoryStack(settled(), option=" --registry r", has_ingest=has_ingest, interruption=interruption)

    with pytest.raises(SystemExit) as ended:
        wait_for_report(stack, "uri-gin/azgs/a b.csv", "v1", 30, is_dry_run=is_dry_run)

    assert ended.value.code == 130
    assert capsys.readouterr().err == explained


def test_a_report_is_waited_for_until_its_summary_is_there() -> None:
    pauses: list[float] = []

    def report(key: str) -> Iterator[bytes] | None:
        is_there = not key.endswith(".summary.json") or pauses
        return iter([b'{"is_complete": true}']) if is_there and not key.endswith(".progress.json") else None

    stack = cast("Stack", SimpleNamespace(report=report, work=pauses.append))

    assert wait_for_report(stack, "uri-gin/azgs/a.csv", "v1", 30) == {"is_complete": True}
    assert len(pauses) == 1
