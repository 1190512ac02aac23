"""Finds the order of day and month in each column of days, from all of its cells."""

from __future__ import annotations

from collections.abc import Mapping

from ginuri.files.dates import ColumnDates, judge_dates
from ginuri.files.formats import mapping_of
from ginuri.files.guesses.tables import read_rows
from ginuri.files.options import UploadOptions
from ginuri.files.tables.heading import HeadingReader
from ginuri.identifiers.errors import UnreadableFile


def find_dates(name: str, body: bytes, options: UploadOptions) -> Mapping[str, ColumnDates]:
    """Judge the dates of each column of days whose order is not stated."""
    rows, mapping = read_rows(name, body, options), mapping_of(options)
    try:
        _, names = next(rows, (0, ()))
        fields = dict(zip(names, HeadingReader(mapping).fields(names), strict=True))
        found = {
            each: dict[str, int]() for each in mapping.days(fields) if each not in mapping.orders(fields)
        }
        places = {each: names.index(each) for each in found}
        for line, cells in rows if found else ():
            for each, lines in found.items():
                lines.setdefault("".join(cells[places[each] : places[each] + 1]), line)
    except (UnreadableFile, ValueError):
        return {}
    return {each: judge_dates((line, text) for text, line in lines.items()) for each, lines in found.items()}
