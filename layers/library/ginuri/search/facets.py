"""Counts matches by authority, type and status."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ginuri.registry.model import RecordType, Status
from ginuri.search.index import Directory, Ranges, status_of, type_of


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """The number of matches for each authority, resource type, record type and status, without a limit.

    The count of an authority or a type is the number of matches of a search under it: the record itself and
    nested types are included.
    """

    authorities: Mapping[str, int] = field(default_factory=dict)
    types: Mapping[str, int] = field(default_factory=dict)
    records: Mapping[RecordType, int] = field(default_factory=dict)
    statuses: Mapping[Status, int] = field(default_factory=dict)


def count_facets(matches: Sequence[tuple[int, int]], directory: Directory) -> FacetCounts:
    """Count documents, given their marks in the order of document numbers."""
    numbers = [number for number, _ in matches]
    # All documents share a few different marks.
    marks = Counter(mark >> 2 << 2 for _, mark in matches)
    records: Counter[RecordType] = Counter()
    statuses: Counter[Status] = Counter()
    for mark, count in marks.items():
        records[type_of(mark)] += count
        statuses[status_of(mark)] += count
    return FacetCounts(
        _within(numbers, directory.authorities), _within(numbers, directory.types), records, statuses
    )


def _within(numbers: Sequence[int], ranges: Ranges) -> dict[str, int]:
    if not numbers:
        return {}
    counts = {
        name: bisect_left(numbers, end) - bisect_left(numbers, first)
        for name, first, end in zip(ranges.names, ranges.firsts, ranges.ends, strict=True)
    }
    return {name: count for name, count in counts.items() if count}
