"""The progress bar of a command."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.terminal import at_a_terminal

COUNT = (
    "from ginuri.cli.terminal import with_progress\nprint(sum(with_progress((1 for _ in range(25)), 'ones')))"
)
WAIT = """
import json, time, types
from ginuri.cli.uploads.upload import wait_for_report
STATES = [
    {"of": 0, "done": 0, "waits_for": ["uri-gin/azgs/"]},
    {"of": 8, "done": 3},
    {"of": 8, "done": 8},
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
    assert waiting < seen.index("3/8") < seen.index("8/8") < seen.index("is_complete")
