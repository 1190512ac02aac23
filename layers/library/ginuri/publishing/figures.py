"""Counts the records of a registry in the order of their identifiers.

The records under an authority or a type follow it without a gap, so only the current groups and the largest
finished ones are in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ginuri.frozen import NOTHING
from ginuri.identifiers import parse
from ginuri.published.figures import Example, Figures, Group, Place
from ginuri.registry.metadata.geometry import Geometry, bounds_of
from ginuri.registry.model import (
    Host,
    NameAuthority,
    Registered,
    Resource,
    ResourceType,
    Scheme,
    Status,
    Texts,
)
from ginuri.registry.texts.titles import shorten_texts

MOST_GROUPS = 100
"""The most authorities, types and schemes in the figures; the largest ones count."""
MOST_PLACES = 100
"""The most places: more are merged, so that none is missing."""
MOST_EXAMPLES = 3
MOST_CHOSEN = 6
"""The most examples that authorities feature."""
CELL = 5
"""The least width and height of the grid cells for places, in degrees."""
_ENDS = ("/", ":")
_ROUND = 360


@dataclass(slots=True)
class _Open:
    """A record with a count of the records under it so far."""

    record: Registered
    count: int = 0
    newest: Example | None = None


@dataclass(slots=True)
class _Largest:
    """The largest groups so far, and the number of all."""

    total: int = 0
    groups: list[Group] = field(default_factory=list)

    def add(self, group: Group) -> None:
        self.total += 1
        self.groups.append(group)
        if len(self.groups) > 2 * MOST_GROUPS:
            self.groups = self.sort()

    def sort(self) -> list[Group]:
        return sorted(self.groups, key=lambda group: (-group.count, group.identifier))[:MOST_GROUPS]


@dataclass(slots=True)
class _Cell:
    """A cell of the grid, with the sums of its positions."""

    longitude: float = 0
    latitude: float = 0
    count: int = 0

    def mean(self) -> Place:
        return Place(round(self.longitude / self.count, 1), round(self.latitude / self.count, 1), self.count)


class FiguresCounter:
    """Counts records in the order of their identifiers; `host_of` returns the host a record is cited on."""

    def __init__(self, host_of: Callable[[str], str]) -> None:
        self._host_of = host_of
        self._identifiers = self._schemes = self._located = 0
        self._changed = ""
        self._open: list[_Open] = []
        self._authorities, self._types, self._roots = _Largest(), _Largest(), _Largest()
        self._cells: dict[tuple[float, float], _Cell] = {}
        self._examples: list[Example] = []
        self._featured: set[str] = set()
        self._chosen: list[Example] = []

    def add(self, record: Registered) -> None:
        """Count a record."""
        while self._open and not _is_under(record, self._open[-1].record):
            self._close()
        self._identifiers += 1
        self._changed = max(self._changed, record.modified)
        if self._open:
            self._open[-1].count += 1
        if isinstance(record, Scheme | Host | NameAuthority | ResourceType):
            self._schemes += isinstance(record, Scheme)
            self._open.append(_Open(record))
            if isinstance(record, NameAuthority):
                self._featured.update(name for name in record.featured if name.startswith(record.identifier))
        elif isinstance(record, Resource) and record.status is Status.VALID and record.titles and self._open:
            self._offer(record, self._open[-1])
        if isinstance(record, Resource | NameAuthority) and record.spatial:
            self._locate(record.spatial)

    def finish(self) -> Figures:
        """Return the figures."""
        while self._open:
            self._close()
        cells = self._cells
        while len(cells) > MOST_PLACES:
            cells = _coarsen(cells)
        return Figures(
            self._identifiers,
            self._authorities.total,
            self._types.total,
            self._schemes,
            self._changed,
            self._authorities.sort(),
            self._types.sort(),
            self._roots.sort(),
            self._located,
            sorted(
                map(_Cell.mean, cells.values()),
                key=lambda place: (-place.count, place.longitude, place.latitude),
            ),
            self._chosen[:MOST_CHOSEN] or self._examples,
        )

    def _close(self) -> None:
        closed = self._open.pop()
        record, count = closed.record, closed.count
        if self._open:
            self._open[-1].count += count
        if isinstance(record, ResourceType):
            self._types.add(Group(record.identifier, shorten_texts(record.titles), count, self._authority()))
        elif isinstance(record, NameAuthority):
            self._authorities.add(Group(record.identifier, shorten_texts(record.titles), count))
        elif count or isinstance(record, Scheme):  # most hosts have nothing bound to them
            self._roots.add(Group(record.identifier, shorten_texts(record.titles), count))
        if closed.newest is not None:
            examples = sorted((*self._examples, closed.newest), key=lambda example: example.identifier)
            examples.sort(key=lambda example: example.changed, reverse=True)
            examples.sort(key=lambda example: example.identifier.startswith("//"))
            self._examples = examples[:MOST_EXAMPLES]

    def _authority(self) -> Texts:
        above = (place.record for place in reversed(self._open) if isinstance(place.record, NameAuthority))
        return next((shorten_texts(record.titles) for record in above), NOTHING)

    def _offer(self, record: Resource, above: _Open) -> None:
        """Keep the newest record directly under the same prefix; among equals, the first."""
        is_featured = record.identifier in self._featured
        if not is_featured and above.newest is not None and above.newest.changed >= record.modified:
            return
        example = Example(
            record.identifier,
            parse(record.identifier).uri(self._host_of(record.identifier)),
            shorten_texts(record.titles),
            shorten_texts(above.record.titles) if isinstance(above.record, ResourceType) else NOTHING,
            self._authority(),
            record.modified,
        )
        if is_featured:
            self._chosen.append(example)
        else:
            above.newest = example

    def _locate(self, spatial: Geometry) -> None:
        longitude, latitude = centre_of(spatial)
        cell = self._cells.setdefault((longitude // CELL, latitude // CELL), _Cell())
        cell.longitude += longitude
        cell.latitude += latitude
        cell.count += 1
        self._located += 1


def _coarsen(cells: Mapping[tuple[float, float], _Cell]) -> dict[tuple[float, float], _Cell]:
    """Merge each four cells into one."""
    coarse: dict[tuple[float, float], _Cell] = {}
    for (column, row), cell in cells.items():
        merged = coarse.setdefault((column // 2, row // 2), _Cell())
        merged.longitude += cell.longitude
        merged.latitude += cell.latitude
        merged.count += cell.count
    return coarse


def _is_under(record: Registered, above: Registered) -> bool:
    return above.identifier.endswith(_ENDS) and record.identifier.startswith(above.identifier)


def centre_of(geometry: Geometry) -> tuple[float, float]:
    """Return the longitude and the latitude of the centre of a geometry's bounds.

    >>> centre_of({"type": "Point", "coordinates": [-110.3, 31.5]})
    (-110.3, 31.5)
    """
    west, south, east, north = bounds_of(geometry)
    if west > east:  # RFC 7946 §5.2: it crosses the antimeridian
        east += _ROUND
    longitude = (west + east) / 2
    return longitude - _ROUND * (longitude > _ROUND / 2), (south + north) / 2
