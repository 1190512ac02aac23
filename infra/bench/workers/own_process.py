"""What a measured process does to itself: stays on one processor, and reads its memory."""

from __future__ import annotations

import os

_STATUS = "/proc/self/status"


def stay_on(place: int) -> None:
    """Stay on one of the processors at hand, counted as a list is; do nothing where the system cannot.

    Handlers and stub must not take each other's.
    """
    if hasattr(os, "sched_setaffinity"):  # Linux alone has it
        os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[place]})


def memory(name: str) -> int:
    """Return the bytes that proc(5) names so (`VmRSS`: resident, `VmHWM`: their peak); 0 without it."""
    try:
        with open(_STATUS, encoding="ascii") as status:  # noqa: PTH123  pathlib would be in the memory
            sizes = dict(line.split(":", 1) for line in status)
    except FileNotFoundError:
        return 0
    return int(sizes[name].removesuffix("kB\n")) * 1024
