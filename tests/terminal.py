"""A terminal, and a user who answers questions."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

QUESTION = b"[y/N]: "
_SECONDS = 60


def at_a_terminal(
    command: Sequence[str], environment: Mapping[str, str], answer: str, question: bytes = QUESTION
) -> tuple[int, str]:
    """Run a command at a terminal, answer its question, and return its exit code and its output."""
    answers = [f"{answer}\n".encode()]

    def reply(seen: bytes) -> bytes:
        return answers.pop() if question in seen and answers else b""

    return _talk(command, environment, None, reply)


def answering(
    command: Sequence[str], environment: Mapping[str, str], answers: Mapping[str, str]
) -> tuple[int, str]:
    """Run a command at a terminal, answer each question once, and return its exit code and its output."""
    left = {question.encode(): f"{answer}\n".encode() for question, answer in answers.items()}

    def reply(seen: bytes) -> bytes:
        found = next((question for question in left if seen.endswith(question)), None)
        return b"" if found is None else left.pop(found)

    return _talk(command, environment, None, reply)


def press_enter(
    command: Sequence[str], environment: Mapping[str, str], folder: Path
) -> tuple[list[str], str]:
    """Run a command at a terminal, answer every question with Enter; return the questions and the output.

    A question is a line that waits after a colon. A repeated question ends the command.
    """
    asked: list[str] = []

    def reply(seen: bytes) -> bytes | None:
        line = seen.rpartition(b"\n")[2]
        if not line.endswith(b": "):
            return b""
        asked.append(line.decode().strip())
        return None if asked.count(asked[-1]) > 1 else b"\n"

    _, seen = _talk(command, environment, folder, reply)
    return asked, seen


def _talk(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path | None,
    reply: Callable[[bytes], bytes | None],
) -> tuple[int, str]:
    """Run a command and type the reply of `reply` to the output so far; None ends the command."""
    ours, theirs = pty.openpty()
    seen, deadline = b"", time.monotonic() + _SECONDS
    # In a session of its own, so that it finds only this terminal.
    with subprocess.Popen(  # noqa: S603  our own command
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        cwd=folder,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 1)[0]:
                continue
            try:
                seen += os.read(ours, 4_096)
            except OSError:  # it has ended
                break
            typed = reply(seen)
            if typed is None:
                process.kill()
                break
            os.write(ours, typed)
        if time.monotonic() >= deadline:
            process.kill()
        code = process.wait(_SECONDS)
    os.close(ours)
    return code, seen.decode().replace("\r\n", "\n")
