"""The message catalogues of gettext: `locales/<language>/LC_MESSAGES/ginuri.po`, compiled to `ginuri.mo`."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations
from importlib.resources import files


def translated(template: str, language: str) -> str | None:
    """Give what a catalogue has for the English of a message; None where it has nothing."""
    catalogue = _catalogue(language)
    # gettext answers with the same text where it knows no other; the empty one is the catalogue's head.
    text = catalogue.gettext(template) if catalogue and template else template
    return None if text is template else text


@cache
def _catalogue(language: str) -> GNUTranslations | None:
    compiled = files("ginuri.i18n") / "locales" / language / "LC_MESSAGES" / "ginuri.mo"
    if not compiled.is_file():
        return None
    with compiled.open("rb") as file:
        return GNUTranslations(file)
