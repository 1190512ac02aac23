"""Events of AWS's front doors (recorded_events/README.md) → the sent request, or a refusal."""

from __future__ import annotations

import base64
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from ginuri.identifiers.errors import UnreadableRequest
from ginuri.web.events import FIELDS, read_request

RECORDED = Path(__file__).parent / "recorded_events"
FAITHFUL = ["rest_api", "function_url", "load_balancer", "load_balancer_multi_value"]
LOSSY = ["http_api_1.0", "http_api_2.0"]
ONLY_LAST = "load_balancer"  # multi-value headers switched off: only the last of repeated ones is known
REDIRECT = "redirect=https%3A%2F%2Fexample.com%2Fa%2Fb"
SENT_QUERY = f"repeat=one&repeat=two&{REDIRECT}&literalPlus=a+b&encodedPlus=a%2Bb&empty="


def _recorded(door: str) -> dict[str, Any]:
    recorded: dict[str, Any] = json.loads((RECORDED / f"{door}.json").read_text(encoding="utf-8"))
    return recorded


def _requests(doors: list[str]) -> list[Any]:
    return [
        pytest.param(door, recorded["sent"], recorded["gives"], id=f"{door} {recorded['sent'][:40]}")
        for door in doors
        for recorded in _recorded(door)["requests"]
    ]


