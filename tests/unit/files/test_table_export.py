"""The values that a table can express in cells, and those that it cannot."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.files.tables.cells import MOST_ROW_LINES
from ginuri.files.tables.export import columns_of, rows_of, unwritable_fields

NAMED = {"identifier": "uri-gin/azgs/doc/a"}


def test_one_row_is_one_representation() -> None:
    forms = [{"part": ".pdf", "role": ["canonical", "default"], "quality": 0.5}, {"part": ".tif"}]

    assert rows_of({**NAMED, "title": {"": "A", "de": "\u00c4"}, "representations": forms}) == [
        {
            **NAMED,
            "title": "A",
            "title@de": "\u00c4",
            "part": ".pdf",
            "role": "canonical default",
            "quality": "0.5",
        },
        {**NAMED, "part": ".tif"},
    ]


def test_every_row_of_a_rule_has_its_record_type() -> None:
    rule = {"record": "rule", **NAMED, "pattern": "{id}"}

    forms = [{"media_type": "text/html"}, {"media_type": "text/csv"}]

    assert [row["pattern"] for row in rows_of({**rule, "representations": forms})] == ["{id}", "{id}"]


@pytest.mark.parametrize(
    ("said", "column"),
    [
        ({"representations": [{"part": ".pdf", "title": "PDF"}]}, "representations"),
        ({"representations": [{"part": ".pdf", "status": "retired"}]}, "representations"),
        (
            {"record": "rule", "status_code": 410, "representations": [{"location": "https://a.example/"}]},
            "representations",
        ),
        ({"links": [{"rel": "up", "href": "https://a.example/"}]}, "links"),
        ({"properties": {"a b": ["c"]}}, "properties"),
    ],
)
def test_fields_without_columns_are_one_cell_of_json(said: dict[str, Any], column: str) -> None:
    [row] = rows_of({**NAMED, **said})

    assert row[column].startswith(("[", "{"))


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"title": "A"}, None),
        ({"title": "-"}, "title"),
        ({"title": {"de": "-"}}, "title"),
        ({"reason": "-"}, "reason"),
        ({"description": "x\n" * MOST_ROW_LINES}, "description"),
        ({"valid_media_types": ["text/plain; charset=utf-8", "image/*"]}, None),
        ({"valid_media_types": ['text/html; profile="a, b"']}, "valid_media_types"),
    ],
)
def test_values_without_a_cell_are_detected(said: dict[str, Any], field: str | None) -> None:
    assert unwritable_fields({**NAMED, **said}) == field


def test_columns_have_one_order() -> None:
    rows = [{"part": "", "title@de": "", "identifier": ""}, {"title": "", "record": "", "location": ""}]

    assert columns_of(rows) == ["record", "identifier", "title@de", "title", "part", "location"]


def test_languages_in_another_order_than_the_columns_are_detected() -> None:
    columns = ["identifier", "title@de", "title@en"]

    assert unwritable_fields({**NAMED, "title": {"de": "Karte", "en": "Map"}}, columns) is None
    assert unwritable_fields({**NAMED, "title": {"en": "Map", "de": "Karte"}}, columns) == "title"
