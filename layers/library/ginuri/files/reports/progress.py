"""The progress of an upload, which stands beside its report until that is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ginuri.identifiers.messages import Message, message

_MINUTE, _HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class UploadProgress:
    """The progress of an upload through reading, all passes over its rows, and its report."""

    percent: float = 0.0
    """The share of the work that is done; it never falls, except to 0 if an upload begins again."""
    done: int = 0
    """The same share of the rows."""
    of: int = 0
    """The number of rows; 0 while that is unknown."""
    begun: str = ""
    """When the work began, RFC 3339 in UTC."""
    seconds_left: int | None = None
    """The estimated rest of the time; None without an estimate."""
    waits_for: tuple[str, ...] = ()
    """Identifiers that another upload must register first."""


def progress_key(key: str, version: str) -> str:
    """Return the key of the progress of an upload."""
    return f"{key}/{version}.progress.json"


def write_progress(progress: UploadProgress) -> bytes:
    """Write the progress as JSON."""
    members = {
        "percent": progress.percent,
        "done": progress.done,
        "of": progress.of,
        **({"begun": progress.begun} if progress.begun else {}),
        **({} if progress.seconds_left is None else {"seconds_left": progress.seconds_left}),
        **({"waits_for": progress.waits_for} if progress.waits_for else {}),
    }
    return json.dumps(members, ensure_ascii=False, indent=1).encode()


def read_progress(members: Mapping[str, Any]) -> UploadProgress:
    """Read the progress from its JSON; an older release wrote only the rows of one pass."""
    done, of = members.get("done", 0), members.get("of", 0)
    return UploadProgress(
        members.get("percent", 100 * done // of if of else 0),
        done,
        of,
        members.get("begun", ""),
        members.get("seconds_left"),
        tuple(members.get("waits_for", ())),
    )


def describe_progress(progress: UploadProgress) -> Message | None:
    """Describe the progress in a few words; None if nothing is known yet.

    >>> str(describe_progress(UploadProgress(37.9, 3_411, 9_000, seconds_left=95)))
    '37 % done, 3,411 of 9,000 rows, about 2 min left'
    """
    if names := progress.waits_for:
        return message("waiting until {names} is registered", names=", ".join(names))
    if not (progress.percent or progress.of):
        return None
    words = message("{number} % done", number=str(int(progress.percent)))
    if progress.of:
        words = message(
            "{share}, {done} of {of} rows", share=words, done=f"{progress.done:,}", of=f"{progress.of:,}"
        )
    if progress.seconds_left is None:
        return words
    return message("{progress}, {time}", progress=words, time=_write_time_left(progress.seconds_left))


def _write_time_left(seconds: int) -> Message:
    if seconds < _MINUTE:
        return message("about {number} s left", number=str(seconds))
    if seconds < 2 * _HOUR:
        return message("about {number} min left", number=str(round(seconds / _MINUTE)))
    return message("about {number} h left", number=str(round(seconds / _HOUR)))
