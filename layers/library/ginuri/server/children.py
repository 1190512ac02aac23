"""Child processes that are started again when they end, until their parent stops them or ends itself."""

from __future__ import annotations

import multiprocessing
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess

_PATIENCE_SECONDS = 10.0
"""The seconds after which a child that was asked to end is killed."""
_PAUSE_SECONDS = 1.0
"""The shortest time between two starts of a child."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass
class _Child:
    process: ForkProcess
    started: float


@dataclass
class Children:
    """The children of this process by name; `run` keeps them running until SIGINT or SIGTERM.

    A fork shares the modules that are imported already, so that a child starts within milliseconds. Each
    child ends by itself when its parent is gone.
    """

    tasks: Mapping[str, Callable[[], None]]
    _running: dict[str, _Child] = field(default_factory=dict)
    _is_stopped: bool = False

    def run(self, note_ready: Callable[[], None]) -> None:
        """Run the children until a signal comes, and end them."""
        heard, told = socket.socketpair()
        told.setblocking(False)  # noqa: FBT003  the only form; Python requires it of this end
        before = [(number, signal.signal(number, self._stop)) for number in _SIGNALS]
        wakeup = signal.set_wakeup_fd(told.fileno())
        try:
            for name in self.tasks:
                self._start(name)
            note_ready()
            while not self._is_stopped:
                wait([heard, *(child.process.sentinel for child in self._running.values())])
                self._restart()
        finally:
            self._end()
            signal.set_wakeup_fd(wakeup)
            for number, handler in before:
                signal.signal(number, handler)
            heard.close()
            told.close()

    def _stop(self, *_: object) -> None:
        self._is_stopped = True

    def _start(self, name: str) -> None:
        process = multiprocessing.get_context("fork").Process(
            target=_run, args=(self.tasks[name],), name=name
        )
        process.start()
        self._running[name] = _Child(process, time.monotonic())

    def _restart(self) -> None:
        for name, child in list(self._running.items()):
            if child.process.exitcode is not None and not self._is_stopped:
                sys.stderr.write(f"{name} ended with {child.process.exitcode}; it is started again\n")
                child.process.close()
                time.sleep(max(0.0, child.started + _PAUSE_SECONDS - time.monotonic()))
                self._start(name)

    def _end(self) -> None:
        for child in self._running.values():
            with suppress(ProcessLookupError):
                child.process.terminate()
        end = time.monotonic() + _PATIENCE_SECONDS
        for child in self._running.values():
            child.process.join(max(0.0, end - time.monotonic()))
            if child.process.exitcode is None:
                child.process.kill()
                child.process.join()
            child.process.close()


def _run(task: Callable[[], None]) -> None:
    signal.set_wakeup_fd(-1)  # the parent's
    # The parent hears Ctrl-C as well, and asks its children to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    task()
