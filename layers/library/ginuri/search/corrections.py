"""What may have been meant where a search finds nothing, or next to nothing: the same with other words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product

from ginuri.search.searcher import Searcher, SearchMatches, SearchQuery
from ginuri.search.spelling import SimilarWord, similar_words
from ginuri.search.words import words_of

FEW = 3
"""Matches beside which more of another word may be meant."""
MANY_TIMES = 10
"""How many times as many documents that other word has, at least."""
MOST_OFFERED = 5
"""The limit for texts that may be meant."""
_MOST_CORRECTED = 3
"""Words of a text that similar ones are looked up for."""
_MOST_OPTIONS = 4
"""Similar words of each, where several are."""
_MOST_TRIED = 4
"""Texts that are searched for until one finds more."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """Texts that may be meant, the likeliest first, and what that one finds."""

    texts: tuple[str, ...]
    matches: SearchMatches


def correct(
    searcher: Searcher, question: SearchQuery, matches: SearchMatches, first: int = 0, most: int = 20
) -> Corrections | None:
    """Find what may have been meant by a text; None if these matches are enough, or nothing is similar.

    What no document has is another word in every correction; where each word is known, one without digits is.
    Raises RegistryUnavailable.
    """
    index = searcher.index()
    if index is None or matches.total > FEW:
        return None
    unknown = [word for word, count in matches.counts.items() if not count]
    # A known word with digits is a code, and no misspelling of the next.
    known = {word: count for word, count in matches.counts.items() if word.isalpha()}
    if matches.total:
        doubted = [word for word, count in known.items() if count <= FEW]
    else:
        doubted = unknown or list(known)
    if len(unknown) > _MOST_CORRECTED:
        return None
    similar = {word: similar_words(index, word) for word in doubted[:_MOST_CORRECTED]}
    if matches.total:
        similar = {word: _outnumbering(words, matches.counts[word]) for word, words in similar.items()}
    candidates = _replace_all(similar) if unknown else _replace_one(similar)
    if len(matches.counts) == 1 and replace(question, text="") == SearchQuery(""):
        # What is known of a single word needs no search.
        texts = [_write(question.text, candidate) for candidate in islice(candidates, MOST_OFFERED)]
        found = searcher.search(replace(question, text=texts[0]), first, most) if texts else None
        return Corrections(tuple(texts), found) if found else None
    for candidate in islice(candidates, _MOST_TRIED):
        text = _write(question.text, candidate)
        found = searcher.search(replace(question, text=text), first, most)
        if found is not None and found.total > matches.total:
            return Corrections((text,), found)
    return None


def _outnumbering(similar: list[SimilarWord], count: int) -> list[SimilarWord]:
    return [word for word in similar if word.edits == 1 and word.count >= MANY_TIMES * count]


def _replace_all(similar: Mapping[str, list[SimilarWord]]) -> Iterator[Mapping[str, SimilarWord]]:
    most = _MOST_OPTIONS if len(similar) > 1 else MOST_OFFERED
    replaced = (
        dict(zip(similar, words, strict=True))
        for words in product(*(options[:most] for options in similar.values()))
    )
    return iter(sorted(replaced, key=_likelihood))


def _replace_one(similar: Mapping[str, list[SimilarWord]]) -> Iterator[Mapping[str, SimilarWord]]:
    replaced = ({word: option} for word, options in similar.items() for option in options)
    return iter(sorted(replaced, key=_likelihood))


def _likelihood(replaced: Mapping[str, SimilarWord]) -> tuple[int, int]:
    words = replaced.values()
    return sum(word.edits for word in words), -min(word.count for word in words)


def _write(text: str, replaced: Mapping[str, SimilarWord]) -> str:
    return " ".join(replaced[word].word if word in replaced else word for word in words_of(text))
