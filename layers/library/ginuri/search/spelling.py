"""Which words may have been meant: those of titles and other names that are one or two edits away.

An edit is a letter too many, missing, or another one, or two neighbours that changed places (Damerau 1964,
https://doi.org/10.1145/363958.363994). One edit leaves the first half of a word as it is, or the second: what
was meant begins as the word does, or ends so, and is in one range of the sorted `words` or in one of the
`endings`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ginuri.search.index import Blocks
from ginuri.search.index_reader import IndexReader
from ginuri.search.line_blocks import blocks_with, length_of
from ginuri.search.publications import ENDINGS, WORDS

SHORTEST_MEANT = 3
"""Characters of a word that another is taken for, at least."""
SHORTEST_TWICE = 6
"""Characters of a word that may have two edits, at least; one with digits has one."""
MOST_READ = 128 * 1024
"""Bytes that are read of each file: where more words begin, or end, alike, more letters have to be right."""
_SURE = 1
"""Letters at the beginning, or at the end, that are right where two edits were made."""


@dataclass(frozen=True, slots=True)
class SimilarWord:
    """A word of the index, how many edits it is away, and how many documents have it."""

    word: str
    edits: int
    count: int


def similar_words(index: IndexReader, word: str) -> list[SimilarWord]:
    """Find the words that may have been meant: the fewest edits first, then those of the most documents.

    At most two reads. Raises RegistryUnavailable.
    """
    most = 2 if len(word) >= SHORTEST_TWICE and word.isalpha() else 1
    # One edit within the first half leaves the other half, and two that change places stand in neither.
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


def edits_between(word: str, other: str, most: int) -> int | None:
    """Count the edits that make a word of another; None if there are more than `most`.

    >>> edits_between("geolgoic", "geologic", 2), edits_between("mpa", "tap", 1)
    (1, None)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(word, 1):
        following = [place]
        for column, another in enumerate(other, 1):
            edits = min(row[column] + 1, following[-1] + 1, row[column - 1] + (letter != another))
            if column > 1 and place > 1 and letter == other[column - 2] and word[place - 2] == another:
                edits = min(edits, before[column - 2] + 1)
            following.append(edits)
        if min(following) > most:
            return None
        before, row = row, following
    return row[-1] if row[-1] <= most else None


def _read(index: IndexReader, file: str, blocks: Blocks, word: str, shared: int) -> set[str]:
    for length in range(shared, len(word) + 1):
        numbers = blocks_with(blocks, word[:length])
        if length_of(blocks, numbers) <= MOST_READ:
            return set(index.lines(file, blocks, word[:length], numbers))
    return set()
