"""Look-aheads of one character, `(?!-)` and `(?=[a-z])`: they narrow the item that follows them."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from ginuri.files.expressions.variants import Ahead, Maybe, Run, Stop, Variant, Words


def narrow(variant: Variant) -> Iterator[Variant]:
    """Yield the variants without look-aheads that match the same texts; none if they exclude all texts."""
    at = next((number for number, item in enumerate(variant) if isinstance(item, Ahead)), None)
    if at is None:
        yield variant
        return
    ahead, before, after = variant[at], variant[:at], variant[at + 1 :]
    if isinstance(ahead, Ahead):
        for rest in _narrow(ahead, after):
            yield from narrow((*before, *rest))


def _narrow(ahead: Ahead, following: Variant) -> Iterator[Variant]:
    first, rest = (following[0], following[1:]) if following else (Stop(), ())
    match first:
        case Stop():
            if ahead.or_end:
                yield following
        case Ahead(mask, or_end):
            yield from _narrow(Ahead(ahead.mask & mask, ahead.or_end and or_end), rest)
        case str():
            if _is_in(unquote(first)[0], ahead.mask):
                yield following
        case Words(words):
            if kept := tuple(word for word in words if _is_in(word[0], ahead.mask)):
                yield (Words(kept) if len(kept) > 1 else kept[0], *rest)
        case Maybe(items):
            yield from _narrow(ahead, rest)
            yield from _narrow(ahead, (*items, *rest))
        case Run():
            yield from _narrow_run(ahead, first, rest)


def _narrow_run(ahead: Ahead, run: Run, rest: Variant) -> Iterator[Variant]:
    if run.least == 0:
        yield from _narrow(ahead, rest)
    first = Run(run.mask & ahead.mask, 1, 1)
    if first.mask:
        others = Run(run.mask, max(run.least - 1, 0), None if run.most is None else run.most - 1)
        yield (first, *rest) if run.most == 1 else (first, others, *rest)


def _is_in(character: str, mask: int) -> bool:
    return not character.isascii() or bool(mask >> ord(character) & 1)
