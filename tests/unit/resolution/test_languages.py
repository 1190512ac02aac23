"""Is a text shown in a requested language?"""

from __future__ import annotations

import pytest

from ginuri.resolution.negotiation.languages import choose_text, prefer, read_languages


def test_a_text_follows_the_readers_language_and_not_the_pages() -> None:
    assert prefer(read_languages("de, es;q=0.5"), ("en", "es", "de")) == "de"


def test_an_unrequested_language_is_not_preferred() -> None:
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
def test_a_text_in_a_refused_language_is_the_last_choice(header: str | None, shown: str) -> None:
    assert choose_text({"de": "Karte", "en": "Map"}, read_languages(header)) == (
        {"de": "Karte", "en": "Map"}[shown],
        shown,
    )


def test_a_text_without_a_language_precedes_one_in_a_refused_language() -> None:
    for header in ("en;q=0", "*;q=0", "*;q=0, en-GB"):
        assert choose_text({"en": "Map", "": "DGM37"}, read_languages(header)) == ("DGM37", "")
