"""A REST API's proxy event → a request: the path is data, byte for byte."""

from __future__ import annotations

import pytest

from ginuri.web.events import read_request
from tests.builders import rest_event


# As captured from live REST APIs: hotsock/voker, vokerhttp/testdata/ingress-paths.json
@pytest.mark.parametrize(
    "path",
    [
        "/space%20value",
        "/slash%2Fvalue",
        "/question%3Fvalue",
        "/percent%25done",
        "/literal%252Fvalue",
        "/%CE%BB",
        "/x/",
        "/x",
        "/x.ext",
        "/a//b",
        "/a/../b",
        "/",
        "/uri-gin/azgs/doc/a;b=c,d@e!$&'()*+:",
    ],
)
def test_the_path_arrives_unchanged(path: str) -> None:
    assert read_request(rest_event(path)).path == path


def test_leading_slashes_that_the_gateway_folds_are_read_from_the_context() -> None:
    event = rest_event("//uri-gin/azgs/") | {"path": "/uri-gin/azgs/"}

    assert event["requestContext"]["path"] == "/live//uri-gin/azgs/"
    assert read_request(event).path == "//uri-gin/azgs/"


def test_the_context_on_a_custom_domain_has_no_stage() -> None:
    event = rest_event("//uri-gin/azgs/") | {"path": "/uri-gin/azgs/"}
    event["requestContext"]["path"] = "//uri-gin/azgs/"

    assert read_request(event).path == "//uri-gin/azgs/"


@pytest.mark.parametrize("path", ["/live/x", "/live//x", "/live/live/x", "/live"])
def test_a_path_that_begins_like_the_stage_is_unchanged(path: str) -> None:
    on_our_domain = rest_event(path)
    on_our_domain["requestContext"]["path"] = path

    assert read_request(rest_event(path)).path == path
    assert read_request(on_our_domain).path == path


def test_the_path_is_never_read_from_the_path_parameters() -> None:
    event = rest_event("/uri-gin/azgs/")
    assert event["pathParameters"] == {"proxy": "uri-gin/azgs"}

    del event["pathParameters"]

    assert read_request(event).path == "/uri-gin/azgs/"


def test_the_method_is_kept_as_sent() -> None:
    assert read_request(rest_event("/", method="HEAD")).method == "HEAD"


def test_repeated_fields_are_one_list() -> None:
    event = rest_event("/", headers={"Accept": ["text/html", "text/turtle;q=0.5"]})

    assert read_request(event).preferences.accept == "text/html, text/turtle;q=0.5"


def test_names_of_fields_have_no_case() -> None:
    headers = {"ACCEPT": "text/html", "accept-language": "de", "Accept-PROFILE": "<urn:x>", "hOST": "a.b"}

    request = read_request(rest_event("/", headers=headers))

    assert request.preferences.accept == "text/html"
    assert request.preferences.accept_language == "de"
    assert request.preferences.accept_profile == "<urn:x>"
    assert request.host == "a.b"


def test_fields_repeated_in_another_case_are_one_list_too() -> None:
    event = rest_event("/", headers={"Accept": "text/html", "accept": "text/turtle"})

    assert read_request(event).preferences.accept == "text/html, text/turtle"


def test_a_request_without_headers_has_no_preferences() -> None:
    request = read_request(rest_event("/"))

    assert request.preferences.accept is None
    assert request.preferences.accept_language is None
    assert request.host == ""
    assert request.parameters == {}


def test_the_query_is_not_part_of_the_path() -> None:
    event = rest_event("/uri-gin/azgs/") | {"queryStringParameters": {"f": "pdf"}}

    request = read_request(event)

    assert request.path == "/uri-gin/azgs/"
    assert request.parameters == {"f": "pdf"}
