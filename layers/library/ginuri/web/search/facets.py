"""The facets of a search: counts of the results, each a link that narrows the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ginuri.i18n.labels import record_type_name, status_name
from ginuri.identifiers.messages import Words, message
from ginuri.registry.model import RecordType, Registered, Status
from ginuri.registry.texts.titles import shorten_texts
from ginuri.search.facets import FacetCounts
from ginuri.web.search.requests import AUTHORITY, STATUS, TYPE, SearchRequest

MOST_VALUES = 10
"""The most values of a facet, those with the most matches first."""
RECORD = "record"
"""The facet of record types, which uses the parameter of types."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a facet, the number of its matches, and the address of these."""

    value: str
    title: Words
    count: int
    href: str


@dataclass(frozen=True, slots=True)
class Facet:
    """The values that narrow a search in one respect."""

    name: str
    values: tuple[FacetValue, ...]


def offer_facets(request: SearchRequest, counts: FacetCounts) -> Mapping[str, Sequence[tuple[str, int]]]:
    """Return the values that narrow a search, with their counts, by the names of facets.

    The present filters of the search are not offered.
    """
    question = request.question
    offered = {AUTHORITY: dict(counts.authorities)}
    if question.record_type is None:
        offered[TYPE] = dict(counts.types)
    if TYPE not in request.filters:
        offered[RECORD] = {str(record_type): count for record_type, count in counts.records.items()}
    if question.status is None:
        offered[STATUS] = {str(status): count for status, count in counts.statuses.items()}
    return {
        name: [
            (value, count)
            for value, count in sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
            if not question.under.startswith(value)
        ][:MOST_VALUES]
        for name, values in offered.items()
    }


def identifiers_in(offered: Mapping[str, Sequence[tuple[str, int]]]) -> list[str]:
    """Return the values that are identifiers, which have titles."""
    return [value for name in (AUTHORITY, TYPE) for value, _ in offered.get(name, ())]


def name_facets(
    request: SearchRequest,
    offered: Mapping[str, Sequence[tuple[str, int]]],
    records: Mapping[str, Registered],
) -> tuple[Facet, ...]:
    """Return the facets that have values, in their order, with the registered titles."""
    return tuple(
        Facet(
            name,
            tuple(
                FacetValue(
                    value,
                    _title(name, value, records),
                    count,
                    request.path(**{TYPE if name == RECORD else name: value}),
                )
                for value, count in values
            ),
        )
        for name, values in offered.items()
        if values
    )


def _title(facet: str, value: str, records: Mapping[str, Registered]) -> Words:
    if facet == STATUS:
        return status_name(Status(value))
    if facet == RECORD:
        return record_type_name(RecordType(value))
    record = records.get(value)
    return message("{title}", title=shorten_texts(record.titles) or value if record else value)
