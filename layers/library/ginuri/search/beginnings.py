"""Suggestions while typing: titles with a word at which the typed text begins."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from ginuri.published.publications import BEGINNINGS
from ginuri.registry.model import Registered
from ginuri.search.index_reader import IndexReader
from ginuri.search.line_blocks import blocks_with
from ginuri.search.words import words_of

MOST_SUGGESTED = 8
"""The most suggestions."""
MOST_CANDIDATES = 16
"""The most records read for suggestions: some may have changed since the last run."""
LONGEST_BEGINNING = 40
"""The indexed characters of a title from a word on; the read records are compared with the whole text."""
MOST_BEGINNINGS = 8
"""The most words of a title from which it is found; a short word counts only at its beginning."""
MOST_WHOLE = 20
"""The most results that come first because the text is their whole title."""
_SHORTEST_WORD = 3
_MOST_BLOCKS = 2
_TITLE, _WITHIN, _NAME = "0", "1", "2"
"""The place where a text begins, best first: at a title, within one, at the last segment of an identifier."""


def beginnings_of(record: Registered) -> Iterator[str]:
    """Yield the index lines of a record for suggestions: the text, its place, and the identifier."""
    for title in record.titles.values():
        words = words_of(title)
        places = [place for place, word in enumerate(words) if not place or len(word) >= _SHORTEST_WORD]
        for place in places[:MOST_BEGINNINGS]:
            text = _cut(words[place:])
            yield f"{text}\t{_WITHIN if place else _TITLE}\t{record.identifier}"
    segment = unquote(record.identifier).rstrip("/").rpartition("/")[2]
    if name := words_of(segment):
        yield f"{_cut(name)}\t{_NAME}\t{record.identifier}"


def titles_with(index: IndexReader, text: str) -> list[str]:
    """Return the identifiers to suggest for a text, the best first, with at most one read.

    If the read does not cover all of them, the alphabetically first count. Raises RegistryUnavailable.
    """
    beginning = _cut(words_of(text))
    if not beginning:
        return []
    blocks = index.directory.beginnings
    lines = index.lines(BEGINNINGS, blocks, beginning, blocks_with(blocks, beginning)[:_MOST_BLOCKS])
    found = sorted((line.split("\t") for line in lines), key=lambda fields: (fields[1], fields[0]))
    return list(dict.fromkeys(identifier for _, _, identifier in found))[:MOST_CANDIDATES]


def whole_titles(index: IndexReader, words: list[str]) -> list[str]:
    """Return identifiers with these words as a title, in order, at most `MOST_WHOLE`, with at most one read.

    Only the indexed characters of longer titles are compared. Raises RegistryUnavailable.
    """
    begun = f"{_cut(words)}\t{_TITLE}\t"
    blocks = index.directory.beginnings
    lines = index.lines(BEGINNINGS, blocks, begun, blocks_with(blocks, begun)[:_MOST_BLOCKS])
    return sorted(line.removeprefix(begun) for line in lines)[:MOST_WHOLE]


def is_begun(record: Registered, title: str, text: str) -> bool:
    """Return whether a text begins at a word of the title or of the identifier's last segment."""
    typed = " ".join(words_of(text))
    segment = unquote(record.identifier).rstrip("/").rpartition("/")[2]
    return any(f" {typed}" in f" {' '.join(words_of(own))}" for own in (title, segment))


def _cut(words: list[str]) -> str:
    return " ".join(words)[:LONGEST_BEGINNING]
