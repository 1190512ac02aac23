"""The query arguments that stand for preferences on a host: the field `query_arguments`."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from ginuri.frozen import NOTHING, Frozen

MEDIA_TYPE, PROFILE = "media_type", "profile"
"""The preferences that an argument may stand for."""
StatedArguments = Mapping[str, str | Mapping[str, str]]
"""The arguments of a host by name: the preference that each stands for, or its short names by meaning."""


class QueryArgument(Frozen):
    """An argument of queries to a host."""

    name: str
    meaning: str
    """`MEDIA_TYPE` or `PROFILE`."""
    tokens: Mapping[str, str] = NOTHING
    """Its short names of media types or profiles."""

    def write(self, value: str) -> str:
        """Write the argument for a media type or a profile, by its short name if there is one.

        §8.3.3: a URI is enclosed in angle brackets.
        """
        token = next((token for token, meant in self.tokens.items() if meant == value), None)
        text = token or (value if self.meaning == MEDIA_TYPE else f"<{value}>")
        return f"{quote(self.name)}={quote(text, '/:+=')}"


def arguments_of(stated: StatedArguments) -> list[QueryArgument]:
    """Return the arguments that a host states.

    >>> arguments_of({"_mediatype": "media_type", "_view": {"dcat": "http://www.w3.org/ns/dcat"}})[1].meaning
    'profile'
    """
    arguments = []
    for name, meaning in stated.items():
        if isinstance(meaning, str):
            arguments.append(QueryArgument(name, meaning))
        else:  # a URI has a colon, a media type has none
            is_profile = all(":" in meant for meant in meaning.values())
            arguments.append(QueryArgument(name, PROFILE if is_profile else MEDIA_TYPE, meaning))
    return arguments
