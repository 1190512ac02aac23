"""Several calls at a time, whose results keep their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

THREADS = 8
"""The number of calls at a time; a client of botocore keeps ten connections."""
_Given = TypeVar("_Given")
_Result = TypeVar("_Result")


def map_in_order(
    function: Callable[[_Given], _Result], values: Iterable[_Given], threads: int = THREADS
) -> Iterator[_Result]:
    """Call a function with each value in several threads, and yield the results in the order of the values.

    It reads only a few values ahead. An exception of the function is raised at the place of its result.
    """
    with ThreadPoolExecutor(threads) as pool:
        pending: deque[Future[_Result]] = deque()
        for value in values:
            pending.append(pool.submit(function, value))
            if len(pending) > threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def in_batches(values: Iterable[_Given], size: int) -> Iterator[list[_Given]]:
    """Yield the values in lists of a size; the last one may be shorter."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch
