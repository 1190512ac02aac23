"""Two ordered sequences side by side, in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

_Thing = TypeVar("_Thing")


def pair(
    before: Iterable[_Thing], after: Iterable[_Thing], key: Callable[[_Thing], Any]
) -> Iterator[tuple[_Thing | None, _Thing | None]]:
    """Yield the things of both sequences with the same key together; None for one that is missing.

    Both must be in the order of their keys.

    >>> list(pair([1, 2, 4], [2, 3], key=int))
    [(1, None), (2, 2), (None, 3), (4, None)]
    """
    earlier, later = iter(before), iter(after)
    one, other = next(earlier, None), next(later, None)
    while one is not None or other is not None:
        if other is None or (one is not None and key(one) < key(other)):
            yield one, None
            one = next(earlier, None)
        elif one is None or key(other) < key(one):
            yield None, other
            other = next(later, None)
        else:
            yield one, other
            one, other = next(earlier, None), next(later, None)
