"""How long the edge caches an answer: its Cache-Control within the limits of the policy (RFC 9111, 5861)."""

from collections.abc import Mapping
from dataclasses import dataclass

_NEVER = {"no-store", "no-cache", "private"}


@dataclass(frozen=True)
class Lifetimes:
    """The limits of a cache policy, in seconds: MinTTL, DefaultTTL and MaxTTL."""

    least: int
    usual: int
    most: int

    def fresh_seconds(self, cache_control: str) -> int:
        """Return how long an answer is served from the cache."""
        directives = read_directives(cache_control)
        if _NEVER & directives.keys():
            return self.least
        stated = directives.get("s-maxage") or directives.get("max-age")
        seconds = int(stated) if stated and stated.isdecimal() else self.usual
        return min(max(seconds, self.least), self.most)


def stale_seconds(cache_control: str) -> int:
    """Return how long a stale answer may be served while the origin fails."""
    stated = read_directives(cache_control).get("stale-if-error", "")
    return int(stated) if stated.isdecimal() else 0


def read_directives(cache_control: str) -> Mapping[str, str]:
    """Return the directives of a Cache-Control header, names in lower case, values without quotes."""
    pairs = (directive.strip().partition("=") for directive in cache_control.split(","))
    return {name.lower(): value.strip('"') for name, _, value in pairs if name}
