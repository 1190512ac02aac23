"""What our own words say: to a person in the language of the page, to a machine always in English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape

from ginuri.registry.model import Texts
from ginuri.resolution.negotiation.languages import choose_text, spoken_to
from ginuri.resolution.negotiation.negotiation import Languages


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, and what stands in its braces: data, a registered text, or another sentence."""

    english: str
    told: Mapping[str, str | Texts | Said] = field(default_factory=dict)
    key: str = ""
    """What other languages have it under, where that is not the English itself."""


Words = str | Said
"""A mere text is a sentence in which nothing stands."""
_ENGLISH = "en"
_Finish = Callable[[str, str, str], str]


def said(english: str, /, **told: str | Texts | Said) -> Said:
    """Make a sentence; a name in braces stands for what is told by that name."""
    return Said(english, told)


def say(english: str, language: str) -> str:
    """Say in a language what a page says in English; what has no other words is said in English."""
    return _translate(english, language) or english


def tell(words: Words, languages: Languages = ()) -> str:
    """Tell as a text; registered texts in the language that is wanted most."""
    return _tell(words, languages, lambda text, _language, _around: text)


def tell_html(words: Words, languages: Languages = ()) -> str:
    """Tell as HTML in which what is in another language than what is around it says so."""
    return _tell(words, languages, _mark)


def _tell(words: Words, languages: Languages, finish: _Finish, around: str = "") -> str:
    it = words if isinstance(words, Said) else Said(words)
    page = spoken_to(languages)
    translated = _translate(it.key or it.english, page)
    template, language = (translated, page) if translated is not None else (it.english, _ENGLISH)
    told = {}
    for name, value in it.told.items():
        match value:
            case str():
                told[name] = finish(value, "", "")
            case Said():
                told[name] = _tell(value, languages, finish, language)
            case _:
                text, its_language = choose_text(value, languages)
                told[name] = finish(text, its_language, language)
    # What is finished is put in last, so that nothing that was told is taken for a brace, or escaped twice.
    whole = template.format(**{name: f"\0{name}\0" for name in told}) if told else template
    pieces = finish(whole, language, around or page).split("\0")
    return "".join(told[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def _translate(key: str, language: str) -> str | None:
    if language == _ENGLISH:
        return None
    # English pages, and all that is no page, must not pay for Spanish.
    from ginuri.web.pages.spanish import SPANISH  # noqa: PLC0415  see above

    return SPANISH.get(key)


def _mark(text: str, language: str, around: str) -> str:
    written = escape(text)
    is_other = language and language != around
    return f'<span lang="{escape(language)}" dir="auto">{written}</span>' if is_other else written
