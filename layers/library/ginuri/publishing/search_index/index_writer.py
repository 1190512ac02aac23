"""Writes the search index (`ginuri.search.index`): one segment at a time in memory, then merged."""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO
from urllib.parse import unquote

from ginuri.files.lines import sort_lines
from ginuri.published.publications import (
    BEGINNINGS,
    DICTIONARY,
    DIRECTORY,
    DOCUMENTS,
    ENDINGS,
    POSTINGS,
    WORDS,
    PublishedFile,
    PublishedStore,
)
from ginuri.publishing.files import FileWriter
from ginuri.publishing.search_index.line_writer import LineWriter
from ginuri.registry.model import Host, NameAuthority, Registered, ResourceType
from ginuri.registry.statuses import STATUSES
from ginuri.search.beginnings import beginnings_of
from ginuri.search.index import (
    BLOCK,
    DICTIONARY_BLOCK,
    EVERYTHING,
    IDENTIFIER_MARKS,
    POSTING,
    SEGMENT,
    Blocks,
    DictionaryEntry,
    Directory,
    FieldWeight,
    PostingWriter,
    Ranges,
    marks_of,
    write_directory,
    write_entry,
)
from ginuri.search.spelling import SHORTEST_MEANT
from ginuri.search.words import words_of

MOST_WORDS = 200
"""The most different words of a record to index, those of its titles first."""
MOST_ALIKE = 32
"""The most lines of beginnings with the same text; more are never shown together."""
_MOST_SORTED = 24 * 1024 * 1024
"""The most characters in memory while lines are sorted: short lines have as much overhead."""
_BINARY = "application/octet-stream"
_Piece = tuple[str, int, bytes]
"""A word, a segment, the postings."""


def words_to_index(record: Registered) -> Mapping[str, FieldWeight]:
    """Return the words a record is found by, each with its best place."""
    found: dict[str, FieldWeight] = {}
    others = [
        text
        for name, stated in record.properties.items()
        if name.partition("@")[0] == "alternative"
        for text in ([stated] if isinstance(stated, str) else stated)
    ]
    for where, texts in (
        (FieldWeight.TITLE, record.titles.values()),
        (FieldWeight.OTHER_NAME, others),
        (FieldWeight.IDENTIFIER, [unquote(record.identifier)]),
    ):
        for text in texts:
            for word in words_of(text):
                if word not in found and len(found) < MOST_WORDS:
                    found[word] = where
    return found


