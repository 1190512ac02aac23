"""A sentence for people as data: its English template, and the values in it.

Code with a finding makes a message; code that writes for a person chooses the language (`ginuri.i18n`).
`make catalogues` gathers the literals in calls of these functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginuri.frozen import NOTHING, Frozen


class Message(Frozen):
    """A template in English, and the values for its braces.

    A value is data, a registered text in several languages (language tag → text), or another message.
    """

    template: str
    values: Mapping[str, str | Mapping[str, str] | Message] = NOTHING
    plural: str = ""
    """The English plural, for messages with a number."""
    number: int = 1

    @property
    def english(self) -> str:
        """The singular or plural template, by its number."""
        return self.plural if self.plural and self.number != 1 else self.template

    def __str__(self) -> str:
        """Write the message in English, for programs and logs."""
        return self.english.format_map({name: _in_english(value) for name, value in self.values.items()})


Words = str | Message
"""A plain text is a message without values."""


def message(template: str, /, **values: str | Mapping[str, str] | Message) -> Message:
    """Make a message; the value of a name replaces the name in braces."""
    return Message(template, values)


def counted(one: str, many: str, number: int, /, **values: str | Mapping[str, str] | Message) -> Message:
    """Make a message with a number, which replaces `{number}`.

    >>> str(counted("{number} result", "{number} results", 1200))
    '1,200 results'
    """
    return Message(one, {"number": f"{number:,}", **values}, many, number)


def translatable(english: str, /) -> str:
    """Mark a template for translation that a table contains, and return it unchanged."""
    return english


def _in_english(value: str | Mapping[str, str] | Message) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    return value.get("en") or next(iter(value.values()), "")


def as_data(message: Message) -> dict[str, Any]:
    """Return a message as JSON values: its template, and its values if it has any."""
    values = {
        name: as_data(value) if isinstance(value, Message) else value
        for name, value in message.values.items()
    }
    plural = {"plural": message.plural, "number": message.number} if message.plural else {}
    return {"template": message.template, **plural, **({"values": values} if values else {})}


def from_data(data: Mapping[str, Any]) -> Message:
    """Read the result of `as_data`."""
    values = {
        name: from_data(value) if isinstance(value, Mapping) and "template" in value else value
        for name, value in data.get("values", {}).items()
    }
    return Message(data["template"], values, data.get("plural", ""), data.get("number", 1))
