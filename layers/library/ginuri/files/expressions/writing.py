"""Writes variants of an expression as patterns, or as literal names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from ginuri.files.expressions.nodes import UnsupportedExpression, mask_of
from ginuri.files.expressions.variants import (
    NAME,
    SLASH,
    Item,
    Maybe,
    Run,
    Variant,
    Words,
    split_options,
)
from ginuri.identifiers.messages import message
from ginuri.registry.rules.faults import MOST_OPTIONS, MOST_WORDS, fault_of
from ginuri.registry.rules.grammar import ALL_THE_REST, KINDS, MOST_LENGTH

_ONE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~!$&'()*+,;=:@/-"
"""The characters of classes in the order of writing: a hyphen comes last."""


def write_patterns(variants: Iterable[Variant]) -> tuple[str, ...]:
    """Write variants as patterns, literal names among them. Raises UnsupportedExpression.

    An empty text is the prefix itself; `{+rest}` is everything below it.
    """
    return tuple(dict.fromkeys(text for variant in variants for text in _write(_with_options(variant))))


def _with_options(variant: Variant) -> Variant:
    """Make options of runs that may be empty, and literals of those with a single value, such as `[.]`."""
    return tuple(_with_option(item) for item in variant)


def _with_option(item: Item) -> Item:
    match item:
        case Maybe():
            return Maybe(tuple(map(_as_literal, item.items)))
        case Run(least=0):
            return Maybe((_as_literal(Run(item.mask, 1, item.most)),))
        case _:
            return _as_literal(item)


def _as_literal(item: Item) -> Item:
    if isinstance(item, Run) and item.least == item.most and (item.mask & NAME).bit_count() == 1:
        return chr((item.mask & NAME).bit_length() - 1) * item.least
    return item


def _write(variant: Variant) -> Iterator[str]:
    options = sum(isinstance(item, Maybe) for item in variant)
    is_literal = not any(isinstance(item, Run | Words) for item in _flatten(variant))
    if options and (is_literal or options > MOST_OPTIONS or not _is_sound(variant)):
        for split in split_options(variant):
            yield from _write(split)
        return
    text = _print(variant)
    if _has_empty_segment(text):
        return
    if text not in {"", ALL_THE_REST} and not is_literal and (fault := fault_of(text)):
        raise UnsupportedExpression(message("{pattern}: {reason}", pattern=text, reason=fault))
    yield text


def _flatten(variant: Variant) -> Iterator[str | Run | Words]:
    for item in variant:
        if isinstance(item, Maybe):
            yield from _flatten(item.items)
        elif isinstance(item, str | Run | Words):
            yield item


def _is_sound(variant: Variant) -> bool:
    """Return whether no combination of the options is empty, or has an empty segment."""
    return fault_of(_print(variant)) is None


def _has_empty_segment(text: str) -> bool:
    return text.startswith("/") or "//" in text or not {".", ".."}.isdisjoint(text.split("/"))


def _print(variant: Variant) -> str:
    pieces = [item for item in _flatten(variant) if not isinstance(item, str)]
    names = iter(_name_pieces(pieces))
    return "".join(_print_items(variant, names))


def _print_items(items: Variant, names: Iterator[str]) -> Iterator[str]:
    for item in items:
        if isinstance(item, str):
            yield item
        elif isinstance(item, Maybe):
            yield f"[{''.join(_print_items(item.items, names))}]"
        elif isinstance(item, Words):
            yield f"{{{next(names)}:{_print_words(item.words)}}}"
        elif isinstance(item, Run):
            yield _print_run(item, next(names))


def _print_words(words: tuple[str, ...]) -> str:
    if len(words) > MOST_WORDS:
        raise UnsupportedExpression(
            message("It has more than {most} words to choose from.", most=str(MOST_WORDS))
        )
    return "|".join(words)


def _name_pieces(pieces: Sequence[Run | Words]) -> Iterator[str]:
    last = pieces[-1] if pieces else None
    ends_in_rest = isinstance(last, Run) and _takes_all(last) and last.least == 1 and last.most is None
    others = len(pieces) - ends_in_rest
    yield from ("id",) if others == 1 else (f"part{number}" for number in range(1, others + 1))
    yield from ("rest" if number == 0 else f"rest{number}" for number in count())


def _takes_all(run: Run) -> bool:
    return run.mask & NAME == NAME


def _print_run(run: Run, name: str) -> str:
    mask = run.mask & NAME
    if run.least == 1 and run.most is None:
        if mask == NAME:
            return f"{{+{name}}}"
        if mask == NAME & ~SLASH:
            return f"{{{name}}}"
    return f"{{{name}:{_print_class(mask)}{_print_length(run.least, run.most)}}}"


def _print_class(mask: int) -> str:
    kind = next((kind for kind, symbols in KINDS.items() if symbols == mask), None)
    if kind:
        return kind
    if mask == NAME & ~SLASH:
        return "[^/]"
    return f"[{''.join(_print_ranges([sign for sign in _ONE if mask & mask_of(sign)]))}]"


def _print_ranges(signs: Sequence[str]) -> Iterator[str]:
    """Write three or more letters or digits in a row as a range."""
    at = 0
    while at < len(signs):
        end = at
        while (
            end + 1 < len(signs) and signs[end + 1].isalnum() and ord(signs[end + 1]) == ord(signs[end]) + 1
        ):
            end += 1
        yield (
            f"{signs[at]}-{signs[end]}"
            if end > at + 1 and signs[at].isalnum()
            else "".join(signs[at : end + 1])
        )
        at = end + 1


def _print_length(least: int, most: int | None) -> str:
    if max(least, most or 0) > MOST_LENGTH:
        raise UnsupportedExpression(message("A length may be at most {most}.", most=str(MOST_LENGTH)))
    if least == most:
        return f"({least})"
    if most is None:
        return "" if least == 1 else f"({least},)"
    return f"({least},{most})"
