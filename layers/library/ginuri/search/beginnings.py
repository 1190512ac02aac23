"""What is suggested while a text is typed: titles that go on with it from one of their words."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from ginuri.registry.model import Registered
from ginuri.search.index_reader import IndexReader
from ginuri.search.line_blocks import blocks_with
from ginuri.search.publications import BEGINNINGS
from ginuri.search.words import words_of

MOST_SUGGESTED = 8
"""The limit for suggestions."""
MOST_CANDIDATES = 16
"""How many records are looked up for them: some may have changed, or been withheld, since the last run."""
LONGEST_BEGINNING = 40
"""Characters of a title, from a word on, that are indexed; records are compared with all that was typed."""
MOST_BEGINNINGS = 8
"""From how many words of a title it is found; short ones count only at its beginning."""
_SHORTEST_WORD = 3
_MOST_BLOCKS = 2
_TITLE, _WITHIN, _NAME = "0", "1", "2"
"""Where a text begins: with a title, within one, with the last segment of an identifier; in this order."""


def beginnings_of(record: Registered) -> Iterator[str]:
    """Yield the lines by which a record is suggested: the text, where it begins, and the identifier."""
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
    """Return the identifiers of what is to be suggested for words, the best first, with one read at most.

    Of more than the read shows, those that come first in the order of letters. Raises RegistryUnavailable.
    """
    beginning = _cut(words_of(text))
    if not beginning:
        return []
    blocks = index.directory.beginnings
    lines = index.lines(BEGINNINGS, blocks, beginning, blocks_with(blocks, beginning)[:_MOST_BLOCKS])
    found = sorted((line.split("\t") for line in lines), key=lambda fields: (fields[1], fields[0]))
    return list(dict.fromkeys(identifier for _, _, identifier in found))[:MOST_CANDIDATES]


def is_begun(record: Registered, title: str, text: str) -> bool:
    """Return whether a title, or the last segment of the identifier, goes on with a text from a word on."""
    typed = " ".join(words_of(text))
    segment = unquote(record.identifier).rstrip("/").rpartition("/")[2]
    return any(f" {typed}" in f" {' '.join(words_of(own))}" for own in (title, segment))


def _cut(words: list[str]) -> str:
    return " ".join(words)[:LONGEST_BEGINNING]
