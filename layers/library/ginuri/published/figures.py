"""The figures of a published run: identifiers by authority, type, scheme and place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import Any

from ginuri.published.publications import Publications
from ginuri.registry.model import Texts

FIGURES = "figures.json"
_GROUPS = ("by_authority", "by_type", "by_scheme")


@dataclass(frozen=True, slots=True)
class Group:
    """Identifiers under a name authority, a resource type, a scheme or a host."""

    identifier: str
    """The prefix of the group."""
    titles: Texts
    count: int
    authority: Texts = field(default_factory=dict)
    """The titles of the type's name authority."""


@dataclass(frozen=True, slots=True)
class Place:
    """Nearby identifiers: their mean position in degrees on WGS 84."""

    longitude: float
    latitude: float
    count: int


@dataclass(frozen=True, slots=True)
class Example:
    """A registered identifier as an example."""

    identifier: str
    uri: str
    """The cited URI."""
    titles: Texts
    type: Texts
    """The titles of its resource type, if any."""
    authority: Texts
    changed: str
    """The time of its last change, RFC 3339 in UTC."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a registry."""

    identifiers: int = 0
    authorities: int = 0
    types: int = 0
    schemes: int = 0
    """The number of schemes, without hosts."""
    changed: str = ""
    """The time of the last change of a record, RFC 3339 in UTC; empty without records."""
    by_authority: Sequence[Group] = ()
    """The largest groups first, as in `by_type` and `by_scheme`."""
    by_type: Sequence[Group] = ()
    by_scheme: Sequence[Group] = ()
    """Includes hosts, for the names bound to them."""
    located: int = 0
    """The number of identifiers with a place."""
    places: Sequence[Place] = ()
    examples: Sequence[Example] = ()
    """Those that their authorities feature; without them the most recently changed ones.

    Of the latter, identifiers of any host come before those bound to one.
    """

    def count(self, identifier: str) -> int | None:
        """Return the number of identifiers under another; None if that is not one of the largest groups."""
        groups = chain(self.by_authority, self.by_type, self.by_scheme)
        return next((group.count for group in groups if group.identifier == identifier), None)


def write_figures(figures: Figures) -> bytes:
    """Write figures as JSON."""
    return json.dumps(asdict(figures), indent=1).encode()


def read_figures(content: bytes) -> Figures:
    """Read the JSON of `write_figures`."""
    values: Mapping[str, Any] = json.loads(content)
    groups = {name: [Group(**group) for group in values[name]] for name in _GROUPS}
    places = [Place(**place) for place in values["places"]]
    examples = [Example(**example) for example in values["examples"]]
    return Figures(**{**values, **groups, "places": places, "examples": examples})


class PublishedFigures:
    """Reads the figures of the current run, once for each run."""

    def __init__(self, publications: Publications) -> None:
        self.publications = publications
        self._current: tuple[str, Figures] | None = None

    def read(self) -> Figures | None:
        """Return the figures; None before the first run. Raises RegistryUnavailable."""
        publication = self.publications.current()
        if publication is None or FIGURES not in publication.files:
            return None
        if self._current is None or self._current[0] != publication.run:
            content = self.publications.reader.read(publication.key(FIGURES))
            if content is None:
                return None
            self._current = publication.run, read_figures(content)
        return self._current[1]
