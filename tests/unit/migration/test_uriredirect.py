"""Rewrite rules of uriredirect as registrations, or the reasons for refusing them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.entries import ConvertedEntry
from ginuri.migration.share import share_of
from ginuri.migration.uriredirect import import_uriredirect

HTML, PDF = ("text/html", "html"), ("application/pdf", ".pdf")
B = "http://b.example"
Row = dict[str, Any]


def _row(model: str, key: int, **fields: Any) -> Row:
    return {"model": f"uriredirect.{model}", "pk": key, "fields": fields}


def _register(label: str = "uri-gin", *, is_here: bool = True) -> Row:
    return _row("uriregister", 1, label=label, url=f"{B}/", can_be_resolved=is_here)


def _rules(*patterns: str, forms: tuple[tuple[str, str], ...] = (HTML,), to: str = f"{B}/x") -> list[Row]:
    rows = []
    for number, pattern in enumerate(patterns, start=1):
        rows.append(_row("rewriterule", number, register=1, label=f"R{number}", pattern=pattern))
        for at, (media_type, ending) in enumerate(forms, start=1):
            rows.append(_row("mediatype", at, mime_type=media_type, file_extension=ending))
            rows.append(_row("acceptmapping", at, rewrite_rule=number, media_type=at, redirect_to=to))
    return rows


def _import(*rows: Row, host: str = "") -> list[list[dict[str, Any]] | str]:
    contents = {"all.json": json.dumps(rows).encode()}
    outcomes = share_of(contents, import_uriredirect(contents, host)).outcomes
    return [
        [dict(line) for line in each.registrations] if isinstance(each, ConvertedEntry) else str(each.reason)
        for each in outcomes
    ]


def _form(location: str, media_type: str = "text/html") -> dict[str, Any]:
    return {"media_type": media_type, "location": location, "status_code": 303}


def test_a_pattern_of_literal_characters_is_a_resource() -> None:
    [lines] = _import(_register(), *_rules("azgs/map/a\\.b$"))

    assert lines == [
        {"identifier": "uri-gin/azgs/map/a.b", "representations": [_form(f"{B}/x")], "title": "R1"}
    ]


def test_a_pattern_without_an_end_matches_longer_names() -> None:
    [lines] = _import(_register(), *_rules("azgs/map/"))

    assert isinstance(lines, list)
    assert [(each["identifier"], each.get("record")) for each in lines] == [
        ("uri-gin/azgs/map/", None),
        ("uri-gin/azgs/map/", "rule"),
    ]


@pytest.mark.parametrize(("end", "record"), [("(.+)", "rule"), ("(.+)$", "rule"), ("(.*)$", "rule")])
def test_a_pattern_that_matches_everything_is_a_rule(end: str, record: str) -> None:
    [lines] = _import(_register(), *_rules(f"azgs/map/{end}", to=f"{B}/$1"))

    assert isinstance(lines, list)
    assert [(each["record"], each["identifier"], each.get("pattern")) for each in lines] == [
        (record, "uri-gin/azgs/map/", None)
    ]
    assert lines[0]["representations"] == [_form(f"{B}/{{+rest}}")]


def test_an_ending_that_chooses_a_mapping_is_a_separate_rule() -> None:
    [lines] = _import(_register(), *_rules("azgs/([^/]+)/x$", forms=(HTML, PDF), to=f"{B}/$1"))

    assert isinstance(lines, list)
    location = f"{B}/{{+piece1}}"
    assert [(each["pattern"], each["representations"]) for each in lines] == [
        ("{piece1}/x", [_form(location), _form(location, "application/pdf")]),
        ("{piece1}/x.pdf", [_form(location, "application/pdf")]),
    ]


def test_a_register_elsewhere_gets_a_redirect() -> None:
    assert _import(_register("old", is_here=False), host="a.example") == [
        [
            {
                "record": "rule",
                "identifier": "http://a.example/old/",
                "title": "old",
                "location": f"{B}/{{+rest}}",
                "status_code": 301,
            }
        ]
    ]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([_register("old", is_here=False)], "with --host"),
        ([_register(is_here=False)], "with `answered_by`"),
        ([_register("old"), *_rules("x$")], "with --host"),
        (_rules("x$"), "missing, or is on another host"),
        ([_register(), *_rules("azgs/x$", forms=())], "answered with status 406"),
        ([_register(), *_rules("azgs/x$", forms=(HTML, HTML))], "answered with status 500"),
        ([_register(), *_rules("(.+)$")], "uri-gin/ cannot have rules"),
        ([_register(), *_rules("azgs/(.+)/x$")], ".* is allowed at the end only"),
        ([_register(), *_rules("azgs/x$", to=f"{B}/$1")], "does not have"),
        ([_register(), *_rules("azgs/x$", to="/x")], "not a URL that starts with http://"),
        ([_register(), *_rules("azgs/a b$")], "must be percent-encoded"),
        ([_register(), *_rules("azgs/(.+)$", forms=(PDF,))], "The ending .pdf selects a media type"),
    ],
)
def test_an_unsupported_pattern_is_refused(rows: list[Row], why: str) -> None:
    told = _import(*rows)[-1]

    assert isinstance(told, str)
    assert why in told


def test_rules_that_overlap_are_refused() -> None:
    rows = _rules("azgs/([^/]+)-1$", "azgs/1-([^/]+)$", "azgs/x$", "azgs/x$")

    first, second, *same = _import(_register(), *rows)

    assert isinstance(first, list)
    assert isinstance(second, str)
    assert "rewriterule R1 in line 1 of all.json matches some of the same names" in second
    assert same == ["Several rules have this pattern, which uriredirect answered with status 500."] * 2


def test_a_file_without_a_dump_of_its_tables_is_refused() -> None:
    with pytest.raises(UnreadableFile, match=r"'auth\.user' is not a row of uriredirect"):
        list(import_uriredirect({"all.json": b'[{"model": "auth.user"}]'}))
