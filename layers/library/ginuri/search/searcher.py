"""Searches the published index with a few range reads, for any size of the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from ginuri.published.publications import DIRECTORY, Publications
from ginuri.registry.model import RecordType, Registered, Status
from ginuri.search.beginnings import whole_titles
from ginuri.search.facets import FacetCounts, count_facets
from ginuri.search.index import (
    EVERYTHING,
    POSTING,
    SEGMENT,
    DictionaryEntry,
    Postings,
    read_directory,
    read_postings,
    status_of,
    type_of,
    weight_of,
)
from ginuri.search.index_reader import IndexReader, Mapper
from ginuri.search.words import words_of

MOST_WORDS = 10
"""The most words of a query."""
MOST_MATCHES = 10_000
"""The most matches; a search ends after them, in the order of identifiers."""
_BISECTED = 16
"""The ratio of postings to candidates above which bisection is faster than reading all postings."""
_FIRST_GROUP = 4
"""The segments of the first read of postings; each further read has twice as many."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The text and the filters of a search."""

    text: str
    under: str = ""
    """The prefix of the identifiers."""
    record_type: RecordType | None = None
    status: Status | None = None
    is_completed: bool = True
    """Whether the last word may be incomplete."""

    @property
    def is_list(self) -> bool:
        """Whether the query has filters and no text, and so matches all documents within them."""
        return not self.text and bool(self.under or self.record_type or self.status)


@dataclass(frozen=True, slots=True)
class SearchMatches:
    """A page of matches, the best first: whole titles, all words in titles, in other names too, the rest.

    Equal matches are in the order of identifiers.
    """

    indexed_at: str
    """The time of the index."""
    names: tuple[str, ...]
    """The identifiers on the page."""
    total: int
    is_cut: bool = False
    """Whether there may be more than `total`."""
    is_completed: bool = True
    """False if the last word has too many completions, and was searched for as it is."""
    facets: FacetCounts = field(default_factory=FacetCounts)
    counts: Mapping[str, int] = field(default_factory=dict)
    """An upper limit of the number of records with each word, in the whole registry."""


class _Word:
    """The postings of a word, or of all words with a prefix, by segment."""

    def __init__(self, entries: Sequence[DictionaryEntry], loaded: tuple[int, bytes] | None = None) -> None:
        self.places: dict[int, list[tuple[int, int]]] = {}
        for entry in entries:
            offset = entry.offset
            for segment, length in zip(entry.segments, entry.lengths, strict=True):
                self.places.setdefault(segment, []).append((offset, length))
                offset += length
        self.length = sum(entry.length for entry in entries)
        self.count = self.length // POSTING
        self._is_loaded = loaded is not None
        self._begin, self._bytes = loaded or (0, b"")

    def load(self, segments: Sequence[int], read: Callable[[int, int], bytes]) -> None:
        """Read the postings of some segments, in ascending order, with one call."""
        if not self._is_loaded:
            self._begin = self.places[segments[0]][0][0]
            self._bytes = read(self._begin, sum(self.places[segments[-1]][-1]) - self._begin)

    def postings(self, segment: int) -> list[Postings]:
        """Return the postings of each word in a loaded segment."""
        return [
            read_postings(self._bytes[offset - self._begin : offset - self._begin + length])
            for offset, length in self.places[segment]
        ]


