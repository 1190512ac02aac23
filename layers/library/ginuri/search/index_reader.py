"""Reads the index of one run in ranges; all reads of its files are in this module."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ginuri.published.publications import DICTIONARY, DOCUMENTS, POSTINGS, Publication, PublishedReader
from ginuri.search.index import BLOCK, Blocks, DictionaryEntry, Directory, read_dictionary
from ginuri.search.line_blocks import blocks_with, length_of, unpack_lines

MOST_COMPLETED = 512 * 1024
"""The most bytes of postings to read for completing the last word."""
_MOST_BLOCKS = 8
"""The most blocks of the dictionary to read for it."""
_MOST_KEPT = 32
"""The most blocks of identifiers in memory, about 20 kB each: whole titles and results share them."""

Mapper = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


class IndexReader:
    """Reads the index of a run; its methods raise RegistryUnavailable."""

    def __init__(
        self, reader: PublishedReader, publication: Publication, directory: Directory, mapper: Mapper = map
    ) -> None:
        self.publication = publication
        self.directory = directory
        self._reader = reader
        self._mapper = mapper
        self._blocks: dict[int, list[str]] = {}

    def entries(self, word: str) -> list[DictionaryEntry]:
        """Return the entry of a word; an empty list if no document has it."""
        place = bisect_right(self.directory.dictionary.firsts, word) - 1
        return [entry for entry in self._dictionary_block(place) if entry.word == word]

    def completions(self, word: str) -> list[DictionaryEntry] | None:
        """Return all words with this prefix; None if there are too many."""
        place = max(bisect_left(self.directory.dictionary.firsts, word) - 1, 0)
        completions: list[DictionaryEntry] = []
        length = 0
        for number in range(place, place + _MOST_BLOCKS):
            for entry in self._dictionary_block(number):
                if entry.word.startswith(word):
                    completions.append(entry)
                    length += entry.length
                elif entry.word > word:
                    return completions
            if length > MOST_COMPLETED:
                return None
            if number + 1 >= len(self.directory.dictionary.firsts):
                return completions
        return None

    def postings(self, offset: int, length: int) -> bytes:
        """Read adjacent postings."""
        return self._reader.read_range(self.publication.key(POSTINGS), offset, length)

    def bounds(self, under: str) -> tuple[int, int]:
        """Return the numbers of the first document under a prefix and of the first after it."""
        if not under:
            return 0, len(self.directory.documents.firsts) * BLOCK
        # Identifiers are ASCII, so all names with the prefix sort before the prefix followed by DEL.
        return self._place(under), self._place(f"{under}\x7f")

    def names(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Return the identifiers of documents."""
        blocks = list(dict.fromkeys(number // BLOCK for number in numbers))
        read = self._mapper(self._document_block, blocks)
        names: Mapping[int, list[str]] = dict(zip(blocks, read, strict=True))
        return tuple(names[number // BLOCK][number % BLOCK] for number in numbers)

    def numbers(self, names: Sequence[str]) -> list[int]:
        """Return the numbers of the documents with these identifiers, one read a block."""
        firsts = self.directory.documents.firsts
        numbers = {name: bisect_right(firsts, name) - 1 for name in names}
        blocks = list(dict.fromkeys(numbers.values()))
        read = dict(zip(blocks, self._mapper(self._document_block, blocks), strict=True))
        return [block * BLOCK + bisect_left(read[block], name) for name, block in numbers.items()]

    def names_with(self, beginning: str, most: int) -> list[str]:
        """Return the first identifiers with this prefix, with at most one read."""
        blocks = self.directory.documents
        numbers = blocks_with(blocks, beginning)[:2]
        if not numbers:
            return []
        # Names in the first of two blocks may continue in the second.
        offset, length = blocks.offsets[numbers.start], length_of(blocks, numbers)
        written = self._reader.read_range(self.publication.key(DOCUMENTS), offset, length)
        first = blocks.offsets[numbers.start + 1] - offset
        names = [*written[:first].decode().split("\n"), *written[first:].decode().split("\n")]
        return [name for name in names if name and name.startswith(beginning)][:most]

    def lines(self, file: str, blocks: Blocks, beginning: str, numbers: range) -> list[str]:
        """Return the lines with this prefix from adjacent blocks of a file, with at most one read."""
        if not numbers:
            return []
        offset, length = blocks.offsets[numbers.start], length_of(blocks, numbers)
        written = self._reader.read_range(self.publication.key(file), offset, length)
        return list(unpack_lines(written, blocks, numbers, beginning))

    def _dictionary_block(self, number: int) -> Iterable[DictionaryEntry]:
        offsets = self.directory.dictionary.offsets
        if not 0 <= number < len(self.directory.dictionary.firsts):
            return ()
        first, length = offsets[number], offsets[number + 1] - offsets[number]
        return read_dictionary(self._reader.read_range(self.publication.key(DICTIONARY), first, length))

    def _place(self, name: str) -> int:
        block = bisect_right(self.directory.documents.firsts, name) - 1
        if block < 0:
            return 0
        return block * BLOCK + bisect_left(self._document_block(block), name)

    def _document_block(self, number: int) -> list[str]:
        names = self._blocks.get(number)
        if names is None:
            first, end = self.directory.documents.offsets[number : number + 2]
            written = self._reader.read_range(self.publication.key(DOCUMENTS), first, end - first)
            names = written.decode().split("\n")
            if len(self._blocks) >= _MOST_KEPT:
                self._blocks = {}
            self._blocks[number] = names
        return names
