"""Names that fold to the same text, and so may be confused."""

from __future__ import annotations

import pytest

from ginuri import parse
from ginuri.identifiers.comparison.folding import fold, fold_writing

NAME = "uri-gin/azgs/doc/map/DGM37"


@pytest.mark.parametrize(
    "other",
    [
        NAME,
        f"{NAME}/",
        NAME.lower(),
        NAME.replace("azgs", "AZGS"),
        NAME.replace("azgs", "azg%73"),
        f"{NAME.replace('map', 'MAP')}/",
    ],
)
def test_other_spellings_of_a_name_fold_to_the_same(other: str) -> None:
    normal_form = parse(other).normal_form

    assert fold_writing(normal_form) == fold_writing(NAME)
    assert fold(normal_form) == fold(NAME)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("uri-gin/azgs/doc/stra%C3%9Fe", "uri-gin/azgs/doc/STRASSE"),
        ("uri-gin/azgs/doc/%C3%89t%C3%A9", "uri-gin/azgs/doc/%C3%A9T%C3%89"),
        ("uri-gin/azgs/doc/a%20b", "uri-gin/azgs/doc/A%20B/"),
        ("uri-gin/azgs/doc/a%2Fb", "uri-gin/azgs/doc/a/b"),
    ],
)
def test_case_and_escapes_of_any_language_fold(one: str, other: str) -> None:
    assert fold_writing(one) == fold_writing(other)


@pytest.mark.parametrize("harvested", [".", ",", ";", ")", "...", ").", "'", '"', "!?", "/.", ">"])
def test_final_punctuation_is_another_name_that_gets_advice(harvested: str) -> None:
    assert fold(f"{NAME}{harvested}") == fold(NAME)
    assert fold_writing(f"{NAME}{harvested}") != fold_writing(NAME)


@pytest.mark.parametrize(
    "other",
    [
        "uri-gin/azgs/doc/map/DGM38",
        "uri-gin/azgs/doc/map/DGM-37",
        "uri-gin/azgs/doc/map/DGM37.pdf",
        "uri-gin/azgs/doc/map/DGM37/a",
        "uri-gin/azgs/doc/map",
        "uri-gin/azgs/doc/map/DGM37%2541",
        "uri-gin/azgs/doc/map/.DGM37",
    ],
)
def test_another_name_folds_differently(other: str) -> None:
    assert fold(other) != fold(NAME)


def test_bytes_outside_utf8_are_distinguished() -> None:
    assert fold_writing("uri-gin/azgs/doc/%FF") != fold_writing("uri-gin/azgs/doc/%FE")


def test_a_folded_name_is_utf8_within_the_limit_of_an_index() -> None:
    # The partition key of an index has at most 2,048 bytes, an identifier 1,024.
    for character in ("%FF", "%CE%90", "%EF%AC%83", "%C4%B0"):
        name = "uri-gin/a/" + character * (1_000 // len(character))
        assert len(fold(name).encode()) <= 2_048
