"""Every request gets an answer: no exception, no 5xx, no request text in a header."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.resolve import answer
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.builders import MAP, PUT, register, rest_event
from tests.property.strategies import HEADER_TEXTS, IDENTIFIERS, PATHS

SENT = "sent-by-a-client"
METHODS = (
    st.sampled_from(["GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "get", "TRACE", "\r\n", ""]) | st.text()
)
REGISTERED = [
    MAP,
    f"{MAP}map",
    f"{MAP}map.pdf",
    f"{MAP}map.html",
    f"{MAP}lost.pdf",
    "uri-gin/azgs/",
    "uri-gin/azgs/doc/gone",
    "uri-gin/azgs/doc/later",
    "uri-gin/azgs/doc/dated",
    "uri-gin/azgs/doc/dated/1997-06-01",
    "uri-gin/azgs/doc/dated/current",
    "uri-gin/usgs/",
]
REQUESTS = st.builds(
    rest_event,
    st.sampled_from([f"/{name}" for name in REGISTERED])
    | PATHS
    | IDENTIFIERS.map(lambda it: f"/{it}")
    | st.text(),
    METHODS,
    st.dictionaries(
        st.sampled_from(
            [
                "Accept",
                "accept-language",
                "Accept-Profile",
                "Accept-Datetime",
                "Host",
                "X-Forwarded-Host",
                "Origin",
                "Referer",
            ]
        ),
        HEADER_TEXTS.map(lambda text: f"{SENT}{text}")
        | HEADER_TEXTS
        | st.sampled_from(["text/html", "*/*;q=0"]),
        max_size=7,
    ),
)


@pytest.fixture(scope="module")
def registry() -> MemoryRegistry:
    registry = MemoryRegistry()
    file = {"key": "map.html", "version": "v1", "length": 5, "sha256": "ab", "stored": PUT.format(0)}
    register(
        registry,
        MAP,
        title={"en": "Map"},
        representations=[
            {
                "part": "map.pdf",
                "media_type": "application/pdf",
                "location": "https://data.azgs.example/map.pdf",
            },
            {"part": "map.html", "media_type": "text/html", "file": file},
            {"part": "lost.pdf", "media_type": "application/pdf", "file": {**file, "key": "lost.pdf"}},
        ],
    )
    versions = [
        {"media_type": "text/html", "file": file, "valid_from": "1997-06-01"},
        {"location": "https://data.azgs.example/next", "valid_from": "2031-01-01"},
    ]
    register(registry, "uri-gin/azgs/doc/dated", representations=versions)
    register(registry, "uri-gin/azgs/", record="authority", contact="maps@azgs.example")
    register(registry, "uri-gin/azgs/doc/gone", status="retired", successor=MAP)
    register(registry, "uri-gin/azgs/doc/later", status="reserved")
    register(registry, "uri-gin/usgs/", record="authority", answered_by="id.usgs.example")
    return registry


def _answer(event: dict[str, Any], registry: MemoryRegistry) -> dict[str, Any]:
    finder = RememberingFinder(registry, lambda: 0.0)
    answers = IdentifierResponses(
        MemoryContentStore({("map.html", "v1"): b"<h1>\xff"}), "resources.usgin.org"
    )
    answered = answer(read_request(event), finder, answers)
    return write_gateway(answered.response, event["httpMethod"])


@given(event=REQUESTS)
def test_every_request_gets_an_answer_without_a_server_error(
    event: dict[str, Any], registry: MemoryRegistry
) -> None:
    response = _answer(event, registry)

    assert 200 <= response["statusCode"] < 500
    assert response["multiValueHeaders"]["Access-Control-Allow-Origin"] == ["*"]
    json.dumps(response)


@given(event=REQUESTS)
def test_client_input_reaches_headers_only_escaped(event: dict[str, Any], registry: MemoryRegistry) -> None:
    response = _answer(event, registry)

    written = [value for values in response["multiValueHeaders"].values() for value in values]
    assert all(value.isascii() and value.isprintable() for value in written)
    assert not any(SENT in value for value in written)


@given(event=REQUESTS)
def test_a_redirect_leads_to_the_service_or_to_a_registered_location(
    event: dict[str, Any], registry: MemoryRegistry
) -> None:
    for location in _answer(event, registry)["multiValueHeaders"].get("Location", []):
        ours = location.startswith(("/uri-gin", "/about/uri-gin"))
        assert ours or location.startswith(("https://data.azgs.example/", "http://id.usgs.example/uri-gin/"))


@given(event=REQUESTS)
def test_the_same_request_gets_the_same_answer(event: dict[str, Any], registry: MemoryRegistry) -> None:
    assert _answer(event, registry) == _answer(event, registry)
