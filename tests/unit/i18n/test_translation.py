"""Is a page in a requested language, with a mark on words that are not?"""

from __future__ import annotations

import pytest

from ginuri.i18n.translation import as_html, as_text, page_language, translate
from ginuri.identifiers.messages import Message, counted, message
from ginuri.resolution.negotiation.languages import read_languages

SPANISH = (("es", 1.0),)


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
def test_a_page_uses_the_most_wanted_of_its_languages(header: str | None, spoken: str) -> None:
    assert page_language(read_languages(header)) == spoken


def test_a_message_without_a_translation_is_english_and_marked() -> None:
    unknown = message("The <odd> reason is {reason}.", reason="<b>")

    assert as_html(unknown, SPANISH) == (
        '<span lang="en" dir="auto">The &lt;odd&gt; reason is &lt;b&gt;.</span>'
    )
    assert as_html(unknown) == "The &lt;odd&gt; reason is &lt;b&gt;."
    assert as_text(unknown, SPANISH) == "The <odd> reason is <b>."


def test_only_untranslated_text_is_marked() -> None:
    reason = message("an odd reason")

    shown = as_html(message("{detail} Reason: {reason}", detail="x", reason=reason), SPANISH)

    assert shown == 'x Motivo: <span lang="en" dir="auto">an odd reason</span>'


def test_a_value_alone_has_no_language() -> None:
    assert as_html(message("{name}", name="DGM37"), SPANISH) == "DGM37"
    assert as_html(message("Something odd: {name}", name=message("{name}", name="DGM37")), SPANISH) == (
        '<span lang="en" dir="auto">Something odd: DGM37</span>'
    )


def test_a_title_in_another_language_than_the_page_is_marked() -> None:
    titles = message("{titles}", titles={"de": "Karte", "fr": "Carte"})

    assert as_html(titles, SPANISH) == '<span lang="de" dir="auto">Karte</span>'
    assert as_html(titles, (("fr", 1.0), ("es", 0.5))) == '<span lang="fr" dir="auto">Carte</span>'


@pytest.mark.parametrize(
    ("number", "english", "spanish"),
    [
        (0, "Try again in 0 seconds.", "dentro de 0 segundos."),
        (1, "Try again in 1 second.", "dentro de 1 segundo."),
        (1200, "Try again in 1,200 seconds.", "dentro de 1,200 segundos."),
    ],
)
def test_a_number_decides_between_singular_and_plural(number: int, english: str, spanish: str) -> None:
    waiting = counted(
        "The registry is not responding. Try again in {number} second.",
        "The registry is not responding. Try again in {number} seconds.",
        number,
    )

    assert str(waiting).endswith(english)
    assert as_text(waiting) == str(waiting)
    assert as_text(waiting, SPANISH).endswith(spanish)


@pytest.mark.parametrize("number", [1, 2])
def test_the_number_of_an_untranslated_message_is_in_english(number: int) -> None:
    odd = counted("{number} oddity", "{number} oddities", number)

    assert as_html(odd, SPANISH) == f'<span lang="en" dir="auto">{odd}</span>'


@pytest.mark.parametrize("data", ["{x}", "<b>", "\0", "{", "%s", "a\0x\0b"])
def test_a_value_is_inserted_into_a_sentence_unchanged(data: str) -> None:
    sentence = message("{identifier} is not registered.", identifier=data)

    assert as_text(sentence) == f"{data} is not registered."
    assert "<b>" not in as_html(sentence, SPANISH)


def test_a_plain_text_is_a_message_without_values() -> None:
    assert translate("About this host", "es") == "Acerca de este servidor"
    assert as_text(Message("")) == ""
