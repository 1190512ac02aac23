"""The machine that ran a measurement."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
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


_VERSIONS = """
import platform, importlib.metadata
print(platform.python_implementation(), platform.python_version())
print(importlib.metadata.version("botocore"))
"""


def describe_machine(python: str = sys.executable) -> Machine:
    """Describe this machine, and the packages of `python`. Raises CalledProcessError if it lacks botocore."""
    asked = subprocess.run([python, "-c", _VERSIONS], check=True, text=True, stdout=subprocess.PIPE)  # noqa: S603  our own interpreter
    python_version, botocore_version = asked.stdout.splitlines()
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=python_version,
        botocore=botocore_version,
    )


def _processor() -> str:
    cpu_info = Path("/proc/cpuinfo")  # Linux; on other systems the platform module is the best source
    found = _MODEL.search(cpu_info.read_text(encoding="utf-8")) if cpu_info.exists() else None
    return found[1] if found else platform.processor() or "unknown"