class Searcher:
    """Searches the current run; `mapper` may read several blocks at once, in order."""

    def __init__(self, publications: Publications, mapper: Mapper = map) -> None:
        self._publications = publications
        self._mapper = mapper
        self._index: IndexReader | None = None

    def index(self) -> IndexReader | None:
        """Return the index of the current run; None before the first. Raises RegistryUnavailable."""
        publication = self._publications.current()
        if publication is None:
            return None
        if self._index is None or self._index.publication.run != publication.run:
            reader, length = self._publications.reader, publication.files[DIRECTORY].length
            directory = read_directory(reader.read_range(publication.key(DIRECTORY), 0, length))
            self._index = IndexReader(reader, publication, directory, self._mapper)
        return self._index

    def search(self, question: SearchQuery, first: int = 0, most: int = 20) -> SearchMatches | None:
        """Search, and return a page of matches; None before the first run.

        Raises RegistryUnavailable.
        """
        index = self.index()
        if index is None:
            return None
        typed = words_of(question.text)
        wanted = list(dict.fromkeys(typed))[:MOST_WORDS]
        # The last word may be incomplete, unless the text has it twice.
        is_repeated = bool(typed) and typed[-1] in typed[:-1]
        words, is_completed = _words(wanted, index, is_completed=question.is_completed and not is_repeated)
        counts = {word: found_word.count for word, found_word in zip(wanted, words, strict=True)}
        if question.is_list:
            words = [_Word(index.entries(EVERYTHING))]
        is_completed |= question.is_completed and is_repeated
        found: list[tuple[int, int]] = []
        if words and all(word.places for word in words):
            matches = _matches(sorted(words, key=lambda word: word.length), question, index)
            found = list(islice(matches, MOST_MATCHES))
        facets = count_facets(found, index.directory)
        numbers = _rank(found, _find_whole(typed, question, index))
        return SearchMatches(
            index.publication.made,
            index.names(numbers[first : first + most]),
            len(numbers),
            len(found) == MOST_MATCHES,
            is_completed,
            facets,
            counts,
        )


def _find_whole(typed: list[str], question: SearchQuery, index: IndexReader) -> list[int]:
    """Return the documents that have the text as their title, within the prefix."""
    if not typed:
        return []
    first, end = index.bounds(question.under)
    return [number for number in index.numbers(whole_titles(index, typed)) if first <= number < end]


def _rank(found: list[tuple[int, int]], whole: Sequence[int]) -> list[int]:
    """Return the numbers of matches, the best first."""
    known = {number for number, _ in found}
    best = [number for number in whole if number in known or len(found) == MOST_MATCHES]
    others = sorted(found, key=lambda match: -weight_of(match[1]))
    return list(dict.fromkeys((*best, *(number for number, _ in others))))[:MOST_MATCHES]


def _words(wanted: Sequence[str], index: IndexReader, *, is_completed: bool) -> tuple[list[_Word], bool]:
    """Find the postings of words, and whether the last one was completed."""
    words = [_Word(index.entries(word)) for word in (wanted[:-1] if is_completed else wanted)]
    if wanted and is_completed:
        entries = index.completions(wanted[-1])
        if entries:
            begin = entries[0].offset
            length = entries[-1].offset + entries[-1].length - begin
            words.append(_Word(entries, (begin, index.postings(begin, length))))
        else:
            words.append(_Word(index.entries(wanted[-1])))
            is_completed = entries is not None
    return words, is_completed or not wanted


def _matches(words: Sequence[_Word], question: SearchQuery, index: IndexReader) -> Iterator[tuple[int, int]]:
    """Yield the documents with all words within the filters, in order, each with its lowest marks."""
    first, end = index.bounds(question.under)
    common = set.intersection(*(set(word.places) for word in words))
    segments = sorted(segment for segment in common if first // SEGMENT <= segment <= (end - 1) // SEGMENT)
    for begin, after in pairwise(_group(len(segments))):
        group = segments[begin:after]
        for word in words:
            word.load(group, index.postings)
        for segment in group:
            base = segment * SEGMENT
            for place, marks in _intersect([word.postings(segment) for word in words]).items():
                if first <= base + place < end and _fits(marks, question):
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
        # All marks of a document have its status and type, so the lowest has the lowest place of a word.
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
    """Return whether a text is a title of a record, without regard to case, accents and punctuation."""
    words = words_of(text)
    return any(words_of(title) == words for title in record.titles.values())
