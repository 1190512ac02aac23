"""Commands on a registry folder beside its running server."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from getpass import getuser
from pathlib import Path

import httpx
import pytest

from ginuri.sqlite.lock import is_ingesting
from tests.served_folder import OneMachine, serving, wait_for
from tests.stacks import settle_folder

ROWS = 6_000


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[OneMachine]:
    """A server with one answering process, whose registry has an authority."""
    settle_folder(tmp_path / "registry")
    with serving(tmp_path / "registry", "--workers", "1") as machine:
        wait_for(lambda: is_ingesting(machine.folder))  # otherwise a command processes its upload itself
        yield machine


def _start(machine: OneMachine, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603  the command under test
        [sys.executable, "-m", "ginuri.cli", *arguments, "--registry", "registry"],
        cwd=machine.folder.parent,
        env={**os.environ, "LANGUAGE": "en", "GINURI_STACK": ""},
        stdout=subprocess.PIPE,
        text=True,
    )


def _upload(machine: OneMachine, rows: int) -> subprocess.Popen[str]:
    lines = "".join(f"uri-gin/azgs/doc/{number},Document {number}\n" for number in range(rows))
    (machine.folder.parent / "rows.csv").write_text(f"identifier,title\n{lines}", encoding="utf-8")
    return _start(machine, "upload", "rows.csv", "--under", "uri-gin/azgs/", "--yes", "--many")


def test_an_upload_of_a_command_has_a_page_on_the_server(machine: OneMachine) -> None:
    printed, _ = _upload(machine, 1).communicate()
    written = dict(line.split(": ", 1) for line in printed.splitlines()[1:])
    upload = shlex.split(written["to undo it"])[2]

    page = httpx.get(written["to read"], trust_env=False)
    again, _ = _start(machine, "report", upload).communicate()

    assert "Report on uri-gin/azgs/rows.csv" in page.text
    assert again == f"{printed}  by local:{getuser()}\n"
    assert f'href="{machine.reports}"' in page.text


def test_a_command_finishes_its_upload_when_the_server_is_killed(machine: OneMachine) -> None:
    with _upload(machine, ROWS) as command:
        wait_for(lambda: '"part 1 of step 1' in machine.log)

        for process in (machine.process.pid, *machine.children()):
            os.kill(process, signal.SIGKILL)
        printed, _ = command.communicate()

    assert command.returncode == 0, printed
    assert "6,000 identifiers in 6,000 rows: 6,000 registered" in printed
    checked = subprocess.run(  # noqa: S603  the command under test
        [sys.executable, "-m", "ginuri.cli", "check", str(machine.folder)], check=False
    )
    assert checked.returncode == 0
