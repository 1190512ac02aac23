"""The log of a function in a file, optionally copied to stderr."""

import sys
from pathlib import Path


class LogFile:
    """The lines of one function since its stack was started."""

    def __init__(self, path: Path, label: str, *, shown: bool) -> None:
        self.path = path
        self._label = label
        self._shown = shown
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")

    def write(self, line: str) -> None:
        """Add a line, or several at once."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        if self._shown:
            for text in line.splitlines():
                print(f"{self._label}: {text}", file=sys.stderr, flush=True)

    def lines(self) -> list[str]:
        """Return all lines so far."""
        return self.path.read_text(encoding="utf-8").splitlines()
