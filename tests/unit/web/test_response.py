"""The conversion of a response for the gateway."""

from __future__ import annotations

from base64 import b64decode
from http import HTTPStatus

import pytest

from ginuri.web.response import Response, write_gateway


@pytest.mark.parametrize(
    ("where", "link"),
    [
        ("/uri-gin/azgs/", "/uri-gin/azgs/"),
        ("https://a.example/?a=1&b=2&lt;", "https://a.example/?a=1&amp;b=2&amp;lt;"),
        ('/"><script>', "/&quot;>&lt;script>"),
    ],
)
def test_the_note_of_a_redirect_escapes_its_link(where: str, link: str) -> None:
    written = write_gateway(Response(HTTPStatus.SEE_OTHER, (("Location", where),)), "GET")

    assert written["multiValueHeaders"] == {"Location": [where], "Content-Type": ["text/html; charset=utf-8"]}
    assert b64decode(written["body"]).decode() == (
        f'<!doctype html><title>See Other</title><a href="{link}">{link}</a>\n'
    )


def test_a_head_of_a_redirect_has_the_type_of_its_note() -> None:
    written = write_gateway(Response(HTTPStatus.FOUND, (("Location", "/x"),)), "HEAD")

    assert (written["body"], written["multiValueHeaders"]["Content-Type"]) == (
        "",
        ["text/html; charset=utf-8"],
    )


def test_a_response_that_leads_nowhere_stays_as_it_is() -> None:
    written = write_gateway(Response(HTTPStatus.NO_CONTENT, (("Allow", "GET"),)), "GET")

    assert (written["body"], written["multiValueHeaders"]) == ("", {"Allow": ["GET"]})
