"""The machine that figures were taken on."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

_MODEL = re.compile(r"^model name\s*:\s*(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine and software that figures depend on."""

    processor: str
    cores: int
    system: str
    python: str
    botocore: str


def describe_machine() -> Machine:
    """Describe this machine."""
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        botocore=version("botocore"),
    )


def _processor() -> str:
    cpu_info = Path("/proc/cpuinfo")  # Linux; elsewhere the platform module knows as much as there is to know
    found = _MODEL.search(cpu_info.read_text(encoding="utf-8")) if cpu_info.exists() else None
    return found[1] if found else platform.processor() or "unknown"
