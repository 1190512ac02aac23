"""Identifiers that are regular expressions become the equivalent rule, or are refused."""

from __future__ import annotations

import pytest

from ginuri.files.tables.expressions import read_expression
from ginuri.registration.verdicts import Finding

BASE = "https://a.example/uri-gin/azgs"


def _read(identifier: str, location: str = "https://b.example/$1", **others: str) -> dict[str, str] | str:
    stated = {"identifier": identifier, "location": location, **others}
    meant = read_expression(stated)
    return str(meant.message) if isinstance(meant, Finding) else dict(meant)


@pytest.mark.parametrize(
    ("expression", "template", "identifier", "pattern", "location"),
    [
        ("/gnis/(.*)$", "https://b.example/$1", "/gnis/", None, "https://b.example/{+rest}"),
        (
            "/gnis/(.+)",
            "https://b.example/?a=$1&b=$1",
            "/gnis/",
            None,
            "https://b.example/?a={+rest}&b={+rest}",
        ),
        ("/gnis/([^/]+)$", "https://b.example/$1", "/gnis/", "{piece1}", "https://b.example/{+piece1}"),
        ("/HP_([^/]+)/$", "https://b.example/$1", "/", "HP_{piece1}/", "https://b.example/{+piece1}"),
        (
            "/a/([^/]*)/b/x\\.([^/]+)",
            "https://b.example/$2/$1",
            "/a/",
            "{piece1}/b/x.{piece2}",
            "https://b.example/{+piece2}/{+piece1}",
        ),
        ("/gnis/(.*)$", "https://b.example/", "/gnis/", None, "https://b.example/"),
        ("/HP_(\\d+)$", "https://b.example/$1", "/", "HP_{piece1:digits}", "https://b.example/{+piece1}"),
        ("/([0-9]+)", "https://b.example/$1", "/", "{piece1:digits}", "https://b.example/{+piece1}"),
        ("/gnis/HP_(.*)$", "https://b.example/$1", "/gnis/", "HP_{+rest}", "https://b.example/{+rest}"),
        (
            "/a/([^\\s/]+)/(\\S+)$",
            "https://b.example/v$1/$2",
            "/a/",
            "{piece1}/{+rest}",
            "https://b.example/v{+piece1}/{+rest}",
        ),
    ],
)
def test_a_simple_expression_is_a_rule(
    expression: str, template: str, identifier: str, pattern: str | None, location: str
) -> None:
    rule = {"record": "rule", "identifier": f"{BASE}{identifier}", "location": location, "title": "Names"}

    read = _read(f"{BASE}{expression}", template, title="Names")

    assert read == (rule if pattern is None else rule | {"pattern": pattern})


@pytest.mark.parametrize(
    ("expression", "template", "identifier", "pattern", "location"),
    [
        ("/gnis/([0-9_]+).*$", "$1", "/gnis/", "{id:[0-9_]}[{+rest}]", "{+id}"),
        ("/gnis/(a|b)$", "$1", "/gnis/", "{id:a|b}", "{+id}"),
        ("/gnis/(.*)/x$", "$1", "/gnis/", "{+rest}/x", "{+rest}"),
        ("/gnis/[0-9]$", "", "/gnis/", "{id:digits(1)}", ""),
        ("/gnis/(([^/]+))$", "$1", "/gnis/", "{id}", "{+id}"),
    ],
)
def test_another_expression_is_translated(
    expression: str, template: str, identifier: str, pattern: str, location: str
) -> None:
    read = _read(f"{BASE}{expression}", f"https://b.example/{template}")

    assert read == {
        "record": "rule",
        "identifier": f"{BASE}{identifier}",
        "location": f"https://b.example/{location}",
        "pattern": pattern,
    }


@pytest.mark.parametrize(
    ("expression", "template", "why"),
    [
        ("/gnis/(?=ab)(.*)$", "https://b.example/$1", "cannot look ahead"),
        ("/gnis/(\\d+|T[0-9]{2})$", "https://b.example/$1", "several rules: {id:digits}, T{id:digits(2)}."),
        ("/gnis/([^/]+)", "https://b.example/$2", "does not have"),
    ],
)
def test_any_other_expression_is_refused_with_reason_and_remedy(
    expression: str, template: str, why: str
) -> None:
    told = _read(f"{BASE}{expression}", template)

    assert isinstance(told, str)
    assert why in told
    assert "Write a rule" in told


@pytest.mark.parametrize(
    ("identifier", "others"),
    [
        ("uri-gin/azgs/doc/1", {}),
        ("uri-gin/azgs/doc/Fe(II)", {"location": "https://b.example/"}),
        ("uri-gin/azgs/doc/a$", {}),
        ("uri-gin/azgs/doc/$1", {}),
        ("uri-gin/azgs/doc/v1.+2", {}),
        ("uri-gin/azgs/doc/(.*)", {"record": "resource"}),
        ("uri-gin/azgs/", {"record": "rule", "pattern": "(a){b}"}),
    ],
)
def test_text_without_an_expression_stays_unchanged(identifier: str, others: dict[str, str]) -> None:
    assert _read(identifier, **others) == {
        "identifier": identifier,
        "location": "https://b.example/$1",
        **others,
    }
