"""The tutorial for stewards, in a fresh environment with the built wheel: its server, and its commands."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from infra.docs import FOLDER
from infra.docs.blocks import Command, is_like, read_blocks, read_commands
from tests.command.test_documented import alike

if TYPE_CHECKING:
    from tests.installation import Environment

PAGE = FOLDER / "tutorials" / "first-ten-rows.md"
DOCUMENTED = "http://127.0.0.1:8000"
_READY = re.compile(r"ready (\S+)\n")


@dataclass(frozen=True)
class Reader:
    """The installed programs, and the folder in which the reader runs them."""

    programs: Path
    folder: Path


@pytest.fixture(scope="module")
def reader(installed: Callable[[str], Environment], tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Return a reader who ran `pip install ".[serve]"`, with the files of the page."""
    reader = Reader(installed("serve").folder / "bin", tmp_path_factory.mktemp("reader"))
    for block in read_blocks(PAGE):
        if block.is_file:
            (reader.folder / Path(block.title).name).write_text(block.body, encoding="utf-8")
    return reader


def variables(reader: Reader) -> dict[str, str]:
    """Return the variables of the reader's second terminal."""
    return {"PATH": f"{reader.programs}:{os.environ['PATH']}", "GINURI_REGISTRY": "registry"}


@contextmanager
def serving(reader: Reader, command: str) -> Iterator[str]:
    """Run the server of the page until the end, and return its address."""
    arguments = ["/bin/bash", "-c", f"exec {command} --port 0 --no-log"]
    with subprocess.Popen(  # noqa: S603  the command of our own page
        arguments, cwd=reader.folder, env=variables(reader), stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield next(found[1] for line in server.stdout if (found := _READY.fullmatch(line)))
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=60)


def commands(*, is_session: bool) -> list[Command]:
    """Return the commands of the second terminal, or of the first."""
    blocks = [block for block in read_blocks(PAGE) if block.language == "console"]
    return [command for block in blocks if block.is_session is is_session for command in read_commands(block)]


def run(reader: Reader, command: Command, service: str) -> list[str]:
    """Run a command of the page, and return its lines as on the page."""
    ran = subprocess.run(  # noqa: S603  the commands of our own page
        ["/bin/bash", "-c", command.text.replace(DOCUMENTED, service)],
        cwd=reader.folder,
        env=variables(reader),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return alike((ran.stdout + ran.stderr).replace(service, DOCUMENTED))


def test_the_tutorial_runs_in_a_fresh_environment_and_survives_a_restart(reader: Reader) -> None:
    first = [command.text for command in commands(is_session=False)]
    second = [command for command in commands(is_session=True) if command.printed]

    assert first[1:] == ['pip install ".[serve]"', "ginuri serve registry --examples"]
    assert [command.text.split()[0] for command in second] == ["ginuri", "ginuri", "curl", "curl"]
    with serving(reader, first[2]) as service:
        for command in second:
            printed = run(reader, command, service)
            assert is_like(printed, alike("\n".join(command.printed))), (command.text, printed)
    with serving(reader, "ginuri serve registry") as service:
        for command in second[2:]:
            assert run(reader, command, service) == list(command.printed)
