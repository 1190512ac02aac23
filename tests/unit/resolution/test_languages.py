"""Is a reader spoken to in a language that they asked for?"""

from __future__ import annotations

import pytest

from ginuri.resolution.negotiation.languages import choose_text, prefer, read_languages, spoken_to


@pytest.mark.parametrize(
    ("header", "spoken"),
    [
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("es", "es"),
        ("es-MX, en;q=0.5", "en"),
        ("es-MX, es;q=0.9, en;q=0.8", "es"),
        ("es-AR", "es"),
        ("de, es;q=0.2", "es"),
        ("de", "en"),
        ("es;q=0", "en"),
        ("en;q=0", "es"),
        ("en;q=0, *", "es"),
        ("en;q=0, de", "es"),
        ("en-GB;q=0", "en"),
        ("en;q=0, es;q=0", "en"),
        ("*;q=0", "en"),
        ("*;q=0, es-MX", "en"),
        ("*;q=0, es", "es"),
        ("de;q=0", "en"),
        ("en;q=0.3, es;q=0.4", "es"),
        (";;;", "en"),
    ],
)
def test_a_page_speaks_the_language_that_is_wanted_most_of_those_it_knows(
    header: str | None, spoken: str
) -> None:
    assert spoken_to(read_languages(header)) == spoken


def test_a_text_is_chosen_by_what_the_reader_wants_and_not_by_what_the_page_speaks() -> None:
    assert prefer(read_languages("de, es;q=0.5"), ("en", "es", "de")) == "de"


def test_a_language_nobody_asked_for_is_not_preferred() -> None:
    assert prefer(read_languages("ja"), ("en", "")) is None


@pytest.mark.parametrize(
    ("header", "shown"),
    [
        (None, "en"),
        ("de", "de"),
        ("en;q=0", "de"),
        ("en;q=0, *", "de"),
        ("en;q=0, fr", "de"),
        ("de;q=0", "en"),
        ("en;q=0, de;q=0", "en"),
        ("*;q=0", "en"),
        ("*;q=0, en-GB", "en"),
    ],
)
def test_a_text_in_a_refused_language_is_shown_only_where_there_is_no_other(
    header: str | None, shown: str
) -> None:
    assert choose_text({"de": "Karte", "en": "Map"}, read_languages(header)) == (
        {"de": "Karte", "en": "Map"}[shown],
        shown,
    )


def test_a_text_in_no_language_is_shown_before_one_in_a_refused_language() -> None:
    for header in ("en;q=0", "*;q=0", "*;q=0, en-GB"):
        assert choose_text({"en": "Map", "": "DGM37"}, read_languages(header)) == ("DGM37", "")
