"""The locations that a move changes, and the statements for them."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.registration.undo.relocation import moved_location, relocate
from ginuri.registry.record.statements import JsonValue
from tests.builders import MAP, short

X, Y = "http://a.example/x", "https://b.example/y"


@pytest.mark.parametrize(
    ("location", "old", "new", "where"),
    [
        (X, X, Y, Y),
        (f"{X}/1.pdf", X, Y, f"{Y}/1.pdf"),
        (f"{X}?id=1", X, Y, f"{Y}?id=1"),
        (f"{X}#1", X, Y, f"{Y}#1"),
        (f"{X}y", X, Y, None),
        (f"{X}.pdf", X, Y, None),
        (f"{X}y", f"{X}/", f"{Y}/", None),
        (f"{X}/y", f"{X}/", f"{Y}/", f"{Y}/y"),
        ("http://a.example:8080/", "http://a.example", "http://b.example", None),
        ("http://a.example.org/", "http://a.example", "http://b.example", None),
        (f"{X}?id=17", f"{X}?id=", f"{Y}/", f"{Y}/17"),
        (f"{X}/{{+rest}}", X, Y, f"{Y}/{{+rest}}"),
        (f"{X}{{/id}}", X, Y, f"{Y}{{/id}}"),
        (f"{X}{{?id}}", X, Y, f"{Y}{{?id}}"),
        (f"{X}{{id}}", X, Y, None),
        ("http://other.example/", X, Y, None),
        ("", X, Y, None),
    ],
)
def test_a_move_replaces_whole_pieces_of_a_url(location: str, old: str, new: str, where: str | None) -> None:
    assert moved_location(location, old, new) == where


def test_only_the_location_and_the_form_key_are_stated() -> None:
    values: dict[str, Any] = {
        "title": {"": "Map"},
        "representations": {
            "part a.pdf": {
                "part": "a.pdf",
                "media_type": "application/pdf",
                "location": f"{X}/1",
                "quality": 0.5,
            },
            "form text/html  ": {"media_type": "text/html", "location": f"{X}/2"},
            "form text/csv  ": {"media_type": "text/csv", "location": "https://c.example/"},
        },
    }

    restatement = relocate(MAP, values, X, Y)

    assert restatement is not None
    assert short(restatement.statements) == {
        ("representations", "part a.pdf", "part"): "a.pdf",
        ("representations", "part a.pdf", "location"): f"{Y}/1",
        ("representations", "form text/html  ", "media_type"): "text/html",
        ("representations", "form text/html  ", "location"): f"{Y}/2",
    }


def test_a_location_elsewhere_is_not_stated() -> None:
    assert relocate(MAP, {"title": {"": "Map"}, "homepage": f"{X}/"}, X, Y) is None


def test_the_targets_of_tests_move_as_well() -> None:
    forms = {"form   ": {"location": f"{X}/1"}}
    tests: list[JsonValue] = [
        {"status": 303, "target": f"{X}/1"},
        {"path": "x", "target": "https://c.example/"},
    ]
    rules = {"{id}": {"tests": [{"path": "7", "target": f"{X}/7"}]}}
    moved = relocate(MAP, {"representations": forms, "tests": tests, "rules": rules}, X, Y)

    assert moved is not None
    assert moved.statements.value("tests") == [{"status": 303, "target": f"{Y}/1"}, tests[1]]
    assert moved.statements.rules()["{id}"].value("tests") == [{"path": "7", "target": f"{Y}/7"}]
