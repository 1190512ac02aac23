"""Searching the published index: a few ranges of its files, whatever the size of the registry."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ginuri.registry.model import RecordType, Registered, Status
from ginuri.search.index import (
    BLOCK,
    SEGMENT,
    DictionaryEntry,
    Directory,
    Postings,
    read_dictionary,
    read_directory,
    read_postings,
    status_of,
    type_of,
    weight_of,
)
from ginuri.search.publications import DICTIONARY, DIRECTORY, DOCUMENTS, POSTINGS, Publication, Publications
from ginuri.search.words import words_of

MOST_WORDS = 10
"""The limit for the words of a query."""
MOST_MATCHES = 10_000
"""The limit for matches; the search ends there, in the order of identifiers."""
MOST_COMPLETED = 512 * 1024
"""Bytes of postings that are read to complete the last word."""
_MOST_BLOCKS = 8
"""Blocks of the dictionary that are read for it."""
_BISECTED = 16
"""How many times as many postings there are when looking some up is less than reading all."""
_FIRST_GROUP = 4
"""Segments whose postings are read at first; each time after that twice as many."""

Mapper = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is searched for."""

    text: str
    under: str = ""
    """What the identifiers begin with."""
    record_type: RecordType | None = None
    status: Status | None = None
    is_completed: bool = True
    """Whether the last word may be the beginning of one."""


@dataclass(frozen=True, slots=True)
class SearchMatches:
    """What was found, the best first: all words in the title, then in titles and other names, then the rest.

    Of equals, that whose identifier comes first.
    """

    indexed_at: str
    """When the index was written."""
    names: tuple[str, ...]
    """The identifiers on the page."""
    total: int
    is_cut: bool = False
    """Whether there may be more than `total`."""
    is_completed: bool = True
    """False where too many words begin as the last one does, so that only it was looked for."""


class _Word:
    """The postings of a word, or of all words that begin with one, segment by segment."""

    def __init__(self, entries: Sequence[DictionaryEntry], loaded: tuple[int, bytes] | None = None) -> None:
        self.places: dict[int, list[tuple[int, int]]] = {}
        for entry in entries:
            offset = entry.offset
            for segment, length in zip(entry.segments, entry.lengths, strict=True):
                self.places.setdefault(segment, []).append((offset, length))
                offset += length
        self.length = sum(entry.length for entry in entries)
        self._is_loaded = loaded is not None
        self._begin, self._bytes = loaded or (0, b"")

    def load(self, segments: Sequence[int], read: Callable[[int, int], bytes]) -> None:
        """Read the postings of some segments, which are in order, with one call."""
        if not self._is_loaded:
            end = sum(self.places[segments[-1]][-1])
            self._begin = self.places[segments[0]][0][0]
            self._bytes = read(self._begin, end - self._begin)

    def postings(self, segment: int) -> list[Postings]:
        """Return the postings in a segment that was loaded, of each word that is meant."""
        return [
            read_postings(self._bytes[offset - self._begin : offset - self._begin + length])
            for offset, length in self.places[segment]
        ]


