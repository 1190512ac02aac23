"""Rewrite rules of uriredirect as registrations, or the reasons for refusing them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.entries import ConvertedEntry, Outcome
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


def _outcomes(*rows: Row, host: str = "") -> Sequence[Outcome]:
    contents = {"all.json": json.dumps(rows).encode()}
    return share_of(contents, import_uriredirect(contents, host)).outcomes


def _import(*rows: Row, host: str = "") -> list[list[dict[str, Any]] | str]:
    outcomes = _outcomes(*rows, host=host)
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


@pytest.mark.parametrize(
    ("end", "records"), [("(.+)", ["rule"]), ("(.+)$", ["rule"]), ("(.*)$", ["", "rule"])]
)
def test_a_pattern_that_matches_everything_is_a_rule(end: str, records: list[str]) -> None:
    [lines] = _import(_register(), *_rules(f"azgs/map/{end}", to=f"{B}/$1"))

    assert isinstance(lines, list)
    assert [each.get("record", "") for each in lines] == records
    assert {each["identifier"] for each in lines} == {"uri-gin/azgs/map/"}
    assert lines[-1]["representations"] == [_form(f"{B}/{{+rest}}")]


def test_an_ending_that_chooses_a_mapping_is_a_separate_rule() -> None:
    [lines] = _import(_register(), *_rules("azgs/([^/]+)/x$", forms=(HTML, PDF), to=f"{B}/$1"))

    assert isinstance(lines, list)
    location = f"{B}/{{+id}}"
    assert [(each["pattern"], each["representations"]) for each in lines] == [
        ("{id}/x", [_form(location), _form(location, "application/pdf")]),
        ("{id}/x.pdf", [_form(location, "application/pdf")]),
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


def test_a_scheme_elsewhere_gets_a_redirect_too() -> None:
    [lines] = _import(_register(is_here=False))

    assert isinstance(lines, list)
    assert (lines[0]["identifier"], lines[0]["location"], lines[0]["status_code"]) == (
        "uri-gin/",
        f"{B}/{{+rest}}",
        301,
    )


def test_an_ending_is_matched_after_longer_names_too() -> None:
    [lines] = _import(_register(), *_rules("azgs/(.+)$", forms=(PDF,)))

    assert isinstance(lines, list)
    assert [each.get("pattern") for each in lines] == [None, "{+rest}.pdf"]


def test_a_rule_without_a_mapping_reserves_its_names() -> None:
    [outcome] = _outcomes(_register(), *_rules("azgs/x$", forms=()))

    assert isinstance(outcome, ConvertedEntry)
    assert outcome.registrations == [{"identifier": "uri-gin/azgs/x", "status": "reserved", "title": "R1"}]
    assert "answered with 404" in str(outcome.remarks[0])


def test_the_first_of_two_locations_for_a_media_type_is_imported() -> None:
    [outcome] = _outcomes(_register(), *_rules("azgs/x$", forms=(HTML, HTML)))

    assert isinstance(outcome, ConvertedEntry)
    assert len(outcome.registrations[0]["representations"]) == 1
    assert "the first is imported" in str(outcome.remarks[0])


def test_rules_with_the_same_pattern_become_one() -> None:
    _, second = _outcomes(_register(), *_rules("azgs/x-(.+)$", "azgs/x-(.+)$", to=f"{B}/$1"))

    assert isinstance(second, ConvertedEntry)
    assert second.registrations == [
        {
            "record": "rule",
            "identifier": "uri-gin/azgs/",
            "pattern": "x-{+rest}",
            "properties": {"alternative": "R2"},
        }
    ]
    assert "has the same pattern" in str(second.remarks[0])


def test_rules_that_overlap_are_ranked_with_a_remark() -> None:
    _, second = _outcomes(_register(), *_rules("azgs/(.+)$", "azgs/map/(.+)$", to=f"{B}/$1"))

    assert isinstance(second, ConvertedEntry)
    assert str(second.remarks[0]).endswith(
        "matches some of the same names: the more literal rule answers for them."
    )


def test_equally_literal_rules_are_split_at_a_slash() -> None:
    _, second = _import(_register(), *_rules("azgs/(.+)/(\\d+)$", "azgs/(\\d+)/(.+)$", to=f"{B}/$1/$2"))

    assert [(each["pattern"], each["representations"]) for each in second if isinstance(each, dict)] == [
        ("{id:digits}/{rest_a}", [_form(f"{B}/{{+id}}/{{+rest_a}}")]),
        ("{id:digits}/{rest_a}/", [_form(f"{B}/{{+id}}/{{+rest_a}}/")]),
        ("{id:digits}/{rest_a}/{+rest_b}", [_form(f"{B}/{{+id}}/{{+rest_a}}/{{+rest_b}}")]),
    ]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([_register("old", is_here=False)], "with --host"),
        (
            [_row("uriregister", 1, label="uri-a", url="b", can_be_resolved=False)],
            "is not a URL that starts with",
        ),
        ([_register("old"), *_rules("x$")], "with --host"),
        (_rules("x$"), "missing, or is on another host"),
        ([_register(), *_rules("azgs/(?=ab)(.+)$")], "cannot look ahead"),
        ([_register(), *_rules("azgs/(?=ab)(.+)$", forms=())], "cannot look ahead"),
        ([_register(), *_rules("azgs/x$", to=f"{B}/$1")], "does not have"),
        ([_register(), *_rules("azgs/x$", to="/x")], "not a URL that starts with http://"),
        ([_register(), *_rules("azgs//b$")], "No identifier matches the expression."),
    ],
)
def test_an_unsupported_pattern_is_refused(rows: list[Row], why: str) -> None:
    told = _import(*rows)[-1]

    assert isinstance(told, str)
    assert why in told


def test_equally_literal_rules_without_a_slash_are_refused() -> None:
    first, second = _import(_register(), *_rules("azgs/([^/]+)-1$", "azgs/1-([^/]+)$"))

    assert isinstance(first, list)
    assert isinstance(second, str)
    assert "and neither rule is more literal" in second


def test_a_file_without_a_dump_of_its_tables_is_refused() -> None:
    with pytest.raises(UnreadableFile, match=r"'auth\.user' is not a row of uriredirect"):
        list(import_uriredirect({"all.json": b'[{"model": "auth.user"}]'}))
