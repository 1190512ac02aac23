"""Finds words of titles and other names that are one or two edits away from a misspelt one.

One edit (`ginuri.identifiers.comparison.edits`) leaves the first or the second half of a word intact: the
correct word has the same beginning or the same ending, and is in one range of the sorted `words` or of the
`endings`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ginuri.identifiers.comparison.edits import edits_between
from ginuri.published.publications import ENDINGS, WORDS
from ginuri.search.index import Blocks
from ginuri.search.index_reader import IndexReader
from ginuri.search.line_blocks import blocks_with, length_of

SHORTEST_MEANT = 3
"""The least characters of a correct word."""
SHORTEST_TWICE = 6
"""The least characters of a word with two edits; a word with digits may have one."""
MOST_READ = 128 * 1024
"""The most bytes to read of each file: if more words share a beginning or ending, it is made longer."""
_SURE = 1
"""The correct letters at the beginning or the end of a word with two edits."""


@dataclass(frozen=True, slots=True)
class SimilarWord:
    """A word of the index, its number of edits, and its number of documents."""

    word: str
    edits: int
    count: int


def similar_words(index: IndexReader, word: str) -> list[SimilarWord]:
    """Find similar words, those with the fewest edits first, then those with the most documents.

    It reads at most twice. Raises RegistryUnavailable.
    """
    most = 2 if len(word) >= SHORTEST_TWICE and word.isalpha() else 1
    # One edit leaves the other half intact; a transposition in the middle leaves both, one letter shorter.
    half = max((len(word) - 1) // 2, 1)
    shared = min(half, _SURE) if most > 1 else half
    rest = shared if most > 1 else max(len(word) - 1 - half, 1)
    directory = index.directory
    lines = _read(index, WORDS, directory.words, word, shared)
    lines |= {
        line[: line.index("\t")][::-1] + line[line.index("\t") :]
        for line in _read(index, ENDINGS, directory.endings, word[::-1], rest)
    }
    found = []
    letters = set(word)
    for line in lines:
        other, _, count = line.partition("\t")
        if other == word or abs(len(other) - len(word)) > most or len(letters.difference(other)) > most:
            continue
        edits = edits_between(word, other, most)
        if edits is not None:
            found.append(SimilarWord(other, edits, int(count)))
    return sorted(found, key=lambda similar: (similar.edits, -similar.count, similar.word))


def _read(index: IndexReader, file: str, blocks: Blocks, word: str, shared: int) -> set[str]:
    for length in range(shared, len(word) + 1):
        numbers = blocks_with(blocks, word[:length])
        if length_of(blocks, numbers) <= MOST_READ:
            return set(index.lines(file, blocks, word[:length], numbers))
    return set()
