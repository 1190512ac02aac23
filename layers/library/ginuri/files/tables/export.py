"""Writes an export as a table with one row for each representation: the inverse of `tables.delimited`.

Nested fields are JSON in one cell: links, services, documentation, properties, and representations if one of
them has its own title, identifier or status.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Any

from ginuri.files.mapping.templates import CLEARED
from ginuri.files.schema.fields import REPRESENTATION_FIELDS
from ginuri.files.schema.values import SEPARATORS
from ginuri.files.tables.cells import MOST_ROW_LINES
from ginuri.registry.metadata.fields import AS_JSON, FIELDS, PER_LANGUAGE

Row = Mapping[str, str]
_OF_FORM = tuple(name for name in REPRESENTATION_FIELDS if name not in {"identifier", "title", "status"})
_ORDER = {name: place for place, name in enumerate(("record", "identifier", *FIELDS, *_OF_FORM))}
# The fields that every row of a rule repeats; other rows repeat only the identifier.
_AGAIN = ("identifier", "record", "pattern")


def rows_of(line: Mapping[str, Any]) -> list[Row]:
    """Convert one line of an export to rows of a table."""
    cells = {name: text for field, value in line.items() for name, text in _cells(field, value)}
    if not (forms := line.get("representations", ())):
        return [cells]
    if not all(form.keys() <= set(_OF_FORM) for form in forms) or "status_code" in cells:
        return [{**cells, "representations": _json(forms)}]
    again = {name: cells[name] for name in _AGAIN if name in cells and line.get("record") == "rule"}
    again = again or {"identifier": cells["identifier"]}
    first, *others = ({name: _cell(value) for name, value in form.items()} for form in forms)
    return [{**cells, **first}, *({**again, **form} for form in others)]


def columns_of(rows: Iterable[Row]) -> list[str]:
    """Return the columns of rows in the order of the fields; languages in the order of the rows."""
    return sorted(
        dict.fromkeys(name for row in rows for name in row), key=lambda name: _ORDER[name.partition("@")[0]]
    )


def write_table(file: IO[str], columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write a table with its heading."""
    writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def unwritable_fields(line: Mapping[str, Any], columns: Sequence[str] = ()) -> str | None:
    """Return a field of the line that a table with these columns cannot express; None if there is none.

    These are a text equal to CLEARED, a text with too many lines, languages in another order, and a list
    with a separator within a word.
    """
    breaks = 0
    for field, value in line.items():
        places = [columns.index(name) for name, _ in _cells(field, value) if name in columns]
        if places != sorted(places):
            return field
        texts = value.values() if field in PER_LANGUAGE and isinstance(value, dict) else (value,)
        for text in texts:
            breaks += text.count("\n") + text.count("\r") if isinstance(text, str) else 0
            if text == CLEARED or breaks >= MOST_ROW_LINES - 1:
                return field
        if field in SEPARATORS and isinstance(value, list) and _split(field, value) != value:
            return field
    return None


def _split(field: str, words: Sequence[str]) -> list[str]:
    return re.split(SEPARATORS[field], _cell(words))


def _cells(field: str, value: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401  any field's value
    if field in PER_LANGUAGE and isinstance(value, dict):
        for tag, text in value.items():
            yield f"{field}@{tag}" if tag else field, _cell(text)
    elif field in AS_JSON - {"representations"}:
        yield field, _json(value)
    elif field != "representations":
        yield field, _cell(value)


def _cell(value: Any) -> str:  # noqa: ANN401  any field's value
    if value is None:
        return CLEARED
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return _json(value)
    return " ".join(value) if isinstance(value, list) else str(value)


def _json(value: Any) -> str:  # noqa: ANN401  any field's value
    return json.dumps(value, ensure_ascii=False)
