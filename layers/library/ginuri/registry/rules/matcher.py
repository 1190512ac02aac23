"""Matches a pattern in time linear in the text: the states of an automaton are the bits of an integer.

One pass from the end of the text finds the states from which the remaining text can be matched, at each
symbol; another from the beginning gives each piece the longest text that leaves a match for the rest. A
symbol is a character or a whole escape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from ginuri.frozen import Frozen
from ginuri.identifiers.errors import TooManySteps
from ginuri.registry.rules.grammar import Element, Option, Piece, Type, read_elements

_SYMBOL = re.compile(r"%..|[^%]", re.DOTALL)


class Step(Frozen):
    """An element with its first state and the state after it."""

    element: Element
    first: int
    end: int
    inner: tuple[Step, ...] = ()
    """The steps of an option."""


class Automaton:
    """The states of elements: in each, one symbol is expected next; the last one accepts.

    `exact` is text before them, in which case matters always.
    """

    def __init__(self, elements: Sequence[Element], *, ignore_case: bool, exact: str = "") -> None:
        self.ignore_case = ignore_case
        self.spell: Callable[[str], str] = str.lower if ignore_case else str
        self._literals: dict[str, int] = {}
        self._runs: list[tuple[Type, int]] = []
        self._loops = 0
        self._jumps: list[tuple[int, int]] = []
        self._expecting: dict[str, int] = {}
        self._exact = split_symbols(exact)
        self.steps = self._add_all(elements, len(self._exact))
        self.end = self.steps[-1].end if self.steps else len(self._exact)
        self._jumps.reverse()  # a state is reached from later ones only

    def states_before(self, symbols: Sequence[str]) -> list[int] | None:
        """Return the states from which the last n symbols can be matched, for each n; None for no match."""
        states = self._with_jumps(1 << self.end)
        history = [states]
        loops, jumps = self._loops, self._jumps
        for symbol in reversed(symbols):
            states = self.expecting(symbol) & (states >> 1 | states & loops)
            if not states:
                return None
            if jumps:
                states = self._with_jumps(states)
            history.append(states)
        return history if states & 1 else None

    def expecting(self, symbol: str) -> int:
        """Return the states that a symbol leads on from."""
        if symbol not in self._expecting:
            spelled = {symbol.lower(), symbol.upper()} if self.ignore_case and len(symbol) == 1 else {symbol}
            states = sum(1 << state for state, exact in enumerate(self._exact) if exact == symbol)
            for spelling in spelled:
                states |= self._literals.get(spelling, 0)
            for run, taking in self._runs:
                if symbol[0] in characters_of(run, ignore_case=self.ignore_case):
                    states |= taking
            self._expecting[symbol] = states
        return self._expecting[symbol]

    @property
    def escapes(self) -> frozenset[str]:
        """The escapes in its literals; all others lead to the same states."""
        return frozenset(symbol for symbol in (*self._exact, *self._literals) if len(symbol) > 1)

    def states_after(self, states: int, symbol: str) -> int:
        """Return the states that a symbol leads to."""
        moving = states & self.expecting(symbol)
        return self.closed(moving << 1 | moving & self._loops)

    def closed(self, states: int) -> int:
        """Add the states that are reached without a symbol."""
        for targets, sources in reversed(self._jumps):
            if states & sources:
                states |= targets
        return states

    def _with_jumps(self, states: int) -> int:
        for targets, sources in self._jumps:
            if states & targets:
                states |= sources
        return states

    def _add_all(self, elements: Sequence[Element], first: int) -> tuple[Step, ...]:
        steps: list[Step] = []
        for element in elements:
            steps.append(self._add(element, steps[-1].end if steps else first))
        return tuple(steps)

    def _add(self, element: Element, first: int) -> Step:
        if isinstance(element, str):
            return Step(element, first, self._add_literal(element, first))
        if isinstance(element, Option):
            return self._add_option(element, first)
        end = (
            self._add_words(element.type, first) if element.type.words else self._add_run(element.type, first)
        )
        return Step(element, first, end)

    def _add_literal(self, text: str, first: int) -> int:
        for state, symbol in enumerate(split_symbols(text), first):
            self._literals[symbol] = self._literals.get(symbol, 0) | 1 << state
        return state + 1

    def _add_run(self, run: Type, first: int) -> int:
        number = run.most or run.least
        states = ((1 << number) - 1) << first
        self._runs.append((run, states))
        if run.most is None:
            self._loops |= 1 << (first + number - 1)
        elif run.most > run.least:
            # Each state after the least number of symbols may be the last.
            self._jumps.append((1 << (first + number), states & -1 << (first + run.least)))
        return first + number

    def _add_words(self, words: Type, first: int) -> int:
        starts, ends, state = 0, 0, first + 1
        for word in words.words:
            starts |= 1 << state
            state = self._add_literal(word, state)
            ends |= 1 << state
            state += 1
        self._jumps += (starts, 1 << first), (1 << state, ends)
        return state

    def _add_option(self, option: Option, first: int) -> Step:
        at = len(self._jumps)
        self._jumps.append((0, 0))
        inner = self._add_all(option.elements, first + 1)
        end = inner[-1].end
        self._jumps[at] = (1 << (first + 1) | 1 << end, 1 << first)
        return Step(option, first, end, inner)


MOST_STEPS = 256_000
"""The most symbols that all rules of a name may match: those of 250 patterns and of the longest name."""


class Steps:
    """The rest of the steps of matching one name; a step is one symbol and one pattern.

    Literals, and patterns of one piece, are compared at once, and take none.
    """

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def spend(self, number: int) -> None:
        """Count some steps. Raises TooManySteps if they are too many."""
        self.left -= number
        if self.left < 0:
            raise TooManySteps


class Matcher:
    """Matches one pattern; most names are refused by its first or last literal."""

    def __init__(self, text: str, *, ignore_case: bool, is_lazy: bool) -> None:
        elements = list(read_elements(text))
        self._spell: Callable[[str], str] = str.lower if ignore_case else str
        self._begin = self._spell(_take_literal(elements, 0))
        self._end = self._spell(_take_literal(elements, -1))
        self._ignore_case, self._is_lazy = ignore_case, is_lazy
        self._elements = elements
        self._automaton: Automaton | None = None
        self._only = elements[0] if len(elements) == 1 and isinstance(elements[0], Piece) else None

    def match(self, text: str, steps: Steps) -> dict[str, str] | None:
        """Return the texts of the pieces; None for no match. Raises TooManySteps."""
        written = self._spell(text)
        if not written.startswith(self._begin) or not written.endswith(self._end):
            return None
        first, last = len(self._begin), len(text) - len(self._end)
        if first > last or _is_within_escape(text, last):
            return None
        between = text[first:last]
        if self._only is not None:
            return {self._only.name: between} if self._takes(self._only.type, between) else None
        if not self._elements:
            return None if between else {}
        steps.spend(len(between))
        return self._match_all(split_symbols(between))

    def _takes(self, piece: Type, text: str) -> bool:
        if piece.words:
            return self._spell(text) in map(self._spell, piece.words)
        if len(text) < piece.least or (piece.most is not None and len(text) > piece.most):
            return False
        return not text.strip(characters_of(piece, ignore_case=self._ignore_case))

    def _match_all(self, symbols: Sequence[str]) -> dict[str, str] | None:
        if self._automaton is None:  # compiled on first use: most patterns are refused before
            self._automaton = Automaton(self._elements, ignore_case=self._ignore_case)
        before = self._automaton.states_before(symbols)
        if before is None:
            return None
        return dict(_Captures(self._automaton, symbols, before, is_lazy=self._is_lazy))


def _take_literal(elements: list[Element], at: int) -> str:
    """Remove the element at one end if it is a literal, and return it; empty if it is none."""
    if not elements or not isinstance(elements[at], str):
        return ""
    return str(elements.pop(at))


class _Captures:
    """The texts of the pieces in a match."""

    def __init__(
        self, automaton: Automaton, symbols: Sequence[str], before: Sequence[int], *, is_lazy: bool
    ) -> None:
        self._automaton, self._symbols, self._before = automaton, symbols, before
        self._is_lazy = is_lazy
        self._at = 0

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return self._walk(self._automaton.steps)

    def _walk(self, steps: Sequence[Step]) -> Iterator[tuple[str, str]]:
        for step in steps:
            if isinstance(step.element, str):
                self._at += step.end - step.first
            elif isinstance(step.element, Piece):
                begin, self._at = self._at, self._end_of(step, step.element.type)
                yield step.element.name, "".join(self._symbols[begin : self._at])
            elif self._can_go_on(step.first + 1, self._at):
                yield from self._walk(step.inner)

    def _can_go_on(self, state: int, at: int) -> bool:
        return bool(self._before[len(self._symbols) - at] >> state & 1)

    def _end_of(self, step: Step, piece: Type) -> int:
        ends = self._ends_of_words(piece) if piece.words else self._ends_of_run(piece)
        possible = (end for end in ends if self._can_go_on(step.end, end))
        # As in a regular expression: the first word, and the longest run.
        return next(possible) if piece.words or self._is_lazy else max(possible)

    def _ends_of_words(self, piece: Type) -> Iterator[int]:
        spell, begin = self._automaton.spell, self._at
        for word in piece.words:
            end = begin + len(word)
            if spell("".join(self._symbols[begin:end])) == spell(word):
                yield end

    def _ends_of_run(self, piece: Type) -> Iterator[int]:
        end, last = self._at, len(self._symbols)
        if piece.most is not None:
            last = min(last, end + piece.most)
        characters = characters_of(piece, ignore_case=self._automaton.ignore_case)
        while end < last and self._symbols[end][0] in characters:
            end += 1
            if end - self._at >= piece.least:
                yield end


def split_symbols(text: str) -> Sequence[str]:
    """Return the characters and whole escapes of a text."""
    return _SYMBOL.findall(text) if "%" in text else text


@lru_cache(256)
def characters_of(piece: Type, *, ignore_case: bool) -> str:
    """Return the characters that begin a symbol of a piece; of an escape, the sign."""
    characters = "".join(chr(code) for code in range(0x80) if piece.symbols >> code & 1)
    if ignore_case and piece.is_inverted:
        characters = "".join(letter for letter in characters if letter.swapcase() in characters)
    elif ignore_case:
        characters += characters.swapcase()
    return f"{characters}%" if piece.takes_escapes else characters


def _is_within_escape(text: str, at: int) -> bool:
    return "%" in text[max(at - 2, 0) : at]


@lru_cache(1024)
def matcher_of(text: str, *, ignore_case: bool, is_lazy: bool) -> Matcher:
    """Return the matcher of a pattern without faults."""
    return Matcher(text, ignore_case=ignore_case, is_lazy=is_lazy)
