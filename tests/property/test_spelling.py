"""A word with one edit leads to every word of a title within that edit, by two reads of the index."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.identifiers.comparison.edits import edits_between
from ginuri.published.publications import Publications
from ginuri.search.corrections import correct
from ginuri.search.index_reader import IndexReader
from ginuri.search.searcher import Searcher, SearchQuery
from ginuri.search.spelling import SHORTEST_MEANT, similar_words
from ginuri.search.words import words_of
from infra.published_folder import FolderPublished
from tests.example_registry import examples
from tests.publishing import published, title

LETTERS = st.text("aeg1", min_size=1, max_size=8)


def misspellings(word: str) -> Iterator[str]:
    """Misspell a word at each of its letters, in one way after the other."""
    for place in range(len(word)):
        head, letter, tail = word[:place], word[place], word[place + 1 :]
        swapped = f"{head}{tail[0]}{letter}{tail[1:]}" if tail else f"{word}q"
        yield (f"{head}{tail}", f"{head}q{tail}", f"{head}q{letter}{tail}", swapped)[place % 4]


def index_of(folder: str, titles: list[str]) -> tuple[Searcher, FolderPublished]:
    records = {f"uri-gin/azgs/doc/{number}/": title(text) for number, text in enumerate(titles)}
    store, _ = published(Path(folder), records)
    return Searcher(Publications(store, time.monotonic)), store


def opened(searcher: Searcher) -> IndexReader:
    index = searcher.index()
    assert index is not None
    return index


@pytest.mark.untraced
def test_every_misspelt_word_of_an_example_title_leads_to_it(tmp_path: Path) -> None:
    records = dict(examples().standing(""))
    store, _ = published(tmp_path, records)
    index = opened(Searcher(Publications(store, time.monotonic)))
    words = {
        word
        for values in records.values()
        for text in values.get("title", {}).values()
        for word in words_of(text)
    }
    meant = sorted(word for word in words if len(word) >= SHORTEST_MEANT)

    lost = [
        (word, written)
        for word in meant
        for written in misspellings(word)
        if written != word and word not in {similar.word for similar in similar_words(index, written)}
    ]

    assert len(meant) > 500
    assert lost == []


@given(st.lists(LETTERS, min_size=1, max_size=30), LETTERS)
def test_the_index_finds_every_word_one_edit_away(words: list[str], written: str) -> None:
    with TemporaryDirectory() as folder:
        searcher, store = index_of(folder, words)
        index = opened(searcher)
        store.calls = 0

        found = {similar.word for similar in similar_words(index, written) if similar.edits == 1}

    expected = {
        word for word in words if len(word) >= SHORTEST_MEANT and edits_between(written, word, 1) == 1
    }
    assert found == expected
    assert store.calls <= 2


@given(LETTERS, LETTERS)
def test_edits_are_counted_symmetrically_and_up_to_a_limit(word: str, other: str) -> None:
    edits = edits_between(word, other, 8)

    assert edits is not None
    assert edits == edits_between(other, word, 8)
    assert (edits == 0) == (word == other)
    assert edits_between(word, other, 2) == (edits if edits <= 2 else None)


@given(st.lists(st.sampled_from(["geologic", "mountains", "huachuca", "springs"]), min_size=1, unique=True))
def test_a_title_is_found_with_one_letter_missing_in_a_word(words: list[str]) -> None:
    with TemporaryDirectory() as folder:
        searcher, _ = index_of(folder, [" ".join(words)])
        for written in misspellings(words[0]):
            question = SearchQuery(" ".join((written, *words[1:])))
            matches = searcher.search(question)
            assert matches is not None
            corrected = correct(searcher, question, matches)
            assert matches.total or corrected is not None
            if corrected is not None:
                assert corrected.texts[0] == " ".join(words)
                assert corrected.matches.names == ("uri-gin/azgs/doc/0/",)
