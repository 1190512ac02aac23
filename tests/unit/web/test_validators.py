"""The entity tag of a generated document: the changes that change it, and documents without one."""

from __future__ import annotations

import re
from http import HTTPStatus

import pytest

from ginuri.web.conditional.validators import add_validators
from ginuri.web.request import Request
from ginuri.web.response import Headers, Response

BODY = b"<h1>Map</h1>"
HEADERS: Headers = (
    ("Content-Type", "text/html"),
    ("Content-Language", "en"),
    ("Link", '</a>; rel="up"'),
    ("Vary", "Accept"),
    ("Cache-Control", "max-age=60"),
)


def tag_of(
    headers: Headers = HEADERS, body: bytes = BODY, status: int = 200, method: str = "GET"
) -> str | None:
    response = Response(HTTPStatus(status), headers, body)
    return dict(add_validators(response, Request(method, "/")).headers).get("ETag")


def changed(name: str, value: str) -> Headers:
    return tuple((header, value if header == name else usual) for header, usual in HEADERS)


def test_a_tag_is_strong_and_the_same_for_get_and_head() -> None:
    tag = tag_of()

    assert tag is not None
    assert re.fullmatch('"[0-9a-f]{32}"', tag)
    assert tag == tag_of() == tag_of(method="HEAD")


@pytest.mark.parametrize(
    ("name", "value"),
    [("Content-Type", "text/turtle"), ("Content-Language", "es"), ("Link", '</b>; rel="up"')],
)
def test_a_tag_changes_with_the_meaning_of_its_metadata(name: str, value: str) -> None:
    assert tag_of(changed(name, value)) != tag_of()


def test_a_tag_depends_on_content_and_not_on_lifetime() -> None:
    assert tag_of(body=BODY + b"\n") != tag_of()
    assert tag_of(changed("Cache-Control", "max-age=61")) == tag_of()


def test_content_cannot_imitate_a_header_in_a_tag() -> None:
    one = tag_of((("Content-Type", "a"),), b"\nb")
    other = tag_of((("Content-Type", "a"), ("Link", "\nb")), b"")

    assert one != other


@pytest.mark.parametrize("status", [201, 206, 301, 304, 404, 412])
def test_only_a_200_gets_a_tag(status: int) -> None:
    assert tag_of(status=status) is None


@pytest.mark.parametrize("method", ["POST", "OPTIONS", "DELETE", ""])
def test_only_the_response_to_a_read_gets_a_tag(method: str) -> None:
    assert tag_of(method=method) is None


def test_answers_that_are_never_cached_get_no_tag() -> None:
    assert tag_of(changed("Cache-Control", "no-store")) is None


def test_an_existing_tag_is_kept() -> None:
    response = Response(HTTPStatus.OK, (*HEADERS, ("ETag", '"digest"')), BODY)

    answer = add_validators(response, Request("GET", "/", headers={"if-none-match": "*"}))

    assert answer == response
