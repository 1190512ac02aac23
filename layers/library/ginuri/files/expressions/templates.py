"""Finds the location template of a pattern from examples: names, and the locations they lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ginuri.registry.rules.grammar import ALL
from ginuri.registry.rules.templates import expand


@dataclass(frozen=True, slots=True)
class Example:
    """The text of each variable for a name, and the location that it leads to."""

    values: Mapping[str, str]
    location: str


def find_template(examples: Sequence[Example]) -> str | None:
    """Find the template that gives the location of every example; None if there is none.

    All locations are read together: the next text is a variable if all continue with its value, else the
    next character that they share.

    >>> find_template([Example({"id": "7"}, "http://b/7.ttl"), Example({"id": "12"}, "http://b/12.ttl")])
    'http://b/{+id}.ttl'
    """
    search = _Search(examples)
    found = search.find((0,) * len(examples))
    return (
        found
        if found is not None and all(expand(found, each.values) == each.location for each in examples)
        else None
    )


class _Search:
    def __init__(self, examples: Sequence[Example]) -> None:
        self._examples = examples
        self._names = [
            name
            for name in dict.fromkeys(name for each in examples for name in each.values)
            if any(each.values.get(name) for each in examples)
        ]
        self._failed: set[tuple[int, ...]] = set()

    def find(self, places: tuple[int, ...]) -> str | None:
        """Find the template of what follows these places in the locations."""
        stack: list[tuple[tuple[int, ...], str]] = [(places, "")]
        while stack:
            here, text = stack.pop()
            if all(at == len(each.location) for at, each in zip(here, self._examples, strict=True)):
                return text
            if here in self._failed:
                continue
            self._failed.add(here)
            stack += reversed([(after, f"{text}{part}") for after, part in self._continue(here)])
        return None

    def _continue(self, here: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], str]]:
        """Yield the ways on: a piece of the name, the next character, the whole name."""
        yield from (way for name in self._names if name != ALL for way in self._take(here, name))
        signs = {each.location[at : at + 1] for at, each in zip(here, self._examples, strict=True)}
        if len(signs) == 1 and "" not in signs:
            yield tuple(at + 1 for at in here), signs.pop()
        if ALL in self._names:
            yield from self._take(here, ALL)

    def _take(self, here: tuple[int, ...], name: str) -> Iterator[tuple[tuple[int, ...], str]]:
        values = [each.values.get(name, "") for each in self._examples]
        if self._continues_with(here, values):
            yield tuple(at + len(value) for at, value in zip(here, values, strict=True)), f"{{+{name}}}"

    def _continues_with(self, here: tuple[int, ...], values: Sequence[str]) -> bool:
        return all(
            each.location.startswith(value, at)
            for value, at, each in zip(values, here, self._examples, strict=True)
        )
