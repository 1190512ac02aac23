"""Compares patterns: a text that two match, or one that only the first of several matches.

Exact up to a counted number of states, never by time: a comparison has the same result on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from ginuri.frozen import Frozen
from ginuri.registry.rules.grammar import Element
from ginuri.registry.rules.matcher import Automaton
from ginuri.registry.rules.patterns import Pattern

MOST_COMPARED = 20_000
"""The most states of a comparison; they take 0.2 s."""
CHARACTERS = "17abcdefghijklmnopqrstuvwxyz02345689ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./~:@!$&'()*+,;="
"""The characters of identifiers (RFC 3986 §3.3), without escapes, the plainest first: examples use these."""

States = TypeVar("States")


class Language(Frozen):
    """The names of a rule, as text after a prefix that is at most as long as its own."""

    pattern: Pattern
    beyond: str = ""
    """The text that the prefix of the rule has after the other one; its case matters always."""

    @property
    def begin(self) -> str:
        """The literal text that all its names begin with."""
        return self.beyond + _literal(self.pattern.elements[0])

    @property
    def end(self) -> str:
        """The literal text that all its names end with."""
        return _literal(self.pattern.elements[-1])


class Intricate(Frozen):
    """The patterns have too many states to be compared."""


INTRICATE = Intricate()


def common_text(one: Language, other: Language, characters: str = CHARACTERS) -> str | Intricate | None:
    """Return a text of these characters, and escapes, that both match, a shortest; None without one."""
    if not may_meet(one, other):
        return None
    own, others = _automaton(one), _automaton(other)
    seen: dict[int, int] = {}

    def unseen(state: int, states: int) -> int | None:
        new = states & ~seen.get(state, 0)
        seen[state] = seen.get(state, 0) | new
        return new or None

    search = _Search(own, _symbols([own, others], characters), others.states_after, unseen)
    return search.find(others.closed(1), lambda states: bool(states >> others.end & 1))


def text_outside(
    one: Language, others: Sequence[Language], characters: str = CHARACTERS
) -> str | Intricate | None:
    """Return one of the shortest texts that only the first matches; None if the others match all of its."""
    own, automata = _automaton(one), [_automaton(other) for other in others if may_meet(one, other)]
    seen: set[tuple[int, tuple[int, ...]]] = set()

    def after(states: tuple[int, ...], symbol: str) -> tuple[int, ...]:
        pairs = zip(automata, states, strict=True)
        return tuple([automaton.states_after(each, symbol) for automaton, each in pairs])

    def unseen(state: int, states: tuple[int, ...]) -> tuple[int, ...] | None:
        if (state, states) in seen:
            return None
        seen.add((state, states))
        return states

    search = _Search(own, _symbols([own, *automata], characters), after, unseen)
    return search.find(
        tuple([automaton.closed(1) for automaton in automata]),
        lambda states: (
            not any(each >> automaton.end & 1 for automaton, each in zip(automata, states, strict=True))
        ),
    )


class _Search(Generic[States]):
    """A search through the states of one automaton, beside those of others; the shortest texts come first."""

    def __init__(
        self,
        own: Automaton,
        symbols: Sequence[str],
        after: Callable[[States, str], States],
        unseen: Callable[[int, States], States | None],
    ) -> None:
        self._own, self._symbols = own, symbols
        self._after, self._unseen = after, unseen
        self._reached: list[tuple[int, States, int, str]] = []
        """Each with the number of the one before it, and the symbol between them."""

    def find(self, start: States, accepts: Callable[[States], bool]) -> str | Intricate | None:
        self._reach(self._own.closed(1), start, -1, "")
        for number, (state, states, _, _) in enumerate(self._reached):  # it grows meanwhile
            if state == self._own.end and accepts(states):
                return self._text(number)
            if number > MOST_COMPARED:
                return INTRICATE
            for symbol in self._symbols:
                reached = self._own.states_after(1 << state, symbol)
                if reached:
                    self._reach(reached, self._after(states, symbol), number, symbol)
        return None

    def _reach(self, own: int, states: States, before: int, symbol: str) -> None:
        for state in _bits(own):
            new = self._unseen(state, states)
            if new is not None:
                self._reached.append((state, new, before, symbol))

    def _text(self, number: int) -> str:
        symbols: list[str] = []
        while number >= 0:
            _, _, number, symbol = self._reached[number]
            symbols.append(symbol)
        return "".join(reversed(symbols))


def may_meet(one: Language, other: Language) -> bool:
    """Return whether the literals at both ends allow a common text; most pairs of rules end here."""
    folds = one.pattern.ignore_case or other.pattern.ignore_case
    begin, end, begins, ends = one.begin, one.end, other.begin, other.end
    if folds:
        begin, end, begins, ends = begin.lower(), end.lower(), begins.lower(), ends.lower()
    return (begin.startswith(begins) or begins.startswith(begin)) and (
        end.endswith(ends) or ends.endswith(end)
    )


def _literal(element: Element) -> str:
    return element if isinstance(element, str) else ""


@lru_cache(1024)
def _automaton(language: Language) -> Automaton:
    pattern = language.pattern
    return Automaton(pattern.elements, ignore_case=pattern.ignore_case, exact=language.beyond)


def _symbols(automata: Sequence[Automaton], characters: str) -> list[str]:
    """Return a symbol of each class that the first automaton expects; a class leads to the same states."""
    classes = [(1 << len(characters)) - 1]
    for automaton in automata:
        classes = [
            part for whole in classes for own in _classes(automaton, characters) if (part := whole & own)
        ]
    found = [characters[(symbols & -symbols).bit_length() - 1] for symbols in classes]
    escapes = {symbol for automaton in automata for symbol in automaton.escapes}
    other = next(escape for code in range(0x20, 0x100) if (escape := f"%{code:02X}") not in escapes)
    return [
        symbol
        for symbol in (*sorted(found, key=characters.index), *sorted(escapes), other)
        if automata[0].expecting(symbol)
    ]


@lru_cache(1024)
def _classes(automaton: Automaton, characters: str) -> Sequence[int]:
    """Return sets of characters, by the states that expect them; a set has a bit for each character."""
    classes: dict[int, int] = {}
    for at, character in enumerate(characters):
        states = automaton.expecting(character)
        classes[states] = classes.get(states, 0) | 1 << at
    return tuple(classes.values())


def _bits(states: int) -> Iterator[int]:
    while states:
        lowest = states & -states
        yield lowest.bit_length() - 1
        states ^= lowest