class IndexWriter:
    """Indexes records in the order of their identifiers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pieces: list[IO[bytes]] = []
        self._words: dict[str, PostingWriter] = {}
        self._count = 0
        self._block: list[str] = []
        self._documents = FileWriter(folder, DOCUMENTS)
        self._beginnings = tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n", dir=folder)  # noqa: SIM115  it is read by finish()
        self._above: list[tuple[str, int, Ranges]] = []
        self._directory = Directory()

    def add(self, record: Registered) -> None:
        """Add a record."""
        place, marks = self._count % SEGMENT, marks_of(record)
        for word, where in {EVERYTHING: FieldWeight.IDENTIFIER, **words_to_index(record)}.items():
            writer = self._words.get(word)
            if writer is None:
                writer = self._words[word] = PostingWriter()
            writer.add(place, marks | where)
        if not STATUSES[record.status].is_hidden:
            self._beginnings.writelines(f"{line}\n" for line in beginnings_of(record))
        self._add_ranges(record)
        self._block.append(record.identifier)
        self._count += 1
        if self._count % BLOCK == 0:
            self._end_block()
        if self._count % SEGMENT == 0:
            self._end_segment()

    def finish(self, store: PublishedStore, run: str) -> dict[str, PublishedFile]:
        """Store the index. Raises RegistryUnavailable."""
        self._end_block()
        self._end_segment()
        self._end_ranges("\U0010ffff")
        dictionary, postings = FileWriter(self._folder, DICTIONARY), FileWriter(self._folder, POSTINGS)
        words = LineWriter(self._folder, WORDS, self._directory.words)
        with ExitStack() as open_files:
            pieces = [_read(open_files.enter_context(piece)) for piece in self._pieces]
            endings = open_files.enter_context(
                tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n", dir=self._folder)
            )
            for word, count in self._merge(heapq.merge(*pieces), dictionary, postings):
                words.add(f"{word}\t{count}")
                endings.write(f"{word[::-1]}\t{count}\n")
            sorted_lines = (
                self._sort(endings, LineWriter(self._folder, ENDINGS, self._directory.endings)),
                self._sort(
                    open_files.enter_context(self._beginnings),
                    LineWriter(self._folder, BEGINNINGS, self._directory.beginnings, most=MOST_ALIKE),
                ),
            )
        line_files = [lines.finish() for lines in (words, *sorted_lines)]
        directory = FileWriter(self._folder, DIRECTORY.removesuffix(".gz"))
        directory.name = DIRECTORY
        directory.write(write_directory(self._directory))
        return {
            file.name: file.finish(store, run, _BINARY)
            for file in (self._documents, dictionary, postings, *line_files, directory)
        }

    def _sort(self, lines: IO[str], writer: LineWriter) -> LineWriter:
        lines.seek(0)
        for line in sort_lines((line[:-1] for line in lines), self._folder, _MOST_SORTED):
            writer.add(line)
        return writer

    def _add_ranges(self, record: Registered) -> None:
        self._end_ranges(record.identifier)
        if isinstance(record, NameAuthority | Host):
            self._above.append((record.identifier, self._count, self._directory.authorities))
        elif isinstance(record, ResourceType):
            self._above.append((record.identifier, self._count, self._directory.types))

    def _end_ranges(self, identifier: str) -> None:
        # Records under an identifier follow it, so the innermost range ends first.
        while self._above and not identifier.startswith(self._above[-1][0]):
            name, first, ranges = self._above.pop()
            ranges.add(name, first, self._count)

    def _end_block(self) -> None:
        if self._block:
            written = "\n".join(self._block).encode()
            self._documents.write(written)
            self._directory.documents.add(self._block[0], len(written))
            self._documents.lines += len(self._block)
            self._block = []

    def _end_segment(self) -> None:
        if not self._words:
            return
        segment = (self._count - 1) // SEGMENT
        piece = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115  it is merged later
        for word in sorted(self._words):
            written = self._words[word].write()
            piece.write(f"{word}\t{segment}\t{len(written)}\n".encode())
            piece.write(written)
        piece.seek(0)
        self._pieces.append(piece)
        self._words = {}

    def _merge(
        self, pieces: Iterator[_Piece], dictionary: FileWriter, postings: FileWriter
    ) -> Iterator[tuple[str, int]]:
        """Write both files, and yield the words of titles and other names with their number of documents."""
        block, first = bytearray(), ""
        for word, found in groupby(pieces, key=itemgetter(0)):
            offset = postings.length
            segments, lengths, titled = [], [], 0
            for _, segment, written in found:
                postings.write(written)
                segments.append(segment)
                lengths.append(len(written))
                places = len(written) // POSTING * (POSTING - 1)
                titled += len(written[places:].translate(None, IDENTIFIER_MARKS))
            if titled and len(word) >= SHORTEST_MEANT:
                yield word, titled
            first = first or word
            block += write_entry(DictionaryEntry(word, offset, tuple(segments), tuple(lengths)))
            dictionary.lines += 1
            if len(block) >= DICTIONARY_BLOCK:
                _end(block, first, dictionary, self._directory.dictionary)
                block, first = bytearray(), ""
        if block:
            _end(block, first, dictionary, self._directory.dictionary)


def _end(block: bytearray, first: str, dictionary: FileWriter, blocks: Blocks) -> None:
    dictionary.write(bytes(block))
    blocks.add(first, len(block))


def _read(piece: IO[bytes]) -> Iterator[_Piece]:
    for line in iter(piece.readline, b""):
        word, segment, length = line.decode().rstrip("\n").split("\t")
        yield word, int(segment), piece.read(int(length))
