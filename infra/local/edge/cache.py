"""The cache of the edge, up to a size."""

from collections import OrderedDict
from dataclasses import dataclass

from infra.local.gateway.http_answer import HttpAnswer

Key = tuple[str, ...]
MOST_BYTES = 64 * 1024 * 1024
"""Of bodies, and of an estimate for the headers of each answer."""
_HEADERS = 2048


@dataclass(frozen=True)
class Kept:
    """An answer, the time of its request, and the seconds that it is fresh, and then usable."""

    answer: HttpAnswer
    at: float
    fresh: float
    stale: float

    def age(self, now: float) -> float:
        """Return the seconds since its request."""
        return now - self.at

    def is_fresh(self, now: float) -> bool:
        """Return whether it may be served again."""
        return self.age(now) < self.fresh

    def is_usable(self, now: float) -> bool:
        """Return whether it may be served while the origin fails."""
        return self.age(now) < self.fresh + self.stale


class Cache:
    """Answers by their cache keys; the least recently used ones are dropped first."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Key, Kept] = OrderedDict()

    def get(self, key: Key) -> Kept | None:
        """Return the entry of a key, fresh or not."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: Key, kept: Kept) -> None:
        """Store an answer in place of the previous one."""
        self.drop(key)
        self._kept[key] = kept
        self._bytes += _weigh(kept)
        while self._bytes > self._most_bytes:
            self.drop(next(iter(self._kept)))

    def drop(self, key: Key) -> None:
        """Drop the entry of a key."""
        before = self._kept.pop(key, None)
        if before:
            self._bytes -= _weigh(before)


def _weigh(kept: Kept) -> int:
    return len(kept.answer.body) + _HEADERS