def _merged(event: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    event = deepcopy(event)
    for name, value in changes.items():
        event[name] = _merged(event[name], value) if isinstance(event.get(name), dict) and value else value
    return event


def _event(door: str, **changes: Any) -> dict[str, Any]:
    return _merged(_recorded(door)["event"], changes)


@pytest.mark.parametrize(("door", "sent", "gives"), _requests(FAITHFUL))
def test_a_path_arrives_byte_for_byte(door: str, sent: str, gives: dict[str, Any]) -> None:
    assert read_request(_event(door, **gives)).path == sent


@pytest.mark.parametrize("door", FAITHFUL)
def test_the_recorded_paths_are_those_that_gateways_change(door: str) -> None:
    sent = [recorded["sent"] for recorded in _recorded(door)["requests"]]

    for piece in ("%2F", "%20", "+", ";", "//", "%CE%BB", "%25", "%3F", "/doc/"):
        assert any(piece in path for path in sent), piece
    assert max(map(len, sent)) == 1024


@pytest.mark.parametrize(("door", "sent", "gives"), _requests(LOSSY))
def test_an_http_api_is_refused_for_every_recorded_request(
    door: str, sent: str, gives: dict[str, Any]
) -> None:
    assert sent
    with pytest.raises(UnreadableRequest, match="HTTP API decodes"):
        read_request(_event(door, **gives))


@pytest.mark.parametrize("door", LOSSY)
def test_an_http_api_confuses_two_identifiers(door: str) -> None:
    given = {recorded["sent"]: recorded["gives"] for recorded in _recorded(door)["requests"]}

    assert given["/uri-gin/azgs//doc"] == given["/uri-gin/azgs/doc"]
    assert "%" not in json.dumps(given["/uri-gin/azgs/slash%2Fvalue"])


@pytest.mark.parametrize("door", LOSSY)
def test_an_http_api_is_refused_under_a_custom_domain_too(door: str) -> None:
    with pytest.raises(UnreadableRequest, match="REST API, a function URL or an Application Load Balancer"):
        read_request(_event(door, requestContext={"domainName": "resources.usgin.org"}))


@pytest.mark.parametrize("door", FAITHFUL)
def test_the_method_the_host_and_the_preferences_are_read(door: str) -> None:
    request = read_request(_event(door))

    assert request.method == "POST"
    assert request.host == request.headers["host"]
    assert request.host.endswith(("amazonaws.com", ".on.aws"))
    assert request.preferences.accept_language == "de"


@pytest.mark.parametrize("door", FAITHFUL)
def test_repeated_fields_are_one_list_if_the_front_door_keeps_them(door: str) -> None:
    accept = read_request(_event(door)).preferences.accept

    assert accept is not None
    items = [item.strip() for item in accept.split(",")]
    assert items == (["text/html;q=0.5"] if door == ONLY_LAST else ["text/turtle", "text/html;q=0.5"])


@pytest.mark.parametrize("door", FAITHFUL)
def test_the_front_door_states_the_protocol(door: str) -> None:
    assert read_request(_event(door)).protocol == "https"


@pytest.mark.parametrize("door", FAITHFUL)
def test_fields_that_affect_responses_are_found_by_lower_case_name(door: str) -> None:
    event = _event(door)
    sent = {name.lower() for name in event.get("multiValueHeaders") or event["headers"]}

    headers = read_request(event).headers

    assert headers["accept-language"] == "de"
    assert set(headers) == (sent & FIELDS) - {"x-forwarded-proto"}
    assert {"user-agent", "x-forwarded-for"} <= sent - FIELDS


@pytest.mark.parametrize("door", FAITHFUL)
def test_the_query_decodes_to_the_last_value_of_each_name(door: str) -> None:
    assert read_request(_event(door)).parameters == {
        "repeat": "two",
        "redirect": "https://example.com/a/b",
        "literalPlus": "a b",
        "encodedPlus": "a+b",
        "empty": "",
    }


@pytest.mark.parametrize(
    ("door", "query"),
    [
        ("function_url", SENT_QUERY),
        (
            "load_balancer_multi_value",
            f"empty=&encodedPlus=a%2Bb&literalPlus=a+b&{REDIRECT}&repeat=one&repeat=two",
        ),
        (
            "load_balancer",
            f"empty=&encodedPlus=a%2Bb&literalPlus=a+b&{REDIRECT}&repeat=two",
        ),
        (
            "rest_api",
            "empty=&encodedPlus=a%2Bb&literalPlus=a%20b&redirect=https://example.com/a/b&repeat=one&repeat=two",
        ),
    ],
)
def test_the_query_is_unchanged_if_the_front_door_allows(door: str, query: str) -> None:
    assert read_request(_event(door)).query == query


@pytest.mark.parametrize("door", FAITHFUL)
def test_an_absent_query_is_empty(door: str) -> None:
    names = ["queryStringParameters", "multiValueQueryStringParameters", "rawQueryString"]
    event = {name: value for name, value in _event(door).items() if name not in names}

    assert read_request(event).query == ""
    assert read_request(event).parameters == {}


@pytest.mark.parametrize("door", FAITHFUL)
def test_a_body_is_the_same_bytes_as_text_and_as_base64(door: str) -> None:
    body = '{"message":"hello","unicode":"λ"}'.encode()
    encoded = {"body": base64.b64encode(body).decode("ascii"), "isBase64Encoded": True}

    assert read_request(_event(door)).body == body
    assert read_request(_event(door, **encoded)).body == body


@pytest.mark.parametrize("door", FAITHFUL)
@pytest.mark.parametrize("nothing", [None, ""])
def test_an_absent_body_is_empty(door: str, nothing: str | None) -> None:
    event = _event(door) | {"body": nothing, "isBase64Encoded": True}

    assert read_request(event).body == b""


@pytest.mark.parametrize("body", ["not base64", "ab=c", "é"])
def test_a_body_that_a_gateway_garbled_is_refused(body: str) -> None:
    with pytest.raises(UnreadableRequest, match="base64"):
        read_request(_event("rest_api", body=body, isBase64Encoded=True))


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"requestContext": None},
        {"Records": [{"eventSource": "aws:sqs"}]},
        {"raw_path": "/x", "method": "GET", "headers": {}},
        {"version": "2.0", "path": "/x", "requestContext": {"serviceNetworkArn": "arn:aws:vpc-lattice:"}},
        {
            "version": "2.0",
            "rawPath": "/x",
            "requestContext": {"domainName": None, "http": {"method": "GET"}},
        },
    ],
)
def test_an_event_of_any_other_kind_is_refused(event: dict[str, Any]) -> None:
    with pytest.raises(UnreadableRequest, match="no event of"):
        read_request(event)
