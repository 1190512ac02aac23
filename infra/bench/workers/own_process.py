"""Settings of a measured process: it stays on one processor, and reads its memory."""

from __future__ import annotations

import os

_STATUS = "/proc/self/status"


def stay_on(place: int) -> None:
    """Stay on one of the available processors, by its index; do nothing if the system cannot.

    Handlers and stub must not share one.
    """
    if hasattr(os, "sched_setaffinity"):  # only Linux has it
        os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[place]})


def memory(name: str) -> int:
    """Return the bytes under this name of proc(5) (`VmRSS`: resident, `VmHWM`: their peak); 0 without it."""
    try:
        with open(_STATUS, encoding="ascii") as status:  # noqa: PTH123  pathlib would be in the memory
            sizes = dict(line.split(":", 1) for line in status)
    except FileNotFoundError:
        return 0
    return int(sizes[name].removesuffix("kB\n")) * 1024
