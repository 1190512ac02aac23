"""Keeping a process on one processor, so that handlers and stub do not take each other's."""

from __future__ import annotations

import os


def stay_on(place: int) -> None:
    """Stay on one of the processors at hand, counted as a list is; do nothing where the system cannot."""
    if hasattr(os, "sched_setaffinity"):  # Linux alone has it
        os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[place]})
