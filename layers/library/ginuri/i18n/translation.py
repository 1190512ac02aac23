"""Messages in the reader's language, as text or as HTML; untranslated ones stay English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from html import escape

from ginuri.i18n.catalogue import ENGLISH, find_template, is_neutral, spoken_languages
from ginuri.identifiers.messages import Message, Words
from ginuri.resolution.negotiation.languages import choose_language, choose_text
from ginuri.resolution.negotiation.preferences import Languages

_Finish = Callable[[str, str, str], str]


def page_language(languages: Languages) -> str:
    """Choose the language of a page: a preferred one of the reader, or English."""
    return _page_language(tuple(languages))


@lru_cache(maxsize=64)
def _page_language(languages: tuple[tuple[str, float], ...]) -> str:
    spoken = spoken_languages()
    return choose_language(languages, spoken, spoken)


def translate(words: Words, language: str) -> str:
    """Write a message as text in one of the `spoken_languages`."""
    return as_text(words, ((language, 1.0),))


def as_text(words: Words, languages: Languages = ()) -> str:
    """Write a message as text; registered texts appear in the most preferred of their languages."""
    return _write(words, languages, lambda text, _language, _around: text)


def as_html(words: Words, languages: Languages = (), escaped: Callable[[str], str] = escape) -> str:
    """Write a message as HTML, with a `lang` attribute on text in another language than its context.

    A value that is HTML already (it has `__html__`) stays unchanged.
    """
    return _write(words, languages, partial(_mark, escaped))


def _write(words: Words, languages: Languages, finish: _Finish, around: str = "") -> str:
    message = words if isinstance(words, Message) else Message(words)
    page = page_language(languages)
    translation = find_template(message, page)
    template, language = (translation, page) if translation is not None else (message.english, ENGLISH)
    if is_neutral(template):
        language = around or page
    values = {
        name: _write_value(value, languages, finish, language) for name, value in message.values.items()
    }
    # Values are inserted last: their braces are not placeholders, and nothing is escaped twice.
    text = template.format(**{name: f"\0{name}\0" for name in values}) if values else template
    pieces = finish(text, language, around or page).split("\0")
    return "".join(values[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def _write_value(
    value: str | Mapping[str, str] | Message, languages: Languages, finish: _Finish, around: str
) -> str:
    match value:
        case str():
            return finish(value, "", "")
        case Message():
            return _write(value, languages, finish, around)
        case _:
            text, language = choose_text(value, languages)
            return finish(text, language, around)


def _mark(escaped: Callable[[str], str], text: str, language: str, around: str) -> str:
    written = str(text.__html__()) if hasattr(text, "__html__") else escaped(text)
    is_other = language and language != around
    return f'<span lang="{escape(language)}" dir="auto">{written}</span>' if is_other else written
