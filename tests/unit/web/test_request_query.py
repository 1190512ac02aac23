"""The query: rebuilt if a gateway decoded it, raw if the edge proves itself."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.web.events import read_request, rebuild_query
from ginuri.web.request import Request
from tests.builders import rest_event

SHARED_WORD = "a-shared-word"
RAW = "uri=http://a.example/uri-gin/x;v=1&b=2&a=1&flag"
DECODED = {"uri": ["http://a.example/uri-gin/x"], "v": ["1"], "b": ["2"], "a": ["1"], "flag": [""]}


def _read(headers: dict[str, Any], secret: str | None = SHARED_WORD) -> Request:
    event = rest_event("/resolve", headers=headers)
    event["queryStringParameters"] = {name: values[-1] for name, values in DECODED.items()}
    event["multiValueQueryStringParameters"] = DECODED
    return read_request(event, secret)


@pytest.mark.parametrize(
    ("pairs", "query"),
    [
        ({}, ""),
        ({"f": ["pdf"]}, "f=pdf"),
        ({"f": ["pdf", "tif"], "g": ["1"]}, "f=pdf&f=tif&g=1"),
        ({"g": ["1"], "f": ["pdf"]}, "g=1&f=pdf"),
        ({"a b": ["c d"]}, "a%20b=c%20d"),
        ({"a=b&c": ["d=e&f"]}, "a%3Db%26c=d=e%26f"),
        ({"a": ["1+1;2#3%4"]}, "a=1%2B1%3B2%233%254"),
        ({"uri": ["http://h:80/a/b?c=d"]}, "uri=http://h:80/a/b?c=d"),
        ({"λ": ["é"]}, "%CE%BB=%C3%A9"),
        ({"a": ['<"\r\n>']}, "a=%3C%22%0D%0A%3E"),
        ({"": [""]}, "="),
        ({"a": []}, ""),
    ],
)
def test_a_decoded_query_is_written_again_in_order(pairs: dict[str, list[str]], query: str) -> None:
    assert rebuild_query(pairs) == query


def test_a_query_from_single_value_parameters_is_accepted() -> None:
    event = rest_event("/resolve") | {"queryStringParameters": {"uri": "urn:x"}}

    assert read_request(event).query == "uri=urn:x"


def test_the_edges_own_query_is_kept_as_sent() -> None:
    request = _read({"X-Ginuri-Query": RAW, "X-Ginuri-Edge": SHARED_WORD})

    assert request.query == RAW
    assert request.parameters == {
        "uri": "http://a.example/uri-gin/x;v=1",
        "b": "2",
        "a": "1",
        "flag": "",
    }


def test_the_edge_may_state_that_the_query_is_absent() -> None:
    request = _read({"X-Ginuri-Query": "", "X-Ginuri-Edge": SHARED_WORD})

    assert request.query == ""
    assert request.parameters == {}


@pytest.mark.parametrize(
    ("headers", "secret"),
    [
        ({"X-Ginuri-Query": RAW}, SHARED_WORD),
        ({"X-Ginuri-Query": RAW, "X-Ginuri-Edge": "a guess"}, SHARED_WORD),
        ({"X-Ginuri-Query": RAW, "X-Ginuri-Edge": ""}, SHARED_WORD),
        ({"X-Ginuri-Query": RAW, "X-Ginuri-Edge": "ünicode"}, SHARED_WORD),
        ({"X-Ginuri-Query": RAW, "X-Ginuri-Edge": [SHARED_WORD, "a guess"]}, SHARED_WORD),
        ({"X-Ginuri-Query": RAW, "X-Ginuri-Edge": SHARED_WORD}, None),
        ({"X-Ginuri-Query": RAW, "X-Ginuri-Edge": ""}, ""),
        ({"X-Ginuri-Edge": SHARED_WORD}, SHARED_WORD),
    ],
)
def test_a_client_cannot_impersonate_the_edge(headers: dict[str, Any], secret: str | None) -> None:
    request = _read(headers, secret)

    assert request.query == rebuild_query(DECODED)
    assert request.parameters["uri"] == "http://a.example/uri-gin/x"


@pytest.mark.parametrize("secret", [SHARED_WORD, "another", None])
def test_the_edges_secret_is_not_passed_on(secret: str | None) -> None:
    request = _read({"X-Ginuri-Query": RAW, "x-ginuri-EDGE": SHARED_WORD, "Accept": "*/*"}, secret)

    assert list(request.headers) == ["accept"]


def test_the_edges_host_is_the_host_of_the_client() -> None:
    sent = {
        "Host": "abc.execute-api.example",
        "X-Ginuri-Host": "purl.example.org",
        "X-Ginuri-Edge": SHARED_WORD,
    }

    assert _read(sent).host == "purl.example.org"


@pytest.mark.parametrize(
    ("headers", "secret"),
    [
        ({}, SHARED_WORD),
        ({"X-Ginuri-Host": "purl.example.org"}, SHARED_WORD),
        ({"X-Ginuri-Host": "purl.example.org", "X-Ginuri-Edge": "a guess"}, SHARED_WORD),
        ({"X-Ginuri-Host": "", "X-Ginuri-Edge": SHARED_WORD}, SHARED_WORD),
        ({"X-Ginuri-Host": "purl.example.org", "X-Ginuri-Edge": ""}, ""),
        ({"X-Ginuri-Host": "purl.example.org", "X-Ginuri-Edge": SHARED_WORD}, None),
    ],
)
def test_only_the_host_from_the_edge_counts(headers: dict[str, Any], secret: str | None) -> None:
    request = _read({"Host": "abc.execute-api.example", **headers}, secret)

    assert request.host == "abc.execute-api.example"
    assert not any(name.startswith("x-ginuri") for name in request.headers)
