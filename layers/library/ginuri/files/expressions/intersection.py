"""The names that two patterns both match, as patterns.

Both are read from left to right, as runs of characters. Where one run ends, the other may end or go on, and
each way gives a pattern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ginuri.files.expressions.nodes import UnsupportedExpression, mask_of
from ginuri.files.expressions.variants import NAME, Run, Variant
from ginuri.files.expressions.writing import write_patterns
from ginuri.registry.rules.grammar import SLASH, Element, Option, Piece, Type, read_elements

MOST_WAYS = 8
"""The most patterns of an intersection; of more, none is given."""
_MOST_STEPS = 1_000
_MOST_PAIRS = 256
_Runs = tuple[Run, ...]
_State = tuple[int, int, Run | None, Run | None]
"""The places in both sequences, and what is left of the run at each."""


def intersect(one: str, other: str) -> Sequence[str]:
    """Return patterns that match the names that both match; none if they are too many.

    >>> intersect("v{id}", "{+rest}.ttl"), intersect("{id:digits(4)}", "a{+rest}")
    (('v.ttl', 'v{id}.ttl'), ())
    """
    ways: dict[_Runs, None] = {}
    pairs = list(product(_unfold(read_elements(one)), _unfold(read_elements(other))))
    for own, others in pairs if len(pairs) <= _MOST_PAIRS else ():
        search = _Search(own, others)
        ways |= dict.fromkeys(search.meet((0, 0, None, None)))
        if search.steps > _MOST_STEPS or len(ways) > MOST_WAYS:
            return ()
    try:
        return write_patterns(map(_as_variant, ways))
    except UnsupportedExpression:
        return ()


def _unfold(elements: Sequence[Element]) -> list[_Runs]:
    choices: list[list[_Runs]] = []
    for element in elements:
        if isinstance(element, Option):
            choices.append([*_unfold(element.elements), ()])
        elif isinstance(element, Piece):
            choices.append(_runs_of(element.type))
        else:
            choices.append([_literal(element)])
    return [tuple(run for part in parts for run in part) for parts in product(*choices)]


def _literal(text: str) -> _Runs:
    return tuple(Run(mask_of(character), 1, 1) for character in text)


def _runs_of(kind: Type) -> list[_Runs]:
    if kind.words:
        return [_literal(word) for word in kind.words]
    mask = kind.symbols & NAME
    if kind.takes_escapes:
        mask = NAME if kind.takes_slashes else NAME & ~SLASH
    return [(Run(mask, kind.least, kind.most),)]


def _as_variant(runs: _Runs) -> Variant:
    return tuple(chr(run.mask.bit_length() - 1) if _is_character(run) else run for run in runs)


def _is_character(run: Run) -> bool:
    return run.most == 1 and run.mask.bit_count() == 1


class _Search:
    """A walk through two sequences; the first run of each may be what is left of it."""

    def __init__(self, one: _Runs, other: _Runs) -> None:
        self.steps = 0
        self._one, self._other = one, other
        self._known: dict[_State, list[_Runs]] = {}

    def meet(self, state: _State) -> list[_Runs]:
        """Return the sequences that match what both match from here on."""
        if state not in self._known:
            self.steps += 1
            ways = () if self.steps > _MOST_STEPS else self._meet(*state)
            self._known[state] = list(dict.fromkeys(ways))
        return self._known[state]

    def _meet(self, at: int, by: int, left: Run | None, other_left: Run | None) -> Iterator[_Runs]:
        if at == len(self._one) or by == len(self._other):
            if (at, by) == (len(self._one), len(self._other)):
                yield ()
            return
        first, second = left or self._one[at], other_left or self._other[by]
        mask = first.mask & second.mask
        if not mask:
            return
        if common := _end_together(mask, first, second):
            yield from self._continue(common, (at + 1, by + 1, None, None))
        if rest := _what_is_left(first, second):
            yield from self._continue(Run(mask, first.least, first.most), (at + 1, by, None, rest))
        if rest := _what_is_left(second, first):
            yield from self._continue(Run(mask, second.least, second.most), (at, by + 1, rest, None))

    def _continue(self, run: Run, state: _State) -> Iterator[_Runs]:
        return ((run, *rest) for rest in self.meet(state))


def _end_together(mask: int, first: Run, second: Run) -> Run | None:
    limits = [run.most for run in (first, second) if run.most is not None]
    least, most = max(first.least, second.least), min(limits, default=None)
    return Run(mask, least, most) if most is None or least <= most else None


def _what_is_left(ended: Run, other: Run) -> Run | None:
    """Return what is left of a run after another one; None if that cannot be written as one run."""
    taken = ended.least
    if ended.most == taken and (other.most is None or other.most > taken):
        return Run(
            other.mask, max(other.least - taken, 1), None if other.most is None else other.most - taken
        )
    if ended.most != taken and other.most is None and taken >= other.least:
        return Run(other.mask, 1, None)
    return None
