"""Writes sorted lines in compressed blocks (`ginuri.search.line_blocks`)."""

from __future__ import annotations

from pathlib import Path

from ginuri.publishing.files import FileWriter
from ginuri.search.index import Blocks
from ginuri.search.line_blocks import LINE_BLOCK, pack_lines, separate


class LineWriter:
    """Writes lines in order, at most `most` with the same text before the first tab."""

    def __init__(self, folder: Path, name: str, blocks: Blocks, most: int | None = None) -> None:
        self._file = FileWriter(folder, name)
        self._blocks = blocks
        self._most = most
        self._lines: list[str] = []
        self._length = 0
        self._last = ""
        self._text = ""
        self._alike = 0

    def add(self, line: str) -> None:
        """Add a line without a line break."""
        before, self._text = self._text, line.partition("\t")[0]
        self._alike = self._alike + 1 if self._text == before else 1
        if self._most is not None and self._alike > self._most:
            return
        self._lines.append(line)
        self._length += len(line)
        self._file.lines += 1
        if self._length >= LINE_BLOCK:
            self._end_block()

    def finish(self) -> FileWriter:
        """Write the last block, and return the file."""
        self._end_block()
        return self._file

    def _end_block(self) -> None:
        if self._lines:
            written = pack_lines(self._lines)
            self._file.write(written)
            self._blocks.add(separate(self._last, self._lines[0]), len(written))
            self._last = self._lines[-1]
            self._lines, self._length = [], 0
