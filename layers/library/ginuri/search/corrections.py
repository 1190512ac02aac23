"""Suggests other words for a search with few results or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ginuri.search.searcher import Searcher, SearchMatches, SearchQuery
from ginuri.search.spelling import SimilarWord, similar_words
from ginuri.search.words import words_of

FEW = 3
"""The most matches of a search that is still corrected."""
MANY_TIMES = 10
"""A known word is replaced only by one with at least this many times its documents."""
MOST_OFFERED = 5
"""The most corrected texts."""
_MOST_CORRECTED = 3
"""The most words of a text to correct."""
_MOST_OPTIONS = 4
"""The most similar words for each of several words."""
_MOST_TRIED = 4
"""The most texts to search for until one finds more."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """Corrected texts, the likeliest first, and the matches of the first."""

    texts: tuple[str, ...]
    matches: SearchMatches


def correct(
    searcher: Searcher, question: SearchQuery, matches: SearchMatches, first: int = 0, most: int = 20
) -> Corrections | None:
    """Correct the text of a search; None if it has enough matches or no similar words.

    Every unknown word is replaced. If all words are known, one word without digits is replaced. Raises
    RegistryUnavailable.
    """
    index = searcher.index()
    if index is None or matches.total > FEW:
        return None
    unknown = [word for word, count in matches.counts.items() if not count]
    # A known word with digits is a code, not a misspelling of a similar one.
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
        # A single word without filters needs no search for its number of matches.
        texts = [_write(question.text, candidate) for candidate in candidates[:MOST_OFFERED]]
        found = searcher.search(replace(question, text=texts[0]), first, most) if texts else None
        return Corrections(tuple(texts), found) if found else None
    for candidate in candidates[:_MOST_TRIED]:
        text = _write(question.text, candidate)
        found = searcher.search(replace(question, text=text), first, most)
        if found is not None and found.total > matches.total:
            return Corrections((text,), found)
    return None


def _outnumbering(similar: list[SimilarWord], count: int) -> list[SimilarWord]:
    return [word for word in similar if word.edits == 1 and word.count >= MANY_TIMES * count]


def _replace_all(similar: Mapping[str, list[SimilarWord]]) -> Sequence[Mapping[str, SimilarWord]]:
    most = _MOST_OPTIONS if len(similar) > 1 else MOST_OFFERED
    replaced = (
        dict(zip(similar, words, strict=True))
        for words in product(*(options[:most] for options in similar.values()))
    )
    return sorted(replaced, key=_likelihood)


def _replace_one(similar: Mapping[str, list[SimilarWord]]) -> Sequence[Mapping[str, SimilarWord]]:
    return sorted(
        ({word: option} for word, options in similar.items() for option in options), key=_likelihood
    )


def _likelihood(replaced: Mapping[str, SimilarWord]) -> tuple[int, int]:
    words = replaced.values()
    return sum(word.edits for word in words), -min(word.count for word in words)


def _write(text: str, replaced: Mapping[str, SimilarWord]) -> str:
    return " ".join(replaced[word].word if word in replaced else word for word in words_of(text))
