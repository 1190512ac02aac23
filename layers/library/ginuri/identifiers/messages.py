"""A sentence for people as data: its English, and the values that stand in it.

Code that finds something makes a message; code that writes to a person chooses the language (`ginuri.i18n`).
What stands as a literal in a call of these functions is what `make catalogues` gathers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginuri.frozen import NOTHING, Frozen


class Message(Frozen):
    """A sentence in English, and what stands in its braces.

    A value is data, a text that is registered in several languages (language tag → text), or another message.
    """

    template: str
    values: Mapping[str, str | Mapping[str, str] | Message] = NOTHING
    plural: str = ""
    """The English for any number but one, where a number decides."""
    number: int = 1

    @property
    def english(self) -> str:
        """The template that its number asks for."""
        return self.plural if self.plural and self.number != 1 else self.template

    def __str__(self) -> str:
        """Write it in English, as machines and logs read it."""
        return self.english.format_map({name: _in_english(value) for name, value in self.values.items()})


Words = str | Message
"""A plain text is a message without values."""


def message(template: str, /, **values: str | Mapping[str, str] | Message) -> Message:
    """Make a message; a name in braces stands for the value of that name."""
    return Message(template, values)


def counted(one: str, many: str, number: int, /, **values: str | Mapping[str, str] | Message) -> Message:
    """Make a message about a number of things, which `{number}` stands for.

    >>> str(counted("{number} result", "{number} results", 1200))
    '1,200 results'
    """
    return Message(one, {"number": f"{number:,}", **values}, many, number)


def translatable(english: str, /) -> str:
    """Return the English itself: it is the template of a message that is made elsewhere, as in a table."""
    return english


def _in_english(value: str | Mapping[str, str] | Message) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    return value.get("en") or next(iter(value.values()), "")


def as_data(message: Message) -> dict[str, Any]:
    """Return a message as what JSON can hold: its template, and its values where it has some."""
    values = {
        name: as_data(value) if isinstance(value, Message) else value
        for name, value in message.values.items()
    }
    plural = {"plural": message.plural, "number": message.number} if message.plural else {}
    return {"template": message.template, **plural, **({"values": values} if values else {})}


def from_data(data: Mapping[str, Any]) -> Message:
    """Read what `as_data` gave."""
    values = {
        name: from_data(value) if isinstance(value, Mapping) and "template" in value else value
        for name, value in data.get("values", {}).items()
    }
    return Message(data["template"], values, data.get("plural", ""), data.get("number", 1))
