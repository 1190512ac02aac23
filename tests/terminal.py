"""A terminal, and somebody who sits at it and answers one question."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from collections.abc import Mapping, Sequence

QUESTION = b"[y/N]: "
_SECONDS = 60


def at_a_terminal(command: Sequence[str], environment: Mapping[str, str], answer: str) -> tuple[int, str]:
    """Run a command at a terminal, answer the question it may ask, and give its end and what was seen."""
    ours, theirs = pty.openpty()
    seen, answered, deadline = b"", False, time.monotonic() + _SECONDS
    with subprocess.Popen(  # noqa: S603  our own command
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 1)[0]:
                continue
            try:
                read = os.read(ours, 4_096)
            except OSError:  # it has ended
                break
            seen += read
            if QUESTION in seen and not answered:
                answered = True
                os.write(ours, f"{answer}\n".encode())
        if time.monotonic() >= deadline:
            process.kill()
        code = process.wait(_SECONDS)
    os.close(ours)
    return code, seen.decode().replace("\r\n", "\n")
