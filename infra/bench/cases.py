"""The measured cases, and their limits (docs/explanation/performance.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Case(StrEnum):
    """The kind of a request."""

    HIT = "hit"
    """A thing that is not in memory, unlike its ancestors."""
    PART = "part"
    """One representation of a thing, by its own name; the record is the thing's."""
    MEMORY = "memory"
    """The same thing again, within seconds; the bare handler has no memory."""
    MISS = "miss"
    """An unregistered identifier, requested as JSON."""
    RULE = "rule"
    """A name that one of a hundred rules of its prefix answers."""
    WORST_RULES = "worst rules"
    """A name of 900 letters among the 250 rules that take longest to match, of twelve pieces each."""
    MIX = "mix"
    """Requests as the gateway sends them, to resolve and to describe; the bare handler has only hits."""
    PAGE = "page"
    """The description of a thing that is not in memory, as a page, by describe, like the next cases."""
    JSON_LD = "JSON-LD"
    TURTLE = "Turtle"
    """The same description in other formats."""

    @property
    def extension(self) -> str | None:
        """The extension of the requested description; None for other cases."""
        return {Case.PAGE: "html", Case.JSON_LD: "jsonld", Case.TURTLE: "ttl"}.get(self)

    @property
    def statuses(self) -> tuple[int, ...]:
        """The expected statuses."""
        if self is Case.MIX:
            return (200, 302, 303, 304, 404)
        if self.extension is not None:
            return (200,)
        return (404,) if self is Case.MISS else (302, 303)


REDIRECTS = (Case.HIT, Case.PART, Case.MEMORY, Case.MISS, Case.RULE)
DESCRIPTIONS = (Case.PAGE, Case.JSON_LD, Case.TURTLE)


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of our figure: a ratio to the bare handler's, calls a request, and the figure itself."""

    ratio: float | None
    calls: float = 0
    most: float | None = None


COLD_LIMIT = Limit(0.45, 1)
COLD_PAGE_LIMIT = Limit(None, 4)
"""Two calls as for JSON, and two for the names before and after it."""
COLD_DESCRIPTION_LIMIT = Limit(1.6, 3)
TLS_LIMIT = Limit(None, 1)
RESIDENT_LIMIT = Limit(None, most=35)
INGEST_RATIO = 1.25
"""The limit for ingesting a record, in calls of `PutItem` by the bare client."""
NO_LIMIT = Limit(None)
LIMITS = {
    Case.HIT: Limit(0.38, 1),
    Case.PART: Limit(0.38, 1),
    Case.MEMORY: Limit(0.10, 0),
    Case.MISS: Limit(0.55, 2),
    Case.RULE: Limit(None, 1),
    Case.WORST_RULES: Limit(None, 1),
    Case.MIX: Limit(None, 1.5),
    Case.PAGE: Limit(3.5, 3),
    Case.JSON_LD: Limit(2.1, 3),
    Case.TURTLE: Limit(2.1, 3),
}
