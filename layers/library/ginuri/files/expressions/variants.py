"""Variants of a regular expression: literal text, runs of characters, words and options in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ginuri.files.expressions.nodes import mask_of

SAFE = "/-._~!$&'()*+,;=:@"
"""The characters of names beside letters and digits."""
NAME = mask_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + SAFE)
"""The characters of names: RFC 3986 §3.3, `pchar` and the slash."""
SLASH = mask_of("/")


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of a set, a number of times."""

    mask: int
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Words:
    """One of several words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Maybe:
    """Items that are there or not."""

    items: Variant


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of the text."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """Text that must follow: a character of a set, or the end of the text if that is allowed."""

    mask: int
    or_end: bool


Item = str | Run | Words | Maybe | Stop | Ahead
Variant = tuple[Item, ...]


def split_options(variant: Variant) -> Iterator[Variant]:
    """Yield the variant without its first option, and with it."""
    at = next(number for number, item in enumerate(variant) if isinstance(item, Maybe))
    option = variant[at]
    if isinstance(option, Maybe):
        yield (*variant[:at], *variant[at + 1 :])
        yield (*variant[:at], *option.items, *variant[at + 1 :])
