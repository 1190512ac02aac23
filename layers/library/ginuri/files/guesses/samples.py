"""Says what the values of a column look like, from a sample of its cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ginuri.files.dates import DateOrder, read_day
from ginuri.files.dois import is_doi
from ginuri.files.repairs.words import (
    NO_VALUE,
    is_known_top_level,
    nearest,
    repair_day,
    repair_language,
    repair_media_type,
)
from ginuri.identifiers import Kind, read_identifier
from ginuri.registry.locations import is_location
from ginuri.registry.metadata.geometry_reader import read_place
from ginuri.registry.model import Dereference, RecordType, Role, Status
from ginuri.registry.version_names import is_day

_MOST, _HALF = 0.8, 0.5
"""The share of the values that must have a form."""
_PAIR = re.compile(r"\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*[,;\s]\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*")
_MEDIA_TYPE = re.compile(r"[a-z]+/[a-z0-9.+\-]+(?:;.*)?", re.IGNORECASE)
_TAG = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*", re.IGNORECASE)
_RELATIVE = re.compile(r"(?![a-z]+:)(?=.*[a-z])[^\s/?#:]+(?:/[^\s/?#]+)+/?", re.IGNORECASE)
_QUALITY = re.compile(r"[01]|0?\.[0-9]+|1\.0+")


@dataclass(frozen=True, slots=True)
class ColumnValues:
    """The values of a column in a sample, without empty cells."""

    name: str
    texts: Sequence[str]
    rows: int
    """The number of rows in the sample."""

    def share(self, test: Callable[[str], object]) -> float:
        """Return the share of the values that pass a test; 0 without values."""
        return sum(map(bool, map(test, self.texts))) / max(len(self.texts), 1)

    def mostly(self, test: Callable[[str], object]) -> bool:
        """Return whether most of the values pass a test; False without values."""
        return self.share(test) >= _MOST

    def all(self, test: Callable[[str], object]) -> bool:
        """Return whether all of the values pass a test; False without values."""
        return bool(self.texts) and all(map(test, self.texts))

    @property
    def is_unique(self) -> bool:
        """Whether every row has a value of its own."""
        return len(self.texts) == self.rows > 0 and len({*self.texts}) == self.rows

    @property
    def counts_rows(self) -> bool:
        """Whether the values are the numbers of the rows."""
        return [*self.texts] in ([str(row + first) for row in range(self.rows)] for first in (0, 1))


def sample_columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[ColumnValues]:
    """Return the values of each column in some rows."""
    filled = _without_remarks([list(map(str.strip, row)) for row in rows if any(map(str.strip, row))])
    return [
        ColumnValues(
            heading,
            [row[place] for row in filled if place < len(row) and _is_value(row[place])],
            len(filled),
        )
        for place, heading in enumerate(headings)
    ]


def _is_value(text: str) -> bool:
    return text not in NO_VALUE and bool(text.strip("-:"))


def _without_remarks(rows: list[list[str]]) -> list[list[str]]:
    """Leave out the rows with one cell, such as notes, and a first row with the units of columns."""
    wide = [row for row in rows if sum(map(bool, row)) > 1]
    [first, *others] = wide or rows or [[]]
    columns = [list(filter(None, column)) for column in zip(*others, strict=False)]
    has_units = any(
        _is_value(text) and not is_decimal(text) and len(column) > 1 and all(map(is_decimal, column))
        for text, column in zip(first, columns, strict=False)
    )
    return others if has_units else wide or rows


is_web_address = re.compile(r"(?:h[htps]{2,5}:/{1,2}|www\.)[^\s/]+\.\S+", re.IGNORECASE).match
is_decimal = re.compile(r"[+\-\N{MINUS SIGN}]?[0-9]+(?:[.,][0-9]+)?").fullmatch
is_whole_number = re.compile(r"[0-9]+").fullmatch
is_shape = re.compile(
    r"\s*(?:multi)?(?:point|linestring|polygon)\s*z?m?\s*\(|\{\"type\"", re.IGNORECASE
).match
"""Tests for WKT and GeoJSON."""


def is_relative_name(text: str) -> bool:
    """Return whether a text may be a name relative to a folder, such as `map/M1`."""
    return _RELATIVE.fullmatch(text) is not None and not is_known_top_level(text)


def pair_of_numbers(text: str) -> tuple[float, float] | None:
    """Return the two numbers of a text, if it consists of two."""
    found = _PAIR.fullmatch(text)
    return (float(found[1]), float(found[2])) if found else None


def is_identifier_below(folder: str) -> Callable[[str], bool]:
    """Return a test for identifiers that begin with a prefix, in any spelling."""
    start = folder or "uri-"
    return lambda text: (found := read_identifier(text)) is not None and found.normal_form.startswith(start)


def _is_place(text: str) -> bool:
    try:
        return read_place(text) is not None
    except ValueError:
        return False


def _is_day(text: str) -> bool:
    return is_day(text) or bool(repair_day(text)) or any(read_day(text, order) for order in DateOrder)


def _is_reference(text: str) -> bool:
    return read_identifier(text.split(maxsplit=1)[0]) is not None


_FORMS: Mapping[str, Callable[[str], object]] = {
    "location": lambda text: is_location(text) or is_web_address(text) or is_doi(text) or "{" in text,
    "homepage": lambda text: is_location(text) or is_web_address(text),
    "media_type": lambda text: _MEDIA_TYPE.fullmatch(text) or repair_media_type(text),
    "language": lambda text: _TAG.fullmatch(text) or repair_language(text),
    "status": lambda text: nearest(text, list(map(str, Status))),
    "record": lambda text: nearest(text, list(map(str, RecordType))),
    "kind": lambda text: nearest(text, list(map(str, Kind))),
    "role": lambda text: nearest(text, list(map(str, Role))),
    "quality": _QUALITY.fullmatch,
    "status_code": lambda text: re.fullmatch(r"[1-5][0-9]{2}(?:\s.*)?", text),
    "until": _is_day,
    "valid_from": _is_day,
    "spatial": lambda text: is_shape(text) or _is_place(text),
    "contact": lambda text: "@" in text or is_web_address(text) or re.search("[0-9]{5}", text),
    "file": lambda text: re.search(r"\.[A-Za-z0-9]{1,8}$", text),
    "dereference": lambda text: nearest(text, list(map(str, Dereference))),
    "successor": _is_reference,
    "part_of": _is_reference,
    "stands_for": _is_reference,
    "broader": _is_reference,
}


def fits(field: str, column: ColumnValues, *, is_own_name: bool = False) -> bool:
    """Return whether most values of a column have the form that a field needs; an empty column fits.

    More than half are enough if the column is called so: the others are refused, for a person to correct.
    """
    form = _FORMS.get(field)
    if form is None or not column.texts:
        return True
    return column.share(form) > _HALF if is_own_name else column.mostly(form)
