"""Sentences, fields and values as a terminal shows them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping

import click

from ginuri.i18n.catalogue import ENGLISH, spoken_languages
from ginuri.i18n.translation import translate
from ginuri.identifiers.messages import Message, Words
from ginuri.registration.verdicts import shown
from ginuri.registry.record.record import Path

_NOTHING = "—"
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where an environment says which languages somebody reads; the first that says anything counts."""


def localize(words: Words) -> str:
    """Write a message in the language of whoever sits at the terminal."""
    return translate(words, terminal_language())


def terminal_language() -> str:
    """Choose the language of whoever sits at the terminal, of those that are spoken here."""
    spoken = spoken_languages()
    return next((language for language in user_languages(os.environ) if language in spoken), ENGLISH)


def fault(words: Words) -> click.UsageError:
    """Make the error of a command that cannot be carried out, to be raised."""
    return click.UsageError(localize(words))


def localize_all(messages: Iterable[Message], separator: str = ", ") -> str:
    """Write several messages, likewise."""
    return separator.join(map(localize, messages))


def user_languages(environment: Mapping[str, str]) -> list[str]:
    """Read the languages of an environment as gettext does, the best first, as language tags.

    >>> user_languages({"LANG": "es_MX.UTF-8"}), user_languages({"LANGUAGE": "ca:es", "LANG": "en_US.UTF-8"})
    (['es-MX', 'es'], ['ca', 'es'])
    """
    stated = next(filter(None, (environment.get(name) for name in _VARIABLES)), "")
    names = [name.partition(".")[0].partition("@")[0] for name in stated.split(":")]
    tags = [tag for name in names for tag in (name.replace("_", "-"), name.partition("_")[0])]
    return [tag for tag in dict.fromkeys(tags) if tag not in {"", "C", "POSIX"}]


def format_field(path: Path) -> str:
    """Name a field by its path."""
    return ".".join(shown(step.strip()) for step in path if step.strip())


def format_value(value: object) -> str:
    """Show a value: cut, and without what a terminal would obey."""
    if value is None:
        return _NOTHING
    return shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
