"""Rewrite rules of uriresolve as registrations, or the reasons for refusing them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.migration.entries import ConvertedEntry
from ginuri.migration.uriresolve import import_uriresolve

B = "http://b.example"
MAP, DOCUMENT = {"token": "map", "label": "Map"}, {"token": "doc", "label": "Document"}
Row = dict[str, Any]


def _row(model: str, key: int, **fields: Any) -> Row:
    return {"model": f"uriresolve.{model}", "pk": key, "fields": fields}


def _rule(label: str, expression: str, url: str = f"{B}/$1") -> Row:
    return _row("rewrite_rule", 1, label=label, uri_expression=expression, url_string=url, description="D")


def _import(*rows: Row) -> list[list[dict[str, Any]] | str]:
    return [
        [dict(line) for line in each.registrations] if isinstance(each, ConvertedEntry) else str(each.reason)
        for each in import_uriresolve({"all.json": json.dumps(rows).encode()})
    ]


def test_a_rule_with_one_location_answers_every_request() -> None:
    assert _import(_rule("Wells", "^azgs/well/([0-9]+)/$")) == [
        [
            {
                "record": "rule",
                "identifier": "uri-gin/azgs/well/",
                "pattern": "{id:digits}/",
                "representations": [{"location": f"{B}/{{+id}}", "status_code": 303}],
                "title": "Wells",
                "description": "D",
            }
        ]
    ]


def test_accept_mappings_are_forms_with_media_types() -> None:
    rule = _row("rewrite_rule", 7, label="Wells", uri_expression="^azgs/well/$")
    media = _row("representation_type", 1, name="text/html")
    mapping = _row("accept_mapping", 1, rewrite_rule=7, representation_type=1, redirect_to=f"{B}/<x>")

    [lines] = _import(rule, media, mapping)

    assert isinstance(lines, list)
    assert (lines[0]["identifier"], lines[0]["representations"]) == (
        "uri-gin/azgs/well/",
        [{"media_type": "text/html", "location": f"{B}/%3Cx%3E", "status_code": 303}],
    )


def test_authorities_and_types_are_registered() -> None:
    rows = (
        _row("name_authority", 1, name="usgin"),
        _row("name_authority", 2, name="azgs"),
        _row("resource_type", 1, **MAP, name_authority=2, description="M"),
        _row("resource_type", 2, **DOCUMENT),
    )

    usgin, _, own, of_all = _import(*rows)

    assert usgin == [{"record": "authority", "identifier": "uri-gin/usgin/", "title": "usgin"}]
    assert own == [
        {
            "record": "resource-type",
            "identifier": "uri-gin/azgs/map/",
            "title": "Map",
            "description": "M",
        }
    ]
    assert [each["identifier"] for each in of_all if isinstance(each, dict)] == [
        "uri-gin/usgin/doc/",
        "uri-gin/azgs/doc/",
    ]


def test_rules_are_tried_in_the_order_of_their_labels() -> None:
    general, special = _rule("A", "^azgs/(.+)$"), _rule("B", "^azgs/well/(.+)$")

    first, told = _import(special, general)

    assert isinstance(first, list)
    assert (first[0]["identifier"], "pattern" in first[0]) == ("uri-gin/azgs/", False)
    assert isinstance(told, str)
    assert "rewrite_rule A" in told


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([_rule("A", "^azgs/(?=ab)(.+)$")], "cannot look ahead"),
        ([_rule("A", "^azgs/(.+)$", "/x")], "is not a URL that starts with"),
        ([_rule("A", "^azgs/a//b$", B)], "No identifier matches the expression."),
        (
            [_row("resource_type", 1, **MAP, name_authority=9)],
            "authority of the resource type",
        ),
        ([_row("name_authority", 1, name="a b")], "is not an identifier"),
        (
            [
                _rule("A", "^azgs/(.+)$"),
                _row("accept_mapping", 1, rewrite_rule=1, representation_type=9, redirect_to=B),
            ],
            "have the same media type",
        ),
    ],
)
def test_a_rule_or_type_without_equivalent_is_refused(rows: list[Row], why: str) -> None:
    told = _import(*rows)[-1]

    assert isinstance(told, str)
    assert why in told
