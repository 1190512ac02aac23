"""Headers that responses share."""

from __future__ import annotations

from http import HTTPStatus

import pytest

from ginuri.web.pages.frame import page_headers
from ginuri.web.request import limit_scripts
from ginuri.web.response import Response


@pytest.mark.parametrize(
    ("host", "source"),
    [
        ("id.example.org", "id.example.org/assets/"),
        ("127.0.0.1:8000", "127.0.0.1:8000/assets/"),
        ("[::1]:8000", "'none'"),
        ("a.example; script-src *", "'none'"),
        ("a.example\n", "'none'"),
        ("*", "'none'"),
        ("", "'none'"),
    ],
)
def test_a_page_runs_scripts_of_the_assets_only(host: str, source: str) -> None:
    response = Response(HTTPStatus.OK, page_headers(), b"<p>")

    policy = dict(limit_scripts(response, host).headers)["Content-Security-Policy"]

    assert policy.startswith(f"default-src 'none'; script-src {source}; style-src 'self'; ")
