"""Decides when a registry folder is published."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ginuri.sqlite.news import News

QUIET_SECONDS = 2.0
"""The seconds without an upload after which news is published."""
LATE_SECONDS = 60.0
"""The seconds after which news is published even if uploads keep coming."""
PAUSE = 10
"""A publication starts no sooner after the start of the last one than this many times its duration."""


class Running(Protocol):
    """A process that publishes."""

    def poll(self) -> int | None:
        """Return its exit code; None while it runs."""

    def terminate(self) -> None:
        """Ask it to end."""

    def wait(self) -> int:
        """Wait until it has ended, and return its exit code."""


class Publisher:
    """Starts publications, one at a time; `clock` returns monotonic seconds."""

    def __init__(self, news: News, start: Callable[[], Running], clock: Callable[[], float]) -> None:
        self._news = news
        self._start = start
        self._clock = clock
        self._running: Running | None = None
        self._started = self._not_before = float("-inf")
        self._worked = float("-inf")
        self._news_since: float | None = None

    def note_work(self) -> None:
        """Note that an upload or a part of one was processed at this moment."""
        self._worked = self._clock()

    def look(self) -> None:
        """Start a publication if one is due. Raises RegistryUnavailable."""
        now = self._clock()
        if self._is_running(now) or not self._is_due(now) or now < self._not_before:
            return
        self._started, self._news_since = now, None
        self._running = self._start()

    def stop(self) -> None:
        """End a running publication; the previous one stays current."""
        if self._running is not None:
            self._running.terminate()
            self._running.wait()
            self._running = None

    def _is_running(self, now: float) -> bool:
        if self._running is None:
            return False
        if (code := self._running.poll()) is None:
            return True
        self._running = None
        pause = PAUSE * (now - self._started)
        self._not_before = self._started + (pause if code == 0 else max(pause, LATE_SECONDS))
        return False

    def _is_due(self, now: float) -> bool:
        if self._news.is_published():
            self._news_since = None
            return False
        if self._news_since is None:
            self._news_since = now
        return now - self._worked >= QUIET_SECONDS or now - self._news_since >= LATE_SECONDS
