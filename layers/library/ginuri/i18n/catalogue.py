"""The message catalogues of gettext: `locales/<language>/LC_MESSAGES/ginuri.po`, compiled to `ginuri.mo`.

English needs none: it is in the code. A language is available as soon as it has a catalogue.
"""

from __future__ import annotations

import re
from functools import cache
from gettext import GNUTranslations, bindtextdomain, textdomain
from importlib.resources import files

from ginuri.identifiers.messages import Message

ENGLISH = "en"
_LOCALES = files("ginuri.i18n") / "locales"
_DOMAIN = "ginuri"
_COMPILED = f"LC_MESSAGES/{_DOMAIN}.mo"
_PLACEHOLDER = re.compile(r"\{\w+\}")


def is_neutral(template: str) -> bool:
    """Return whether a template has no words to translate, such as a single placeholder."""
    return not template or _PLACEHOLDER.fullmatch(template) is not None


@cache
def spoken_languages() -> tuple[str, ...]:
    """Return the languages of pages: English, then those with a catalogue."""
    translated = sorted(folder.name for folder in _LOCALES.iterdir() if folder.joinpath(_COMPILED).is_file())
    return (ENGLISH, *translated)


def find_template(message: Message, language: str) -> str | None:
    """Return a message's template in a language; None if the catalogue does not have it."""
    english = message.english
    if language == ENGLISH or is_neutral(english):
        return english
    catalogue = _catalogue(language)
    text = (
        catalogue.ngettext(message.template, message.plural, message.number)
        if message.plural
        else catalogue.gettext(english)
    )
    # gettext returns the same object if it has no translation.
    return None if text is english else text


def speak_through_gettext() -> None:
    """Make the catalogues those of libraries that translate their words by gettext, as click does.

    gettext chooses the language from the environment of the process.
    """
    bindtextdomain(_DOMAIN, str(_LOCALES))
    textdomain(_DOMAIN)


@cache
def _catalogue(language: str) -> GNUTranslations:
    with _LOCALES.joinpath(language, _COMPILED).open("rb") as file:
        return GNUTranslations(file)
