"""Blocks of code in the documentation: files to write, commands to run, and Python to try.

A block with a file name as its title (```csv title="wells.csv"```) is that file. In ```console``` each line
that begins with `$ ` is a command, and the next lines are its output: `…` stands for any text within a line,
a line `…` for any lines. Without output, the command has to succeed. Another title is the reason why a block
is not run (SKIPPED).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r'^(?P<indent> *)```(?P<language>\w*)(?: +title="(?P<title>[^"]+)")?\n(?P<body>.*?)^(?P=indent)```$',
    re.MULTILINE | re.DOTALL,
)
SKIPPED = (
    "needs AWS",
    "runs until it is stopped",
    "asks on a terminal",
    "needs your own data",
    "takes minutes",
    "runs in a test of its own",
)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page, and the line that its content begins on."""

    page: Path
    line: int
    language: str
    title: str
    body: str

    @property
    def is_file(self) -> bool:
        """Whether it is the content of a file."""
        return bool(self.title) and self.language != "console"

    @property
    def is_session(self) -> bool:
        """Whether it has commands to run."""
        return self.language == "console" and not self.title


@dataclass(frozen=True, slots=True)
class Command:
    """A command and the lines that it prints."""

    line: int
    text: str
    printed: tuple[str, ...]


def read_blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        width = len(found["indent"])
        body = "".join(f"{line[width:]}\n" for line in found["body"].splitlines())
        line = text.count("\n", 0, found.start("body")) + 1
        yield Block(page, line, found["language"], found["title"] or "", body)


def read_commands(block: Block) -> list[Command]:
    """Return the commands of a block; a backslash at the end continues a command in the next line."""
    commands: list[tuple[int, str, list[str]]] = []
    goes_on = False
    for number, line in enumerate(block.body.splitlines(), block.line):
        if goes_on:
            start, text, printed = commands[-1]
            commands[-1] = (start, f"{text}\n{line}", printed)
        elif line.startswith("$ "):
            commands.append((number, line[2:], []))
        elif commands:
            commands[-1][2].append(line)
        goes_on = line.endswith("\\") and (goes_on or line.startswith("$ "))
    return [Command(line, text, tuple(printed)) for line, text, printed in commands]


def is_like(printed: list[str], expected: list[str]) -> bool:
    """Whether lines equal those of the page, in which `…` stands for anything."""
    pattern = "".join(
        r"(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
        for line in expected
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None
