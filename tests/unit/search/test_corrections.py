"""Corrections of a search with no results, or few."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ginuri.registry.model import Status
from ginuri.search.corrections import Corrections, correct
from ginuri.search.searcher import SearchQuery
from tests.publishing import searcher, title

RECORDS: dict[str, dict[str, Any]] = {
    "uri-gin/azgs/": title("Arizona Geological Survey", record="authority"),
    "uri-gin/azgs/doc/1/": title("Geologic map of the Huachuca Mountains"),
    "uri-gin/azgs/doc/2/": title("Águas termais"),
    "uri-gin/azgs/doc/3/": title("Soils of the Chiricahua Mountains", status="retired"),
    "uri-gin/azgs/doc/4/": title("Geologic report for 1997"),
    "uri-gin/azgs/doc/5/": title("Mop"),
    "uri-gin/azgs/doc/zq7731/": title("Wells"),
    "uri-gin/azgs/doc/hidden/": title("Confidential", status="withheld"),
    **{f"uri-gin/cgs/doc/{number}/": title("Thermal springs") for number in range(12)},
    "uri-gin/cgs/doc/x/": title("Thermal sprigs"),
}


def ask(folder: Path, text: str, **how: Any) -> Corrections | None:
    searching = searcher(folder, RECORDS)
    question = SearchQuery(text, **how)
    matches = searching.search(question)
    assert matches is not None
    return correct(searching, question, matches)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("geologc", "geologic"),
        ("huachcua", "huachuca"),
        ("hauchcua mountians", "huachuca mountains"),
        ("Aguaz TERMAIS", "aguas termais"),
        ("ágüas terrmais", "aguas termais"),
        ("chirichahua", "chiricahua"),
        ("geologic mpa", "geologic map"),
        ("geologic mop", "geologic map"),
        ("report 1979", "report 1997"),
        ("sprigs", "springs"),
    ],
)
def test_a_misspelt_word_is_corrected(tmp_path: Path, text: str, meant: str) -> None:
    corrected = ask(tmp_path, text)

    assert corrected is not None
    assert corrected.texts[0] == meant
    assert corrected.matches.total


@pytest.mark.parametrize(
    "text",
    ["geologic", "springs", "thermal", "xylophone", "geologic xylophone", "zq7732", "confidentia1", "", "?!"],
)
def test_a_known_word_or_one_without_similar_words_is_not_corrected(tmp_path: Path, text: str) -> None:
    assert ask(tmp_path, text) is None


def test_a_correction_has_matches_within_the_filters(tmp_path: Path) -> None:
    within = ask(tmp_path / "1", "mountians", status=Status.RETIRED)
    outside = ask(tmp_path / "2", "huachcua", status=Status.RETIRED)

    assert within is not None
    assert (within.texts, within.matches.names) == (("mountains",), ("uri-gin/azgs/doc/3/",))
    assert outside is None


def test_the_likeliest_has_the_fewest_edits_then_the_most_records(tmp_path: Path) -> None:
    records = {
        f"uri-gin/azgs/doc/{word}{number}/": title(word) for word, number in (("cart", 1), ("card", 2))
    }
    records |= {"uri-gin/azgs/doc/x/": title("card cats")}
    searching = searcher(tmp_path, records)
    matches = searching.search(SearchQuery("carx"))
    assert matches is not None

    corrected = correct(searching, SearchQuery("carx"), matches)

    assert corrected is not None
    assert corrected.texts == ("card", "cart")
