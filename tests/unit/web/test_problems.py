"""Answers without a resource: RFC 9457, or a page for a browser."""

from __future__ import annotations

import json
from http import HTTPStatus

import pytest

from ginuri.resolution.links import Link
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.web.answers.problems import PROBLEM, Advice, Problem, write_problem
from ginuri.web.linksets import LinkInContext
from ginuri.web.response import Response

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
LOST = Problem(
    "This identifier is not registered",
    "Nobody has registered uri-gin/azgs/<x>.",
    (Advice("up", "The nearest & dearest", '/about/uri-gin/"azgs"/'), Advice("author", "Ask AZGS")),
)


def _written(accept: str | None, problem: Problem = LOST) -> Response:
    return write_problem(HTTPStatus.NOT_FOUND, problem, Preferences(accept), (("X-Kept", "as given"),))


@pytest.mark.parametrize(
    "accept",
    [None, "", "*/*", "application/problem+json", "application/*", "text/turtle", "image/png", "nonsense"],
)
def test_a_client_that_is_no_browser_gets_a_problem_document(accept: str | None) -> None:
    response = _written(accept)

    assert response.status is HTTPStatus.NOT_FOUND
    assert dict(response.headers) == {"X-Kept": "as given", "Content-Type": "application/problem+json"}
    assert json.loads(response.body) == {
        "type": "about:blank",
        "title": "This identifier is not registered",
        "status": 404,
        "detail": "Nobody has registered uri-gin/azgs/<x>.",
        "advice": [
            {"rel": "up", "title": "The nearest & dearest", "href": '/about/uri-gin/"azgs"/'},
            {"rel": "author", "title": "Ask AZGS"},
        ],
    }


def test_a_browser_gets_a_page_with_escaped_values() -> None:
    response = _written(BROWSER)

    page = response.body.decode()
    headers = dict(response.headers)
    assert headers["X-Kept"] == "as given"
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert "<h1>This identifier is not registered</h1>" in page
    assert "Nobody has registered uri-gin/azgs/&lt;x&gt;." in page
    assert '<a href="/about/uri-gin/&#34;azgs&#34;/" rel="up">The nearest &amp; dearest</a>' in page
    assert "<li>Ask AZGS</li>" in page


LINKS = [
    LinkInContext("https://a.example/x", Link("alternate", "https://a.example/x.pdf", "application/pdf"))
]
JSON_LINKSET, TEXT_LINKSET = "application/linkset+json", "application/linkset"


# RFC 9110 §12.5.1. A client gets a linkset only by name; among equal preferences, the problem document comes
# first.
@pytest.mark.parametrize(
    ("accept", "given"),
    [
        (JSON_LINKSET, JSON_LINKSET),
        (TEXT_LINKSET, TEXT_LINKSET),
        (f"{JSON_LINKSET}, {TEXT_LINKSET};q=0.9", JSON_LINKSET),
        (f"{JSON_LINKSET};q=0.9, {TEXT_LINKSET}", TEXT_LINKSET),
        (f"{JSON_LINKSET}, */*;q=0.9", JSON_LINKSET),
        ("Application/Linkset+JSON, application/*;q=0.9", JSON_LINKSET),
        (f"image/png, {JSON_LINKSET};q=0.1", JSON_LINKSET),
        (f"text/html, {JSON_LINKSET};q=0.9", "text/html; charset=utf-8"),
        (f"application/json, {JSON_LINKSET}", PROBLEM),
        (f"{JSON_LINKSET};q=0.9, application/problem+json", PROBLEM),
        (f"{JSON_LINKSET};q=0.5, */*;q=0.6", PROBLEM),
        (f"{JSON_LINKSET};q=0, */*", PROBLEM),
        (f"{JSON_LINKSET};q=0", PROBLEM),
        (BROWSER, "text/html; charset=utf-8"),
        ("application/*", PROBLEM),
        ("*/*", PROBLEM),
        ("nonsense", PROBLEM),
        ("", PROBLEM),
        (None, PROBLEM),
    ],
)
def test_a_linkset_is_sent_to_clients_that_prefer_it(accept: str | None, given: str) -> None:
    response = write_problem(HTTPStatus.NOT_ACCEPTABLE, LOST, Preferences(accept), (), LINKS)

    assert dict(response.headers)["Content-Type"] == given


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        (None, "application/json"),
        ("application/json", "application/json"),
        ("application/problem+json", "application/json"),
        ("image/png", "application/json"),
        (JSON_LINKSET, JSON_LINKSET),
        (BROWSER, "text/html; charset=utf-8"),
    ],
)
def test_choices_are_no_problem_document(accept: str | None, given: str) -> None:
    response = write_problem(HTTPStatus.MULTIPLE_CHOICES, LOST, Preferences(accept), (), LINKS)

    assert dict(response.headers)["Content-Type"] == given


def test_choices_are_listed_in_json() -> None:
    response = write_problem(HTTPStatus.MULTIPLE_CHOICES, LOST, Preferences(None), ())

    assert json.loads(response.body) == {
        "title": LOST.title,
        "detail": LOST.detail,
        "choices": [
            {"rel": "up", "title": "The nearest & dearest", "href": '/about/uri-gin/"azgs"/'},
            {"rel": "author", "title": "Ask AZGS"},
        ],
    }


def test_an_answer_without_links_is_never_a_linkset() -> None:
    assert dict(_written(JSON_LINKSET).headers)["Content-Type"] == PROBLEM


def test_a_page_may_load_files_only_from_this_host() -> None:
    policy = dict(_written(BROWSER).headers)["Content-Security-Policy"]

    directives = dict(directive.split(" ", 1) for directive in policy.split("; "))
    assert directives.pop("default-src") == "'none'"
    assert set(directives.values()) == {"'none'", "'self'"}


def test_a_problem_without_advice_has_none() -> None:
    problem = Problem("The registry is busy", "Ask again in 5 seconds.")

    assert "advice" not in json.loads(_written(None, problem).body)
    assert '<ul class="advice"' not in _written(BROWSER, problem).body.decode()


def test_profile_and_language_do_not_choose_the_format() -> None:
    preferences = Preferences("text/html", "de", "<urn:x>")

    response = write_problem(HTTPStatus.NOT_FOUND, LOST, preferences, ())

    assert dict(response.headers)["Content-Type"] == "text/html; charset=utf-8"
