"""The languages of the terminal; it imports nothing, for `ginuri --help`."""

from __future__ import annotations

import os
from collections.abc import Mapping

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables that name languages; the first that is set counts."""


def user_languages(environment: Mapping[str, str]) -> list[str]:
    """Read the languages of an environment as gettext does, as language tags in order of preference.

    >>> user_languages({"LANG": "es_MX.UTF-8"}), user_languages({"LANGUAGE": "ca:es", "LANG": "en_US.UTF-8"})
    (['es-MX', 'es'], ['ca', 'es'])
    """
    setting = next(filter(None, (environment.get(name) for name in _VARIABLES)), "")
    names = [name.partition(".")[0].partition("@")[0] for name in setting.split(":")]
    tags = [tag for name in names for tag in (name.replace("_", "-"), name.partition("_")[0])]
    return [tag for tag in dict.fromkeys(tags) if tag not in {"", "C", "POSIX"}]


def reads_english() -> bool:
    """Return whether English is the first language of the user, or no language is known."""
    first = next(iter(user_languages(os.environ)), "en")
    return first == "en" or first.startswith("en-")
