"""Commands in separate processes, with the packages of their extra only, on drawn files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, TemporaryFile

from infra.attack.drawn.files import HostileFile, draw_files
from infra.attack.drawn.workbooks import write_workbook
from infra.attack.processes.installed import PEAK
from infra.attack.targets.hostile_registry import FOLDER
from infra.attack.targets.stores import write_lines
from infra.attack.trials import Fault, Trial, trial
from infra.local import ROOT

MOST_MEMORY = 180 * 1024 * 1024
"""The bytes of memory that a command may use for a small file."""
_UNPACKED_BYTES = 100 * 1024 * 1024
_SOURCES = os.pathsep.join(map(str, (ROOT, ROOT / "layers" / "library")))
_UNDER = ("--under", FOLDER)
_ANSWERED = frozenset({0, 1, 2})
_VALIDATED = ("table.csv", "table.csv.gz", "two-sheets.xlsx", "texts.jsonl", "deep.jsonl", "concepts.ttl")


@dataclass(frozen=True)
class Run:
    """The result of a command."""

    code: int
    shown: str
    memory: int
    """The peak of its memory, in bytes."""


class Commands:
    """The kind."""

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Run some commands."""
        with TemporaryDirectory() as name:
            folder = Path(name)
            for extra, arguments in _draw(chance, folder):
                ended = run(extra, arguments, folder)
                yield trial(f"ginuri[{extra}] {' '.join(arguments)}", judge(ended, extra))
            yield trial("ginuri repair dotted.jsonl", _dotted_names(folder))


def _draw(chance: Random, folder: Path) -> Iterator[tuple[str, Sequence[str]]]:
    files = [file for file in draw_files(chance) if file.name in _VALIDATED]
    for file in (*chance.sample(files, 2), _large_workbook()):
        (folder / file.name).write_bytes(file.body)
        yield "cli", ("validate", file.name, *_UNDER)
        repaired = f"repaired-{file.name}"
        if not file.name.endswith(".ttl"):
            yield "cli", ("repair", file.name, *_UNDER, "--yes", "--output", repaired)
    name = f"{FOLDER}doc/{chance.randrange(9)}"
    yield chance.choice(("cli", "none")), ("parse", name)
    yield "cli", ("compare", name, f"http://ids.example.org/{name}/")


@cache
def _large_workbook() -> HostileFile:
    rows = [["identifier", "location"], [f"{FOLDER}doc/1", "www.example.org/1"]]
    picture = {"xl/media/image1.bmp": "0" * _UNPACKED_BYTES}
    return HostileFile("picture.xlsx", write_workbook({"Wells": rows}, picture))


def run(extra: str, arguments: Sequence[str], folder: Path) -> Run:
    """Run the command to its end."""
    command = [sys.executable, "-m", "infra.attack.processes.installed", extra, *arguments]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": _SOURCES, "LANGUAGE": "en"}
    with TemporaryFile() as shown:
        process = subprocess.Popen(  # noqa: S603  our own module
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=shown, stderr=shown
        )
        code = process.wait()
        shown.seek(0)
        peak = (folder / PEAK).read_text(encoding="ascii")
        return Run(code, shown.read().decode(errors="replace"), int(peak))


def judge(ended: Run, extra: str) -> Iterator[Fault]:
    """Yield the faults in the result of a command."""
    last = ended.shown.strip().rpartition("\n")[2]
    if ended.code not in _ANSWERED or "Traceback" in ended.shown:
        yield Fault("commands-run", f"{ended.code} {last}"[:300])
    elif extra != "none" and "pip install" in ended.shown:
        yield Fault("commands-run", f"ginuri[{extra}] lacks something: {last}"[:300])
    if ended.memory > MOST_MEMORY:
        yield Fault("memory-is-bounded", f"{ended.memory:,} bytes")


def _dotted_names(folder: Path) -> Iterator[Fault]:
    """Repair a line that has a member `web.url` beside a member `url` of `web`."""
    line = {"identifier": f"{FOLDER}doc/1", "title": "W", "web": {"url": "x"}, "web.url": "www.example.org"}
    (folder / "dotted.jsonl").write_bytes(write_lines([line]))
    arguments = (
        "repair",
        "dotted.jsonl",
        *_UNDER,
        "--map",
        "location=web.url",
        "--yes",
        "--output",
        "new.jsonl",
    )
    run("cli", arguments, folder)
    written = folder / "new.jsonl"
    if written.exists() and b'"url": "x"' not in written.read_bytes():
        yield Fault("repairs-change-their-cells-only", written.read_text(encoding="utf-8")[:200])
