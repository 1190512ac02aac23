"""Cuts lines and polygons where they cross the 180th meridian (RFC 7946 §3.1.9)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

Positions = Sequence[Sequence[float]]
"""The positions of a line, or of a ring whose last position is its first."""

_HALF, _WHOLE = 180, 360
_MOST_LATITUDE = 90
_DIGITS = 12
"""The decimal places of a longitude that was moved by a whole turn."""


def doubled_area(ring: Positions) -> float:
    """Return twice the area that a ring encloses, negative if it runs clockwise."""
    return sum(x * below - further * y for (x, y), (further, below) in pairwise(ring))


def is_wide(positions: Positions) -> bool:
    """Return whether an edge spans more than half a turn; along a whole turn, it runs from pole to pole."""
    return any(_HALF < abs(further - x) < _WHOLE for (x, _), (further, _) in pairwise(positions))


def _crosses(ring: Positions) -> bool:
    """Return whether a ring crosses the 180th meridian.

    A ring with an edge of more than half a turn has two readings: on a plane, or across the meridian. The
    right one runs counterclockwise (RFC 7946 §3.1.6), or is the narrower one if that decides nothing.
    """
    if _is_beyond(ring):
        return True
    if not is_wide(ring):
        return False
    unrolled = _unrolled(ring)
    on_plane, across = doubled_area(ring), doubled_area(unrolled)
    if _turns(unrolled):
        return True
    return across > 0 if on_plane * across < 0 else _width(unrolled) < _width(ring)


def cut_line(line: Positions) -> Sequence[Positions]:
    """Return the pieces of a line, each between -180 and 180 degrees; the line itself if it does not cross.

    >>> cut_line([[170, 0], [-170, 10]])
    [[[170, 0], [180, 5]], [[-180, 5], [-170, 10]]]
    """
    if not (is_wide(line) or _is_beyond(line)):
        return [line]
    pieces: list[list[list[float]]] = []
    for start, end in pairwise(_unrolled(line)):
        for one, other in pairwise([start, *_crossings(start, end), end]):
            turn = _turn((one[0] + other[0]) / 2)
            first, last = _moved(one, turn), _moved(other, turn)
            if pieces and pieces[-1][-1] == first:
                pieces[-1].append(last)
            else:
                pieces.append([first, last])
    return [piece for piece in pieces if len(piece) > 2 or piece[0] != piece[-1]]  # noqa: PLR2004  a line that is a point


def cut_polygon(rings: Sequence[Positions]) -> Sequence[Sequence[Positions]]:
    """Return the pieces of a polygon, each between -180 and 180 degrees; itself if it does not cross.

    >>> cut_polygon([[[170, 0], [-170, 0], [-170, 1], [170, 1], [170, 0]]])[1]
    [[[-180, 0], [-170, 0], [-170, 1], [-180, 1], [-180, 0]]]
    """
    if not _crosses(rings[0]):
        return [rings]
    outer, *holes = map(_unrolled, rings)
    outer = _around_pole(outer)
    west, east = min(x for x, _ in outer), max(x for x, _ in outer)
    holes = [_beside(hole, west, east) for hole in holes]
    pieces = []
    for turn in range(_turn(west), _turn(east) + 1):
        clipped = [list(_clip(ring, turn)) for ring in (outer, *holes)]
        if clipped[0]:
            pieces.append([ring for ring in clipped if ring])
    return pieces


def _is_beyond(positions: Positions) -> bool:
    return any(abs(x) > _HALF for x, _ in positions)


def _unrolled(positions: Positions) -> list[tuple[float, float]]:
    """Continue the longitudes beyond 180 degrees after an edge of more than half a turn."""
    (x, y), *_ = positions
    unrolled, moved = [(x, y)], 0
    for (before, _), (after, latitude) in pairwise(positions):
        if _HALF < abs(after - before) < _WHOLE:
            moved += _WHOLE if after < before else -_WHOLE
        unrolled.append((after + moved, latitude))
    return unrolled


def _width(ring: Positions) -> float:
    return max(x for x, _ in ring) - min(x for x, _ in ring)


def _turns(unrolled: Positions) -> int:
    return round((unrolled[-1][0] - unrolled[0][0]) / _WHOLE)


def _around_pole(ring: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Close a ring that runs once around the earth over the nearer pole."""
    if not _turns(ring):
        return ring
    pole = math.copysign(_MOST_LATITUDE, sum(y for _, y in ring))
    return [*ring, (ring[-1][0], pole), (ring[0][0], pole), ring[0]]


def _beside(ring: Positions, west: float, east: float) -> list[tuple[float, float]]:
    """Move a hole by whole turns to where its polygon is."""
    middle = sum(x for x, _ in ring) / len(ring)
    moved = -math.floor((middle - west) / _WHOLE) * _WHOLE
    if middle + moved > east and middle + moved - _WHOLE >= west:
        moved -= _WHOLE
    return [(x + moved, y) for x, y in ring]


def _turn(x: float) -> int:
    """Return the number of whole turns from a longitude to those between -180 and 180 degrees."""
    return math.floor((x + _HALF) / _WHOLE)


def _crossings(start: Sequence[float], end: Sequence[float]) -> Iterator[tuple[float, float]]:
    (x, y), (further, below) = start, end
    low, high = sorted((x, further))
    lines = [
        turn * _WHOLE + _HALF
        for turn in range(_turn(low), _turn(high) + 1)
        if low < turn * _WHOLE + _HALF < high
    ]
    for line in lines if x < further else reversed(lines):
        yield line, y + (below - y) * (line - x) / (further - x)


def _clip(ring: Positions, turn: int) -> Iterable[list[float]]:
    """Return the ring within one turn, moved there; nothing if it only touches it (Sutherland, Hodgman)."""
    west, east = turn * _WHOLE - _HALF, turn * _WHOLE + _HALF
    within = _clip_at(_clip_at(ring, west, lambda x: x >= west), east, lambda x: x <= east)
    return [_moved(position, turn) for position in within] if doubled_area(within) else []


def _clip_at(ring: Positions, line: float, is_inside: Callable[[float], bool]) -> list[tuple[float, float]]:
    clipped: list[tuple[float, float]] = []
    for (x, y), (further, below) in pairwise(ring):
        stops = [(x, y)] if is_inside(x) else []
        if is_inside(x) != is_inside(further):
            stops.append((line, y + (below - y) * (line - x) / (further - x)))
        for stop in stops:
            if not clipped or clipped[-1] != stop:
                clipped.append(stop)
    return [*clipped, clipped[0]] if clipped and clipped[-1] != clipped[0] else clipped


def _moved(position: Sequence[float], turn: int) -> list[float]:
    x, y = position
    return [_plain_number(round(x - turn * _WHOLE, _DIGITS) if turn else x), _plain_number(y)]


def _plain_number(number: float) -> float:
    return int(number) if number == int(number) else number