class Searcher:
    """Searches the current run; `mapper` may read several blocks at once, in order."""

    def __init__(self, publications: Publications, mapper: Mapper = map) -> None:
        self._publications = publications
        self._reader = publications.reader
        self._mapper = mapper
        self._current: tuple[str, Directory] | None = None

    def search(self, question: SearchQuery, first: int = 0, most: int = 20) -> SearchMatches | None:
        """Search, and return a page of matches; None before the first run.

        Raises RegistryUnavailable.
        """
        publication = self._publications.current()
        if publication is None:
            return None
        directory = self._directory(publication)
        typed = words_of(question.text)
        wanted = list(dict.fromkeys(typed))[:MOST_WORDS]
        # The last word may not have been typed to its end, unless it was typed before as well.
        is_repeated = bool(typed) and typed[-1] in typed[:-1]
        completes = question.is_completed and not is_repeated
        words, is_completed = self._words(wanted, publication, directory, is_completed=completes)
        is_completed |= question.is_completed and is_repeated
        found: list[tuple[int, int]] = []
        is_cut = False
        if words and all(word.places for word in words):
            bounds = self._bounds(question.under, publication, directory)
            for match in self._matches(words, bounds, publication):
                if _fits(match[1], question):
                    found.append(match)
                if len(found) == MOST_MATCHES:
                    is_cut = True
                    break
        found.sort(key=lambda match: -weight_of(match[1]))
        numbers = [number for number, _ in found[first : first + most]]
        names = self._names(numbers, publication, directory)
        return SearchMatches(publication.made, names, len(found), is_cut, is_completed)

    def _directory(self, publication: Publication) -> Directory:
        if self._current is None or self._current[0] != publication.run:
            name = publication.key(DIRECTORY)
            length = publication.files[DIRECTORY].length
            self._current = (publication.run, read_directory(self._reader.read_range(name, 0, length)))
        return self._current[1]

    def _words(
        self, wanted: Sequence[str], publication: Publication, directory: Directory, *, is_completed: bool
    ) -> tuple[list[_Word], bool]:
        exact = wanted[:-1] if is_completed else wanted
        words = [_Word(self._entries(word, publication, directory)) for word in exact]
        if wanted and is_completed:
            entries = self._completions(wanted[-1], publication, directory)
            if entries:
                begin = entries[0].offset
                length = entries[-1].offset + entries[-1].length - begin
                loaded = self._reader.read_range(publication.key(POSTINGS), begin, length)
                words.append(_Word(entries, (begin, loaded)))
            else:
                words.append(_Word(self._entries(wanted[-1], publication, directory)))
                is_completed = entries is not None
        return sorted(words, key=lambda word: word.length), is_completed or not wanted

    def _entries(self, word: str, publication: Publication, directory: Directory) -> list[DictionaryEntry]:
        place = bisect_right(directory.dictionary.firsts, word) - 1
        block = self._dictionary_block(place, publication, directory)
        return [entry for entry in block if entry.word == word]

    def _completions(
        self, word: str, publication: Publication, directory: Directory
    ) -> list[DictionaryEntry] | None:
        """Return all words with this beginning; None if there are too many."""
        place = max(bisect_left(directory.dictionary.firsts, word) - 1, 0)
        completions: list[DictionaryEntry] = []
        length = 0
        for number in range(place, place + _MOST_BLOCKS):
            for entry in self._dictionary_block(number, publication, directory):
                if entry.word.startswith(word):
                    completions.append(entry)
                    length += entry.length
                elif entry.word > word:
                    return completions
            if length > MOST_COMPLETED:
                return None
            if number + 1 >= len(directory.dictionary.firsts):
                return completions
        return None

    def _dictionary_block(
        self, number: int, publication: Publication, directory: Directory
    ) -> Iterable[DictionaryEntry]:
        offsets = directory.dictionary.offsets
        if not 0 <= number < len(directory.dictionary.firsts):
            return ()
        first, length = offsets[number], offsets[number + 1] - offsets[number]
        return read_dictionary(self._reader.read_range(publication.key(DICTIONARY), first, length))

    def _bounds(self, under: str, publication: Publication, directory: Directory) -> tuple[int, int]:
        """Return the numbers of the first document under a prefix and of the first after it."""
        if not under:
            return 0, len(directory.documents.firsts) * BLOCK
        # Identifiers are ASCII, so that what begins with the prefix comes before it with a DEL behind.
        first, last = (self._place(bound, publication, directory) for bound in (under, f"{under}\x7f"))
        return first, last

    def _place(self, name: str, publication: Publication, directory: Directory) -> int:
        block = bisect_right(directory.documents.firsts, name) - 1
        if block < 0:
            return 0
        return block * BLOCK + bisect_left(self._document_block(block, publication, directory), name)

    def _document_block(self, number: int, publication: Publication, directory: Directory) -> list[str]:
        first, end = directory.documents.offsets[number : number + 2]
        return self._reader.read_range(publication.key(DOCUMENTS), first, end - first).decode().split("\n")

    def _names(
        self, numbers: Sequence[int], publication: Publication, directory: Directory
    ) -> tuple[str, ...]:
        blocks = list(dict.fromkeys(number // BLOCK for number in numbers))
        read = self._mapper(lambda block: self._document_block(block, publication, directory), blocks)
        names: Mapping[int, list[str]] = dict(zip(blocks, read, strict=True))
        return tuple(names[number // BLOCK][number % BLOCK] for number in numbers)

    def _matches(
        self, words: Sequence[_Word], bounds: tuple[int, int], publication: Publication
    ) -> Iterator[tuple[int, int]]:
        """Yield the documents with all words, in order, each with its lowest marks."""
        first, end = bounds
        common = set.intersection(*(set(word.places) for word in words))
        segments = sorted(
            segment for segment in common if first // SEGMENT <= segment <= (end - 1) // SEGMENT
        )
        key = publication.key(POSTINGS)
        for begin, after in pairwise(_group(len(segments))):
            group = segments[begin:after]
            for word in words:
                word.load(group, lambda offset, length: self._reader.read_range(key, offset, length))
            for segment in group:
                base = segment * SEGMENT
                for place, marks in _intersect([word.postings(segment) for word in words]).items():
                    if first <= base + place < end:
                        yield base + place, marks


def _group(length: int) -> Iterator[int]:
    at, size = 0, _FIRST_GROUP
    yield 0
    while at < length:
        at, size = min(at + size, length), size * 2
        yield at


def _intersect(words: Sequence[list[Postings]]) -> dict[int, int]:
    """Return the documents with all words, in order, each with its lowest marks."""
    found = _unite(words[0])
    for postings in words[1:]:
        if len(found) * _BISECTED < sum(len(word_postings.places) for word_postings in postings):
            others = {place: marks for place in found if (marks := _marks(postings, place)) is not None}
        else:
            others = _unite(postings)
        # Status and type are those of the document: only where the word stands makes one less.
        found = {place: min(marks, others[place]) for place, marks in found.items() if place in others}
    return found


def _unite(postings: list[Postings]) -> dict[int, int]:
    if len(postings) == 1:
        return postings[0].all()
    merged: dict[int, int] = {}
    for word_postings in postings:
        for place, marks in word_postings.all().items():
            merged[place] = max(marks, merged.get(place, 0))
    return dict(sorted(merged.items()))


def _marks(postings: list[Postings], place: int) -> int | None:
    found = [marks for word_postings in postings if (marks := word_postings.of(place)) is not None]
    return max(found, default=None)


def _fits(marks: int, question: SearchQuery) -> bool:
    return (question.status is None or status_of(marks) is question.status) and (
        question.record_type is None or type_of(marks) is question.record_type
    )


def all_in_title(record: Registered, text: str) -> bool:
    """Return whether a title of a record has all words of a text."""
    words = set(words_of(text))
    return any(words <= set(words_of(title)) for title in record.titles.values())


def is_title(record: Registered, text: str) -> bool:
    """Return whether a text is a title of a record, whatever case, accents and punctuation."""
    words = words_of(text)
    return any(words_of(title) == words for title in record.titles.values())
